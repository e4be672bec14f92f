// Totals that take one part of a night at a time, after parts that overlap were merged.
import HealthKit

struct MergedNight {
    private(set) var asleep: TimeInterval = 0
    private var lastEnd = Date.distantPast

    mutating func add(_ sample: HKCategorySample) {
        let start = max(sample.startDate, lastEnd)
        guard sample.endDate > start else { return }
        asleep += sample.endDate.timeIntervalSince(start)
        lastEnd = sample.endDate
    }
}

struct MindfulTotal {
    private(set) var seconds: TimeInterval = 0

    mutating func add(_ session: HKCategorySample) {
        seconds += session.endDate.timeIntervalSince(session.startDate)
    }
}

struct MergedReader {
    let store: HKHealthStore

    func night(_ range: NSPredicate) async throws -> MergedNight {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis), predicate: range)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        var night = MergedNight()
        for sample in samples { night.add(sample) }
        return night
    }

    func mindful(_ range: NSPredicate) async throws -> MindfulTotal {
        let sessions = try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.mindfulSession), predicate: range)],
            sortDescriptors: []
        ).result(for: store)
        var total = MindfulTotal()
        for session in sessions { total.add(session) }
        return total
    }
}
