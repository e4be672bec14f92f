import Foundation
import HealthKit

enum SleepStage: String, Codable, Sendable {
    case awake, rem, core, deep, unspecified, inBed
    init?(_ value: HKCategoryValueSleepAnalysis) {
        switch value {
        case .inBed: self = .inBed
        case .awake: self = .awake
        case .asleepREM: self = .rem
        case .asleepCore: self = .core
        case .asleepDeep: self = .deep
        case .asleepUnspecified: self = .unspecified
        @unknown default: return nil
        }
    }
}

struct SleepNight: Sendable, Equatable {
    var interval: DateInterval
    var durations: [SleepStage: TimeInterval]
    var asleep: TimeInterval {
        [.rem, .core, .deep, .unspecified].compactMap { durations[$0] }.reduce(0, +)
    }
    var efficiency: Double { interval.duration > 0 ? asleep / interval.duration : 0 }
}

@available(iOS 16, macOS 13, *)
/// Computes nights from sleep stages, like a sleep tracker.
struct SleepService: Sendable {
    let store: HKHealthStore
    init(store: HKHealthStore) { self.store = store }

    func nights(from: Date, to: Date, preferring bundle: String? = nil) async throws -> [SleepNight]
    {
        let date = HKQuery.predicateForSamples(
            withStart: from, end: to, options: [.strictStartDate, .strictEndDate])
        let asleep = HKCategoryValueSleepAnalysis.predicateForSamples(
            equalTo: HKCategoryValueSleepAnalysis.allAsleepValues.union([.awake]))
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [date, asleep])
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .categorySample(type: HKCategoryType(.sleepAnalysis), predicate: predicate)
            ],
            sortDescriptors: [.init(\.startDate), .init(\.endDate, order: .reverse)]
        ).result(for: store)
        let chosen =
            bundle.map { b in samples.filter { $0.sourceRevision.source.bundleIdentifier == b } }
            ?? samples
        var sessions: [[HKCategorySample]] = []
        for sample in chosen {
            if let last = sessions.last?.map(\.endDate).max(),
                sample.startDate.timeIntervalSince(last) < 3600
            {
                sessions[sessions.endIndex - 1].append(sample)
            } else {
                sessions.append([sample])
            }
        }
        return sessions.compactMap { group in
            guard let start = group.first?.startDate, let end = group.map(\.endDate).max() else {
                return nil
            }
            let durations = Dictionary(grouping: group) {
                HKCategoryValueSleepAnalysis(rawValue: $0.value).flatMap(SleepStage.init)
                    ?? .unspecified
            }
            .mapValues { $0.reduce(0) { $0 + $1.endDate.timeIntervalSince($1.startDate) } }
            return SleepNight(interval: DateInterval(start: start, end: end), durations: durations)
        }
    }

    func write(stages: [(SleepStage, DateInterval)], timeZone: TimeZone) async throws {
        let samples = stages.map { stage, interval in
            let value: HKCategoryValueSleepAnalysis =
                switch stage {
                case .awake: .awake
                case .rem: .asleepREM
                case .core: .asleepCore
                case .deep: .asleepDeep
                case .unspecified: .asleepUnspecified
                case .inBed: .inBed
                }
            return HKCategorySample(
                type: HKCategoryType(.sleepAnalysis), value: value.rawValue, start: interval.start,
                end: interval.end, metadata: [HKMetadataKeyTimeZone: timeZone.identifier])
        }
        try await store.save(samples)
    }
}
