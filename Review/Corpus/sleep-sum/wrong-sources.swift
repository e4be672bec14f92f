// Stages of all trackers added up: a ring and a watch make two nights of one.
import HealthKit

extension HKCategorySample {
    var minutes: Double { endDate.timeIntervalSince(startDate) / 60 }

    var isSleep: Bool {
        switch HKCategoryValueSleepAnalysis(rawValue: value) {
        case .asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM: return true
        default: return false
        }
    }
}

struct NightReader {
    let store: HKHealthStore

    func night(_ range: DateInterval) async throws -> [HKCategorySample] {
        let when = HKQuery.predicateForSamples(withStart: range.start, end: range.end)
        let what = HKCategoryValueSleepAnalysis.predicateForSamples(
            equalTo: HKCategoryValueSleepAnalysis.allAsleepValues)
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [when, what])
        return try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis), predicate: both)],
            sortDescriptors: []
        ).result(for: store)
    }

    func hours(_ range: DateInterval) async throws -> Double {
        let samples = try await night(range)
        return samples.map(\.minutes).reduce(0, +) / 60  // finds sleep-sum
    }

    func filtered(_ samples: [HKCategorySample]) -> Double {
        let asleep = samples.filter(\.isSleep)
        return asleep.map { $0.endDate.timeIntervalSince($0.startDate) }.reduce(0, +)  // finds sleep-sum
    }

    func closures(_ samples: [HKCategorySample]) -> Double {
        samples.filter { $0.isSleep }.reduce(into: 0.0) { total, sample in
            total += sample.minutes  // finds sleep-sum
        }
    }

    func stages(_ samples: [HKCategorySample]) -> (core: Double, deep: Double, rem: Double) {
        var core = 0.0
        var deep = 0.0
        var rem = 0.0
        for sample in samples {
            let length = sample.endDate.timeIntervalSince(sample.startDate)
            switch HKCategoryValueSleepAnalysis(rawValue: sample.value) {
            case .asleepCore, .asleepUnspecified: core += length  // finds sleep-sum
            case .asleepDeep: deep += length
            case .asleepREM: rem += length
            default: break
            }
        }
        return (core, deep, rem)
    }

    func shares(of samples: [HKCategorySample]) -> [Int: TimeInterval] {
        var sleepShares: [Int: TimeInterval] = [:]
        for sample in samples where sample.value > 2 {
            sleepShares[sample.value, default: 0] += sample.endDate.timeIntervalSince(sample.startDate)  // finds sleep-sum
        }
        return sleepShares
    }
}
