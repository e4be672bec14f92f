// Only the samples that begin a cycle count; others are deleted or looked for.
import Foundation
import HealthKit

final class CycleStarts {
    private let store: HKHealthStore
    private let flowType = HKCategoryType(.menstrualFlow)

    init(store: HKHealthStore) { self.store = store }

    func starts(in period: NSPredicate) async throws -> [Date] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.categorySample(type: flowType, predicate: period)], sortDescriptors: [])
        return try await descriptor.result(for: store)
            .filter { $0.metadata?[HKMetadataKeyMenstrualCycleStart] as? Bool == true }
            .map(\.startDate)
    }

    func hasAny(_ recent: NSPredicate, done: @escaping (Bool) -> Void) {
        let query = HKSampleQuery(
            sampleType: flowType, predicate: recent, limit: 1, sortDescriptors: nil
        ) { _, samples, _ in done(samples?.isEmpty == false) }
        store.execute(query)
    }

    func remove(in period: NSPredicate) async throws {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.categorySample(type: flowType, predicate: period)], sortDescriptors: [])
        let own = try await descriptor.result(for: store)
        try await store.delete(own)
    }
}
