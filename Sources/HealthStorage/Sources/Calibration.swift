public import HealthEngine

/// Which settings of a type's sources give the totals that a person's Health app shows.
///
/// How Apple settles overlaps is not documented, so the one judge is what the app itself shows
/// (Semantics §1.3, §1.8).
public struct Calibration: Sendable {
    /// What the Health app shows for a day.
    public struct Shown: Hashable, Sendable {
        public var day: CivilDate
        public var value: Double
        /// How many digits behind the point the app shows.
        public var digits: Int

        public init(_ day: CivilDate, _ value: Double, digits: Int = 0) {
            self.day = day
            self.value = value
            self.digits = digits
        }

        /// One in the last digit shown.
        var step: Double { (0..<digits).reduce(1) { step, _ in step / 10 } }

        /// By how much a total misses what is shown; 0 if the app could show it so. It rounds sums
        /// of counts down (Semantics §1.6), and nobody knows how it rounds others.
        func miss(_ total: Double) -> Double {
            let (low, high) = (value - step / 2, value + step)
            let slack = 1e-9 * max(1, abs(value))
            if total < low - slack { return low - total }
            return total < high + slack ? 0 : total - high
        }
    }

    /// One way to count.
    public struct Setting: Hashable, Sendable {
        /// Those that take part, the winner first.
        public var order: [Source]
        /// Those with data on the days that take no part.
        public var excluded: [Source]
        /// ``StatisticsRules/gapTolerance``, in seconds.
        public var gapTolerance: Double

        public init(order: [Source], excluded: [Source] = [], gapTolerance: Double = 0) {
            self.order = order
            self.excluded = excluded
            self.gapTolerance = gapTolerance
        }
    }

    /// What a setting gives.
    public struct Outcome: Hashable, Sendable {
        public var setting: Setting
        /// By day.
        public var totals: [Double]
        /// Totals less what is shown, by day.
        public var residuals: [Double]
        /// Whether the app could show the day's total so, by day.
        public var fits: [Bool]
        /// By how much all days together miss what is shown; 0 if all fit.
        public var miss: Double

        /// Whether it gives what was shown on every day.
        public var fitsEveryDay: Bool { fits.allSatisfy { $0 } }
    }

    /// How far the search went.
    public enum Reach: Hashable, Sendable {
        /// Every order of every choice of sources.
        case everySetting
        /// From the order in force by exchanging neighbours and leaving single sources out or in:
        /// there were too many sources for more.
        case neighbours
    }

    /// What all settings that fit equally well leave open.
    public enum Undecided: Hashable, Sendable {
        /// Whether the source takes part.
        case participation(Source)
        /// Which of two sources wins.
        case order(Source, Source)
    }

    public var type: SampleType
    /// The unit of all amounts.
    public var unit: String
    /// In order of time.
    public var shown: [Shown]
    /// The setting in force.
    public var current: Outcome
    /// The best setting without a gap tolerance, so that it can be adopted; of several that fit
    /// equally well the one that changes least.
    public var best: Outcome
    /// How many other settings fit as well as the best one on these days.
    public var ties: Int
    /// What they leave open; empty without ties.
    public var undecided: [Undecided]
    /// The best setting with a gap tolerance, if it fits better than ``best``.
    public var withTolerance: Outcome?
    /// How many settings were tried.
    public var tried: Int
    public var reach: Reach
    /// Sources of day totals among those that the setting in force excludes.
    public var dayTotals: [Source]

    /// Whether no setting fits better than the one in force.
    public var keepsCurrent: Bool { best.setting == current.setting }

    /// What makes the best setting the one in force; nil if it is.
    public var arrangement: SourceArrangement? {
        if keepsCurrent { return nil }
        var arrangement = SourceArrangement()
        let identifiers = best.setting.order.map(\.bundleIdentifier)
        if identifiers
            != current.setting.order.filter(best.setting.order.contains)
            .map(\.bundleIdentifier)
            || best.setting.order.contains(where: current.setting.excluded.contains)
        {
            arrangement.order = identifiers
        }
        for source in best.setting.excluded where !current.setting.excluded.contains(source) {
            arrangement.participation[source.bundleIdentifier] = .excluded
        }
        for source in current.setting.excluded where !best.setting.excluded.contains(source) {
            arrangement.participation[source.bundleIdentifier] = .included
        }
        return arrangement
    }
}

/// Why a calibration can't begin. Holds no health value.
public enum CalibrationError: Error, Hashable, CustomStringConvertible {
    /// No day was given.
    case noDays
    /// A type that isn't summed.
    case notSummed(String)
    /// The calendar's zone skipped that day.
    case noSuchDay(CivilDate, zone: String)
    case givenTwice(CivilDate)
    case future(CivilDate)
    /// No source recorded the type on that day.
    case noData(CivilDate, type: String)
    /// A value below zero or without end.
    case notAnAmount(CivilDate)

    public var description: String {
        switch self {
        case .noDays: "Say what the Health app shows for a day, as 2024-03-10=8432."
        case .notSummed(let type): "\(type) is not summed, so no order of sources changes it."
        case .noSuchDay(let day, let zone): "There was no \(day) in \(zone)."
        case .givenTwice(let day): "\(day) is given twice."
        case .future(let day): "\(day) has not begun yet."
        case .noData(let day, let type):
            "The store has no \(type) on \(day); choose a day that it has, or import a newer export."
        case .notAnAmount(let day): "The amount of \(day) must be a number from 0 on."
        }
    }
}
