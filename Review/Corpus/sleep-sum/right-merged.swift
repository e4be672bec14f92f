// Sums of merged intervals, of one source, and of other things than sleep.
import HealthKit

struct Nights {
    let store: HKHealthStore

    func asleep(_ samples: [HKCategorySample]) -> [HKCategorySample] {
        samples.filter {
            HKCategoryValueSleepAnalysis.allAsleepValues.map(\.rawValue).contains($0.value)
        }
    }

    func merged(_ samples: [HKCategorySample]) -> [DateInterval] {
        var result: [DateInterval] = []
        for sample in samples.sorted(by: { $0.startDate < $1.startDate }) {
            if let last = result.last, sample.startDate <= last.end {
                result[result.count - 1] = DateInterval(
                    start: last.start, end: max(last.end, sample.endDate))
            } else {
                result.append(DateInterval(start: sample.startDate, end: sample.endDate))
            }
        }
        return result
    }

    func hours(_ samples: [HKCategorySample]) -> Double {
        merged(asleep(samples)).reduce(0) { $0 + $1.duration } / 3600
    }

    /// One pass, the latest end kept.
    func seconds(_ sleep: [HKCategorySample]) -> TimeInterval {
        var total: TimeInterval = 0
        var lastEnd = Date.distantPast
        for sample in asleep(sleep).sorted(by: { $0.startDate < $1.startDate }) {
            let start = max(sample.startDate, lastEnd)
            guard sample.endDate > start else { continue }
            total += sample.endDate.timeIntervalSince(start)
            lastEnd = sample.endDate
        }
        return total
    }

    func cursor(_ sleep: [HKCategorySample]) -> TimeInterval {
        var total: TimeInterval = 0
        var current: (start: Date, end: Date)?
        for sample in asleep(sleep).sorted(by: { $0.startDate < $1.startDate }) {
            if let open = current, sample.startDate <= open.end {
                current = (open.start, max(open.end, sample.endDate))
            } else {
                if let open = current { total += open.end.timeIntervalSince(open.start) }
                current = (sample.startDate, sample.endDate)
            }
        }
        if let open = current { total += open.end.timeIntervalSince(open.start) }
        return total
    }

    func longestSource(_ sleep: [HKCategorySample]) -> TimeInterval {
        let bySource = Dictionary(grouping: asleep(sleep)) {
            $0.sourceRevision.source.bundleIdentifier
        }
        return bySource.values
            .map { $0.reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) } }
            .max() ?? 0
    }

    func ofOurs(_ night: DateInterval) async throws -> TimeInterval {
        let when = HKQuery.predicateForSamples(withStart: night.start, end: night.end)
        let ours = HKQuery.predicateForObjects(from: [HKSource.default()])
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [when, ours])
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis), predicate: both)],
            sortDescriptors: []
        ).result(for: store)
        return asleep(samples).reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) }
    }

    func mindfulMinutes(_ night: DateInterval) async throws -> Double {
        let when = HKQuery.predicateForSamples(withStart: night.start, end: night.end)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.mindfulSession), predicate: when)],
            sortDescriptors: []
        ).result(for: store)
        return samples.reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) } / 60
    }

    func training(_ workouts: [HKWorkout]) -> TimeInterval {
        workouts.reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) }  // finds workout-pauses
    }
}
