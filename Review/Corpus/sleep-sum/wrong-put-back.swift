// Sums in an entry that the loop copies and puts back.
import HealthKit

struct NightTotal {
    var asleep: TimeInterval = 0
    var deep: TimeInterval = 0
}

final class NightTotals {
    private let store = HKHealthStore()
    private let sleepValues: Set<Int> = Set(
        HKCategoryValueSleepAnalysis.allAsleepValues.map(\.rawValue))

    func nights(since start: Date) async throws -> [Date: NightTotal] {
        let predicate = HKQuery.predicateForSamples(withStart: start, end: nil)
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .categorySample(type: HKCategoryType(.sleepAnalysis), predicate: predicate)
            ],
            sortDescriptors: [SortDescriptor(\.startDate)])
        var nights: [Date: NightTotal] = [:]
        for sample in try await descriptor.result(for: store)
        where sleepValues.contains(sample.value) {
            let day = Calendar.current.startOfDay(for: sample.endDate)
            var night = nights[day] ?? NightTotal()
            night.asleep += sample.endDate.timeIntervalSince(sample.startDate)  // finds sleep-sum
            nights[day] = night
        }
        return nights
    }
}
