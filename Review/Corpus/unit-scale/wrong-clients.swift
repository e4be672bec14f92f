// Closures of a client, and units passed beside the type.
import HealthKit

struct VitalsClient {
    var saveSaturation: (_ percent: Double, _ date: Date) async throws -> Void
}

extension VitalsClient {
    static func live(_ store: HKHealthStore) -> VitalsClient {
        VitalsClient(
            saveSaturation: { percent, date in
                let quantity = HKQuantity(unit: .percent(), doubleValue: percent)  // finds unit-scale
                let type = HKQuantityType(.oxygenSaturation)
                try await store.save(
                    HKQuantitySample(type: type, quantity: quantity, start: date, end: date))
            })
    }
}

struct SaturationFeature {
    let client: VitalsClient

    func add(_ percent: Double) async throws {
        guard (60...100).contains(percent) else { return }
        try await client.saveSaturation(percent, Date())
    }
}

final class RecoveryReader {
    private let store = HKHealthStore()
    private let variabilityType = HKQuantityType(.heartRateVariabilitySDNN)
    private let pulseType = HKQuantityType(.restingHeartRate)

    func load(_ done: @escaping (Double?, Double?) -> Void) {
        average(of: pulseType, in: HKUnit(from: "count/min")) { pulse in
            self.average(of: self.variabilityType, in: .second()) { sdnn in  // finds unit-scale
                done(pulse, sdnn)
            }
        }
    }

    func loadInText(_ done: @escaping (Double?) -> Void) {
        average(of: variabilityType, in: HKUnit(from: "s"), done)  // finds unit-scale
    }

    private func average(
        of type: HKQuantityType, in unit: HKUnit, _ done: @escaping (Double?) -> Void
    ) {
        let query = HKStatisticsQuery(
            quantityType: type, quantitySamplePredicate: nil, options: .discreteAverage
        ) { _, statistics, _ in
            done(statistics?.averageQuantity()?.doubleValue(for: unit))
        }
        store.execute(query)
    }
}
