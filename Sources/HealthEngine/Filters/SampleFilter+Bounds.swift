/// A range of start times and a range of end times. They contain the start and the end of every
/// sample that a filter can match.
package struct TimeBounds: Hashable, Sendable {
    /// A limit of a range.
    package struct Limit: Hashable, Sendable {
        /// The limit, in reference seconds.
        package var time: Double
        /// Whether the range includes the limit: `<=` instead of `<`.
        package var isIncluded: Bool

        package init(_ time: Double, isIncluded: Bool) {
            self.time = time
            self.isIncluded = isIncluded
        }
    }

    /// A range of times, unbounded where a limit is nil.
    package struct Range: Hashable, Sendable {
        /// The lower limit; nil if there is none.
        package var lower: Limit?
        /// The upper limit; nil if there is none.
        package var upper: Limit?

        package init(lower: Limit? = nil, upper: Limit? = nil) {
            self.lower = lower
            self.upper = upper
        }
    }

    /// The range of a sample's start.
    package var start: Range
    /// The range of a sample's end.
    package var end: Range

    /// Creates bounds.
    ///
    /// - Parameters:
    ///   - start: The range of a sample's start.
    ///   - end: The range of a sample's end.
    package init(start: Range = Range(), end: Range = Range()) {
        self.start = start
        self.end = end
    }

    /// Bounds that contain every sample.
    package static let unbounded = TimeBounds()
    /// Bounds that contain no sample.
    package static let empty = TimeBounds(
        start: Range(
            lower: Limit(.infinity, isIncluded: false),
            upper: Limit(-.infinity, isIncluded: false)))

    /// Whether the range of the start or the range of the end is empty. Then no sample can match.
    package var isEmpty: Bool { start.isEmpty || end.isEmpty }
}

extension TimeBounds.Range {
    /// Whether no time is in the range.
    package var isEmpty: Bool {
        guard let lower, let upper else { return false }
        return lower.time > upper.time
            || lower.time == upper.time && !(lower.isIncluded && upper.isIncluded)
    }

    /// Returns whether a time is in the range.
    ///
    /// - Parameter time: The time, in reference seconds. NaN is in unbounded ranges only.
    /// - Returns: Whether the range contains the time.
    package func contains(_ time: Double) -> Bool {
        let above = lower.map { time > $0.time || $0.isIncluded && time == $0.time } ?? true
        let below = upper.map { time < $0.time || $0.isIncluded && time == $0.time } ?? true
        return above && below
    }

    /// Returns the range of times that are in both ranges.
    func intersection(_ other: Self) -> Self {
        Self(
            lower: Self.tighter(lower, other.lower, >), upper: Self.tighter(upper, other.upper, <))
    }

    /// Returns the smallest range that contains both ranges.
    func hull(_ other: Self) -> Self {
        Self(lower: Self.looser(lower, other.lower, <), upper: Self.looser(upper, other.upper, >))
    }

    private static func tighter(
        _ a: TimeBounds.Limit?, _ b: TimeBounds.Limit?, _ wins: (Double, Double) -> Bool
    ) -> TimeBounds.Limit? {
        guard let a, let b else { return a ?? b }
        if a.time == b.time { return a.isIncluded ? b : a }
        return wins(a.time, b.time) ? a : b
    }

    private static func looser(
        _ a: TimeBounds.Limit?, _ b: TimeBounds.Limit?, _ wins: (Double, Double) -> Bool
    ) -> TimeBounds.Limit? {
        guard let a, let b else { return nil }
        if a.time == b.time { return a.isIncluded ? a : b }
        return wins(a.time, b.time) ? a : b
    }
}

extension TimeBounds {
    /// Returns bounds that contain exactly the samples that are in both bounds.
    func intersection(_ other: TimeBounds) -> TimeBounds {
        TimeBounds(start: start.intersection(other.start), end: end.intersection(other.end))
    }

    /// Returns the smallest bounds that contain all samples of either bounds.
    func hull(_ other: TimeBounds) -> TimeBounds {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return TimeBounds(start: start.hull(other.start), end: end.hull(other.end))
    }
}

extension SampleFilter {
    /// Bounds that contain every matching sample. They can also contain samples that do not match.
    package var timeBounds: TimeBounds { bounds(for: .matching) }

    /// The conditions of the filter that ``timeBounds`` do not imply. A sample in the bounds
    /// matches the filter if it matches these conditions.
    ///
    /// The result is `everything` if the filter only has such conditions as
    /// `predicateForSamples(withStart:end:options:)` creates.
    ///
    /// - Complexity: O(n) in the number of tests.
    package var residualFilter: SampleFilter {
        switch self {
        case .test(let attribute, let relation)
        where attribute.isTime && relation.range != nil:
            return .everything
        case .and(let filters):
            let rest = filters.map(\.residualFilter).filter { $0 != .everything }
            return rest.isEmpty ? .everything : rest.count == 1 ? rest[0] : .and(rest)
        default:
            return self
        }
    }

    /// The samples that bounds are computed for: those that match a filter, or those that do not.
    enum Side {
        case matching, failing
        var opposite: Side { self == .matching ? .failing : .matching }
    }

    /// Returns bounds that contain all samples that match the filter, or all that do not.
    private func bounds(for side: Side) -> TimeBounds {
        switch (self, side) {
        case (.nothing, .matching), (.everything, .failing): .empty
        case (.not(let filter), _): filter.bounds(for: side.opposite)
        case (.and(let filters), .matching), (.or(let filters), .failing):
            filters.reduce(.unbounded) { $0.intersection($1.bounds(for: side)) }
        case (.or(let filters), .matching), (.and(let filters), .failing):
            filters.reduce(.empty) { $0.hull($1.bounds(for: side)) }
        case (.test(.start, let relation), _):
            TimeBounds(start: relation.range(for: side))
        case (.test(.end, let relation), _):
            TimeBounds(end: relation.range(for: side))
        case (.test(.day, let relation), .matching):
            TimeBounds(start: relation.dayRange)
        default: .unbounded
        }
    }
}

extension SampleFilter.Attribute {
    fileprivate var isTime: Bool { self == .start || self == .end }
}

extension SampleFilter.Relation {
    /// The times for which the relation is true, for comparisons other than `!=` and for `between`;
    /// nil for other relations and for NaN.
    fileprivate var range: TimeBounds.Range? {
        switch self {
        case .compare(let comparison, .date(let time)) where !time.isNaN:
            comparison.range(around: time)
        case .between(.date(let lowest), .date(let highest)) where !(lowest + highest).isNaN:
            TimeBounds.Range(
                lower: .init(lowest, isIncluded: true), upper: .init(highest, isIncluded: true))
        default: nil
        }
    }

    /// A range that contains the start, in any time zone, of every day for which the relation is
    /// true. It extends from one day before to one day after those starts in UTC.
    fileprivate var dayRange: TimeBounds.Range {
        func limit(_ text: String, _ days: Int) -> TimeBounds.Limit? {
            CivilDate(text).map { .init(Double(($0.dayNumber + days) * 86_400), isIncluded: true) }
        }
        switch self {
        case .compare(.equal, .string(let day)):
            return .init(lower: limit(day, -1), upper: limit(day, 1))
        case .compare(.less, .string(let day)), .compare(.atMost, .string(let day)):
            return .init(upper: limit(day, 1))
        case .compare(.greater, .string(let day)), .compare(.atLeast, .string(let day)):
            return .init(lower: limit(day, -1))
        case .between(.string(let first), .string(let last)):
            return .init(lower: limit(first, -1), upper: limit(last, 1))
        default: return .init()
        }
    }

    /// Returns a range that contains all times for which the relation is true (`matching`), or all
    /// times for which it is false (`failing`).
    fileprivate func range(for side: SampleFilter.Side) -> TimeBounds.Range {
        switch (self, side) {
        case (.compare(let comparison, .date(let time)), .failing) where !time.isNaN:
            comparison.opposite.range(around: time) ?? .init()
        case (_, .failing): .init()
        case (_, .matching): range ?? .init()
        }
    }
}

extension SampleFilter.Comparison {
    /// The comparison that is true when this one is false. NaN and missing values, for which both
    /// can be false, are an exception.
    var opposite: Self {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .less: .atLeast
        case .atLeast: .less
        case .greater: .atMost
        case .atMost: .greater
        }
    }

    fileprivate func range(around time: Double) -> TimeBounds.Range? {
        let (open, closed) = (
            TimeBounds.Limit(time, isIncluded: false), TimeBounds.Limit(time, isIncluded: true)
        )
        return switch self {
        case .equal: .init(lower: closed, upper: closed)
        case .notEqual: nil
        case .less: .init(upper: open)
        case .atMost: .init(upper: closed)
        case .greater: .init(lower: open)
        case .atLeast: .init(lower: closed)
        }
    }
}
