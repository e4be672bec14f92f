// Types that are read by another name, in a loop, or by the rings.
import HealthKit

final class Rings {
    let store: HKHealthStore
    static let types: Set<HKSampleType> = [
        HKQuantityType(.bodyMass), HKQuantityType(.height), HKCategoryType(.mindfulSession),
    ]

    init(store: HKHealthStore) { self.store = store }

    func authorize() async throws {
        try await store.requestAuthorization(toShare: [], read: Self.types)
    }

    func latest() async throws -> [HKSample] {
        var all: [HKSample] = []
        for type in Self.types {
            all += try await HKSampleQueryDescriptor(
                predicates: [.sample(type: type)],
                sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 1
            ).result(for: store)
        }
        return all
    }
}
