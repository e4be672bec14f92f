import HealthKit
final class HeartReader {
    private let store: HKHealthStore
    private let unit = HKUnit.count()
    init(store: HKHealthStore) { self.store = store }
    func beats(since start: Date) async throws -> [Double] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.quantitySample(
                type: HKQuantityType(.heartRate), predicate: HKQuery.predicateForSamples(withStart: start, end: nil))],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store).map { $0.quantity.doubleValue(for: unit) } // finds unit-mismatch
    }
}
