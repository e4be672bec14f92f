// Time in bed and time awake that end up in the hours of sleep.
import HealthKit

final class SleepReader {
    let store: HKHealthStore
    var hours = 0.0

    init(store: HKHealthStore) { self.store = store }

    private func range(_ night: DateInterval) -> NSPredicate {
        HKQuery.predicateForSamples(withStart: night.start, end: night.end, options: .strictEndDate)
    }

    func everything(night: DateInterval, completion: @escaping (TimeInterval) -> Void) {
        let type = HKCategoryType(.sleepAnalysis)
        let query = HKSampleQuery(
            sampleType: type, predicate: range(night), limit: HKObjectQueryNoLimit,
            sortDescriptors: nil
        ) { _, samples, _ in
            var total: TimeInterval = 0
            for item in samples ?? [] {
                if let sample = item as? HKCategorySample {
                    total += sample.endDate.timeIntervalSince(sample.startDate)  // finds sleep-sum
                }
            }
            completion(total)
        }
        store.execute(query)
    }

    func notAwake(night: DateInterval) async throws -> TimeInterval {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .categorySample(type: HKCategoryType(.sleepAnalysis), predicate: range(night))
            ],
            sortDescriptors: []
        ).result(for: store)
        let asleep = samples.filter { $0.value != HKCategoryValueSleepAnalysis.awake.rawValue }
        return asleep.reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) }  // finds sleep-sum
    }

    func notInBed(night: DateInterval) async throws -> Double {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .categorySample(type: HKCategoryType(.sleepAnalysis), predicate: range(night))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        var seconds = 0.0
        for sample in samples where sample.value != HKCategoryValueSleepAnalysis.inBed.rawValue {
            let length = sample.endDate.timeIntervalSince(sample.startDate)
            seconds += length  // finds sleep-sum
        }
        return seconds / 3600
    }

    func switched(night: DateInterval) {
        let query = HKSampleQuery(
            sampleType: HKCategoryType(.sleepAnalysis), predicate: range(night),
            limit: HKObjectQueryNoLimit, sortDescriptors: nil
        ) { [weak self] _, results, _ in
            guard let samples = results as? [HKCategorySample] else { return }
            var sum = 0.0
            samples.forEach { sample in
                switch HKCategoryValueSleepAnalysis(rawValue: sample.value) {
                case .inBed, .asleepUnspecified, .asleepCore, .asleepDeep, .asleepREM:
                    sum += self?.length(of: sample) ?? 0  // finds sleep-sum
                default: break
                }
            }
            DispatchQueue.main.async { self?.hours = sum / 3600 }
        }
        store.execute(query)
    }

    private func length(of sample: HKCategorySample) -> Double {
        sample.endDate.timeIntervalSince(sample.startDate)
    }

    func twoBranches(_ samples: [HKCategorySample]) -> Int {
        var minutes = 0
        for sample in samples {
            let part = Calendar.current.dateComponents(
                [.minute], from: sample.startDate, to: sample.endDate)
            if sample.value == HKCategoryValueSleepAnalysis.inBed.rawValue {
                minutes += part.minute ?? 0  // finds sleep-sum
            } else if sample.value == HKCategoryValueSleepAnalysis.asleepCore.rawValue {
                minutes += part.minute ?? 0
            }
        }
        return minutes
    }

    func skipping(_ sleep: [HKCategorySample]) -> TimeInterval {
        var asleep: TimeInterval = 0
        for index in 0..<sleep.count {
            let sample = sleep[index]
            if sample.value == HKCategoryValueSleepAnalysis.inBed.rawValue { continue }
            asleep = asleep + DateInterval(start: sample.startDate, end: sample.endDate).duration  // finds sleep-sum
        }
        return asleep
    }
}
