public import Foundation
import HealthEngine

extension Collection where Element: HKCategorySample {
    /// Merges sleep samples of all sources into at most one night per day, and its naps.
    ///
    /// The rules are those of ``SleepNights``. Samples of other types are ignored.
    ///
    /// ```swift
    /// let nights = sleep.nights(in: .current)
    /// nights.last?.asleep   // 25,200: seven hours, however many trackers recorded them
    /// ```
    /// HealthKit doesn't report when a sample was saved. Where stages of one source overlap, awake
    /// therefore takes precedence over REM, deep, core and unspecified sleep (Semantics §10.7c).
    /// For complete nights, include the samples of the evening before.
    ///
    /// - Parameters:
    ///   - order: Sources in order of priority, the highest first, as for `timeline(order:until:)`.
    ///   - calendar: The calendar, whose time zone determines the days; when travelling, use the
    ///     zone of the place of sleep.
    ///   - cut: The local hour that separates the sleep of two days, 0 to 23; see
    ///     ``SleepNights/Rules/cut``.
    ///   - end: Where samples of undetermined duration end.
    /// - Returns: The nights in order.
    /// - Complexity: O(n log n + n · sources).
    public func nights(
        order: [HKSource] = [], in calendar: Calendar, cut: Int = 18, until end: Date = .now
    ) -> [SleepNight] {
        mergedNights(
            order: order, rules: SleepNights.Rules(calendar: calendar, cut: cut, horizon: end)
        ).nights
    }

    /// Merges sleep samples as ``nights(order:in:cut:until:)`` does, with all rules.
    ///
    /// - Parameters:
    ///   - order: Sources in order of priority, the highest first.
    ///   - rules: The time zone and the limits.
    /// - Returns: The nights, and the numbers of skipped samples.
    /// - Complexity: O(n log n + n · sources).
    public func mergedNights(order: [HKSource] = [], rules: SleepNights.Rules) -> SleepNights {
        let type = HKCategoryType(.sleepAnalysis).identifier
        let samples = filter { $0.sampleType.identifier == type }
        let sources = samples.rankedSources(preferring: order)
        let places = Dictionary(uniqueKeysWithValues: zip(sources, sources.indices))
        // Consecutive samples mostly share a source revision.
        var known: (revision: HKSourceRevision, place: Int)?
        let records = samples.map { sample in
            let revision = sample.sourceRevision
            let place =
                known?.revision === revision
                ? known?.place ?? -1 : places[revision.source] ?? -1
            known = (revision, place)
            return SleepRecord(
                start: sample.startDate, end: sample.endDate, stage: SleepStage(raw: sample.value),
                source: place)
        }
        return SleepNights(records, sources: sources.distinctNames, rules: rules)
    }
}

extension SleepStage {
    /// Creates the stage of a `HKCategoryValueSleepAnalysis` (Semantics §10.6); nil for unknown
    /// values.
    init?(raw value: Int) {
        switch value {
        case HKCategoryValueSleepAnalysis.inBed.rawValue: self = .inBed
        case HKCategoryValueSleepAnalysis.asleepUnspecified.rawValue: self = .asleep
        case HKCategoryValueSleepAnalysis.awake.rawValue: self = .awake
        case HKCategoryValueSleepAnalysis.asleepCore.rawValue: self = .core
        case HKCategoryValueSleepAnalysis.asleepDeep.rawValue: self = .deep
        case HKCategoryValueSleepAnalysis.asleepREM.rawValue: self = .rem
        default: return nil
        }
    }
}

extension [HKSource] {
    /// The sources' names; with the bundle identifier in parentheses where several have the same
    /// name.
    var distinctNames: [String] {
        let counts = Dictionary(map { ($0.name, 1) }, uniquingKeysWith: +)
        return map { source in
            counts[source.name] == 1 ? source.name : "\(source.name) (\(source.bundleIdentifier))"
        }
    }
}
