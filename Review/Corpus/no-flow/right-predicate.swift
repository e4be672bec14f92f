// Samples without flow aren't fetched.
import Foundation
import HealthKit

final class FlowDays {
    private let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }

    func days(in period: NSPredicate) async throws -> [Date] {
        let bleeding = HKQuery.predicateForCategorySamples(with: .greaterThan, value: 1)
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [period, bleeding])
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.menstrualFlow), predicate: both)],
            sortDescriptors: [])
        return try await descriptor.result(for: store).map(\.startDate)
    }
}
