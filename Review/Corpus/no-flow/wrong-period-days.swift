// Every sample of menstrual flow counts as a day of bleeding.
import Foundation
import HealthKit

final class PeriodReader {
    private let store: HKHealthStore
    private let flowType = HKCategoryType(.menstrualFlow)
    private let calendar = Calendar.current

    init(store: HKHealthStore) { self.store = store }

    func days(in period: NSPredicate) async throws -> Set<Date> {
        let descriptor = HKSampleQueryDescriptor(  // finds no-flow
            predicates: [.categorySample(type: flowType, predicate: period)],
            sortDescriptors: [SortDescriptor(\.startDate)])
        let samples = try await descriptor.result(for: store)
        return Set(samples.map { calendar.startOfDay(for: $0.startDate) })
    }

    /// Sleep is another matter.
    func minutesAsleep(_ samples: [HKCategorySample]) -> Double {
        samples.filter { $0.value != HKCategoryValueSleepAnalysis.awake.rawValue }  // finds sleep-sum
            .reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) / 60 }
    }
}
