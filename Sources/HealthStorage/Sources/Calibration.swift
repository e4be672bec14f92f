public import HealthEngine

/// The source order and exclusions of a type that best reproduce the totals that the Health app
/// shows.
///
/// Apple doesn't document how overlaps are resolved, so the displayed totals are the only reference
/// (Semantics §1.3, §1.8).
public struct Calibration: Sendable {
    /// A day's total as the Health app shows it.
    public struct DisplayedTotal: Hashable, Sendable {
        /// The day, in the time zone of the calendar that the calibration uses.
        public var day: CivilDate
        /// The displayed total, in the calibration's unit.
        public var value: Double
        /// The number of decimal places displayed.
        public var digits: Int

        /// Creates a displayed total.
        ///
        /// - Parameters:
        ///   - day: The day.
        ///   - value: The displayed total.
        ///   - digits: The number of decimal places displayed.
        public init(_ day: CivilDate, _ value: Double, digits: Int = 0) {
            self.day = day
            self.value = value
            self.digits = digits
        }

        /// One unit of the last displayed digit.
        var step: Double { (0..<digits).reduce(1) { step, _ in step / 10 } }

        /// Returns the distance of a total from the range of totals that the app may display as the
        /// value; 0 inside the range.
        ///
        /// The app rounds sums of counts down (Semantics §1.6). Its rounding of other sums is not
        /// known, so the range covers rounding to nearest as well: from half a step below the value
        /// to one step above it.
        func distance(to total: Double) -> Double {
            let (low, high) = (value - step / 2, value + step)
            let epsilon = 1e-9 * max(1, abs(value))
            if total < low - epsilon { return low - total }
            return total < high + epsilon ? 0 : total - high
        }
    }

    /// A source order with exclusions and a gap tolerance.
    public struct Setting: Hashable, Sendable {
        /// The included sources with data on the days, highest priority first.
        public var order: [Source]
        /// The excluded sources with data on the days.
        public var excluded: [Source]
        /// `StatisticsRules.gapTolerance`, in seconds.
        public var gapTolerance: Double

        public init(order: [Source], excluded: [Source] = [], gapTolerance: Double = 0) {
            self.order = order
            self.excluded = excluded
            self.gapTolerance = gapTolerance
        }
    }

    /// The totals that a setting gives.
    public struct Outcome: Hashable, Sendable {
        /// The setting.
        public var setting: Setting
        /// The totals, by day.
        public var totals: [Double]
        /// The totals minus the displayed values, by day.
        public var residuals: [Double]
        /// Whether the total matches the displayed value, by day.
        public var fits: [Bool]
        /// The sum over all days of the distance from the range of totals that match; 0 if all
        /// match.
        public var distance: Double

        /// Whether the totals of all days match.
        public var fitsEveryDay: Bool { fits.allSatisfy { $0 } }
    }

    /// How much of the search space was covered.
    public enum Coverage: Hashable, Sendable {
        /// All orders of all subsets of the sources were tried.
        case complete
        /// Only settings near the current one were tried, and near the one that includes all
        /// sources, because there are too many sources for all orders. A step of the search swaps
        /// adjacent sources, or excludes or includes one source.
        case local
    }

    /// A difference between settings that match equally well.
    public enum Ambiguity: Hashable, Sendable {
        /// Whether the source is included.
        case participation(Source)
        /// Which of two sources has the higher priority.
        case order(Source, Source)
    }

    /// The type.
    public var type: SampleType
    /// The unit of all amounts.
    public var unit: String
    /// The displayed totals, in order of day.
    public var displayedTotals: [DisplayedTotal]
    /// The result of the current setting.
    public var current: Outcome
    /// The best result with a gap tolerance of 0. Its setting can be saved, unlike one with a gap
    /// tolerance. Of equally good settings, it is the one with the fewest changes from the current
    /// setting.
    public var best: Outcome
    /// The number of other settings that match as well as the best one.
    public var ties: Int
    /// The differences between these settings and the best one; empty without ties.
    public var ambiguities: [Ambiguity]
    /// The best result with a gap tolerance, if it is closer than ``best``; otherwise nil.
    public var withTolerance: Outcome?
    /// The number of settings tried.
    public var settingsTried: Int
    /// How much of the search space was covered.
    public var coverage: Coverage
    /// Sources of day totals (Semantics §1.11) with data on the days that the current setting
    /// excludes.
    public var dayTotals: [Source]

    /// Whether the best setting is the current one.
    public var keepsCurrent: Bool { best.setting == current.setting }

    /// The changes that make the best setting current; nil if it is the current one.
    public var proposal: SourceOrderProposal? {
        if keepsCurrent { return nil }
        var proposal = SourceOrderProposal()
        let identifiers = best.setting.order.map(\.bundleIdentifier)
        if identifiers
            != current.setting.order.filter(best.setting.order.contains)
            .map(\.bundleIdentifier)
            || best.setting.order.contains(where: current.setting.excluded.contains)
        {
            proposal.order = identifiers
        }
        for source in best.setting.excluded where !current.setting.excluded.contains(source) {
            proposal.participation[source.bundleIdentifier] = .excluded
        }
        for source in current.setting.excluded where !best.setting.excluded.contains(source) {
            proposal.participation[source.bundleIdentifier] = .included
        }
        return proposal
    }
}

/// An error in the input of a calibration. Contains no health values.
public enum CalibrationError: Error, Hashable, CustomStringConvertible {
    /// No day was given.
    case noDays
    /// The type, given by name, isn't cumulative.
    case notSummed(String)
    /// The time zone has no such day.
    case noSuchDay(CivilDate, zone: String)
    /// The day is given more than once.
    case duplicateDay(CivilDate)
    /// The day begins after the current time.
    case future(CivilDate)
    /// No source has data of the type on the day.
    case noData(CivilDate, type: String)
    /// The value is negative or not finite.
    case invalidAmount(CivilDate)

    public var description: String {
        switch self {
        case .noDays: "No days given."
        case .notSummed(let type): "\(type) is not summed, so the order of sources has no effect."
        case .noSuchDay(let day, let zone): "The day \(day) doesn't exist in \(zone)."
        case .duplicateDay(let day): "\(day) is given twice."
        case .future(let day): "\(day) is in the future."
        case .noData(let day, let type):
            "The store has no \(type) on \(day). Choose another day, or import a newer export."
        case .invalidAmount(let day): "The amount of \(day) must be 0 or more."
        }
    }
}
