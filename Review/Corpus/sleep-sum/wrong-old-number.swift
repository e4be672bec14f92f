// Sleep samples chosen by the only old value, written as a number.
import HealthKit

final class SleepRows {
    func rows(_ samples: [HKCategorySample], key: String) -> [HKCategorySample] {
        var samples = samples
        if key == "SLEEP_IN_BED" {
            samples = samples.filter { $0.value == HKCategoryValueSleepAnalysis.inBed.rawValue }
        }
        if key == "SLEEP_ASLEEP" {
            samples = samples.filter { $0.value == 1 }  // finds sleep-sum
        }
        return samples
    }
}
