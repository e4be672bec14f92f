// Only the value without a stage: nights of a watch since iOS 16 have none.
import HealthKit

final class OldSleep {
    let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func hours(since start: Date, completion: @escaping (Double) -> Void) {
        let range = HKQuery.predicateForSamples(withStart: start, end: nil)
        let query = HKSampleQuery(
            sampleType: HKCategoryType(.sleepAnalysis), predicate: range, limit: 100,
            sortDescriptors: nil
        ) { _, samples, _ in
            let asleep = (samples as? [HKCategorySample] ?? []).filter {
                $0.value == HKCategoryValueSleepAnalysis.asleep.rawValue
            }
            let seconds = asleep.reduce(0.0) { $0 + $1.endDate.timeIntervalSince($1.startDate) }  // finds sleep-sum
            completion(seconds / 3600)
        }
        store.execute(query)
    }

    static func accepts(_ sample: HKCategorySample, key: String) -> Bool {
        switch key {
        case "IN_BED": return sample.value == HKCategoryValueSleepAnalysis.inBed.rawValue
        case "ASLEEP": return sample.value == HKCategoryValueSleepAnalysis.asleep.rawValue  // finds sleep-sum
        default: return true
        }
    }

    func predicate() -> NSPredicate {
        HKQuery.predicateForCategorySamples(
            with: .equalTo, value: HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue)  // finds sleep-sum
    }

    func text(_ sample: HKCategorySample) -> String {
        HKCategoryValueSleepAnalysis(rawValue: sample.value) == .asleep ? "asleep" : "in bed"  // finds sleep-sum
    }

    func sum(_ sleep: [HKCategorySample]) -> Double {
        var total = 0.0
        for sample in sleep {
            guard sample.value == 1 else { continue }
            total += sample.endDate.timeIntervalSince(sample.startDate)  // finds sleep-sum
        }
        return total
    }
}
