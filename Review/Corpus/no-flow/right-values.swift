// The value decides, or the samples are asked for by it.
import Foundation
import HealthKit

final class FlowReader {
    private let store: HKHealthStore
    private let flowType = HKCategoryType(.menstrualFlow)

    init(store: HKHealthStore) { self.store = store }

    func days(in period: NSPredicate) async throws -> [Date] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.categorySample(type: flowType, predicate: period)], sortDescriptors: [])
        return try await descriptor.result(for: store).compactMap { sample in
            sample.value == HKCategoryValueMenstrualFlow.none.rawValue ? nil : sample.startDate
        }
    }
}
