public import Foundation
import HealthEngine

extension Collection where Element: HKCategorySample {
    /// One night a day out of the sleep samples of all sources, naps apart; the rules are those of
    /// ``SleepNights``. Samples of other types are left out.
    ///
    /// ```swift
    /// let nights = sleep.nights(in: .current)
    /// nights.last?.asleep   // 25,200: seven hours, however many trackers recorded them
    /// ```
    /// HealthKit doesn't show when a sample was saved, so where a source contradicts itself awake
    /// holds before REM, deep, core, and asleep in some way (Semantics §10.7c). For whole
    /// nights give every sample that touches a day: its sleep may have begun the evening before.
    ///
    /// - Parameters:
    ///   - order: Sources, the winner first; as for `timeline(order:until:)`.
    ///   - calendar: Its zone says where days begin; on a journey, that of where one slept.
    ///   - cut: The hour that parts the days, 0 to 23: ``SleepNights/Rules/cut``.
    ///   - end: Where samples of undetermined duration end.
    /// - Complexity: O(n log n + n · sources).
    public func nights(
        order: [HKSource] = [], in calendar: Calendar, cut: Int = 18, until end: Date = .now
    ) -> [SleepNight] {
        settledNights(
            order: order, rules: SleepNights.Rules(calendar: calendar, cut: cut, horizon: end)
        ).nights
    }

    /// ``nights(order:in:cut:until:)`` with all rules, and with what took no part.
    public func settledNights(order: [HKSource] = [], rules: SleepNights.Rules) -> SleepNights {
        let type = HKCategoryType(.sleepAnalysis).identifier
        let samples = filter { $0.sampleType.identifier == type }
        let sources = samples.rankedSources(preferring: order)
        let places = Dictionary(uniqueKeysWithValues: zip(sources, sources.indices))
        // Most samples share the revision of the one before.
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
    /// The stage of a `HKCategoryValueSleepAnalysis` (Semantics §10.6); nil for values of
    /// later systems.
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
    /// Their names; the bundle identifier with those that several share.
    var distinctNames: [String] {
        let counts = Dictionary(map { ($0.name, 1) }, uniquingKeysWith: +)
        return map { source in
            counts[source.name] == 1 ? source.name : "\(source.name) (\(source.bundleIdentifier))"
        }
    }
}
