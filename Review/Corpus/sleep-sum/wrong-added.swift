// Totals of a night that take one sample at a time.
import HealthKit

struct NightTotals {
    private(set) var asleep: TimeInterval = 0
    private(set) var stages: [HKCategoryValueSleepAnalysis: TimeInterval] = [:]

    mutating func add(_ sample: HKCategorySample) {
        guard let stage = HKCategoryValueSleepAnalysis(rawValue: sample.value),
            HKCategoryValueSleepAnalysis.allAsleepValues.contains(stage)
        else { return }
        let length = sample.endDate.timeIntervalSince(sample.startDate)
        asleep += length  // finds sleep-sum
        stages[stage, default: 0] += length
    }
}

final class StageCounter {
    private var deep: TimeInterval = 0

    func count(_ part: HKCategorySample) {
        guard part.value == HKCategoryValueSleepAnalysis.asleepDeep.rawValue else { return }
        deep += part.endDate.timeIntervalSince(part.startDate)  // finds sleep-sum
    }
}

struct NightReader {
    let store: HKHealthStore

    private func night(_ range: NSPredicate) async throws -> [HKCategorySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis), predicate: range)],
            sortDescriptors: []
        ).result(for: store)
    }

    func totals(_ range: NSPredicate) async throws -> NightTotals {
        var totals = NightTotals()
        for sample in try await night(range) { totals.add(sample) }
        return totals
    }

    func count(_ range: NSPredicate, with counter: StageCounter) async throws {
        let samples = try await night(range)
        samples.forEach { counter.count($0) }
    }
}
