// Segments made of samples, whose stages are added up over all sources.
import HealthKit

struct SleepSegment: Identifiable {
    enum Stage: String, CaseIterable { case core, deep, rem, unspecified }

    let id: UUID
    let stage: Stage
    let start: Date
    let end: Date
    let source: String

    var duration: TimeInterval { end.timeIntervalSince(start) }
}

extension Array where Element == SleepSegment {
    func total(of stage: SleepSegment.Stage) -> TimeInterval {
        filter { $0.stage == stage }.map(\.duration).reduce(0, +)  // finds sleep-sum
    }

    var whole: TimeInterval {
        reduce(0) { $0 + $1.duration }  // finds sleep-sum
    }
}

struct SleepSegments {
    let store: HKHealthStore

    func load(_ night: DateInterval) async throws -> [SleepSegment] {
        let when = HKQuery.predicateForSamples(withStart: night.start, end: night.end)
        let samples = try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(.sleepAnalysis), predicate: when)],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        return samples.compactMap { sample in
            guard let stage = stage(sample.value) else { return nil }
            return SleepSegment(
                id: sample.uuid, stage: stage, start: sample.startDate, end: sample.endDate,
                source: sample.sourceRevision.source.name)
        }
    }

    private func stage(_ value: Int) -> SleepSegment.Stage? {
        switch HKCategoryValueSleepAnalysis(rawValue: value) {
        case .asleepCore: .core
        case .asleepDeep: .deep
        case .asleepREM: .rem
        case .asleepUnspecified: .unspecified
        default: nil
        }
    }

    func deep(_ night: DateInterval) async throws -> TimeInterval {
        var sum: TimeInterval = 0
        for segment in try await load(night) where segment.stage == .deep {
            sum += segment.duration  // finds sleep-sum
        }
        return sum
    }
}
