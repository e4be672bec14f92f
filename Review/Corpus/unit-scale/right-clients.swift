// A client whose caller divides.
import HealthKit

struct OxygenClient {
    var save: (_ percent: Double, _ date: Date) async throws -> Void
}

extension OxygenClient {
    static func live(_ store: HKHealthStore) -> OxygenClient {
        OxygenClient(
            save: { percent, date in
                let quantity = HKQuantity(unit: .percent(), doubleValue: percent)
                let type = HKQuantityType(.oxygenSaturation)
                try await store.save(
                    HKQuantitySample(type: type, quantity: quantity, start: date, end: date))
            })
    }
}

func add(_ percent: Double, _ client: OxygenClient) async throws {
    guard (60...100).contains(percent) else { return }
    try await client.save(percent / 100, Date())
}
