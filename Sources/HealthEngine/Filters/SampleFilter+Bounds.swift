/// What start and end of a sample must be for a filter to match at all.
public struct TimeBounds: Hashable, Sendable {
    /// One end of a range, in reference seconds.
    public struct Limit: Hashable, Sendable {
        public var time: Double
        /// Whether the moment itself is in the range: `<=` against `<`.
        public var isIncluded: Bool

        public init(_ time: Double, isIncluded: Bool) {
            self.time = time
            self.isIncluded = isIncluded
        }
    }

    /// A range of moments, open where a limit is nil.
    public struct Range: Hashable, Sendable {
        public var lower: Limit?
        public var upper: Limit?

        public init(lower: Limit? = nil, upper: Limit? = nil) {
            self.lower = lower
            self.upper = upper
        }
    }

    public var start: Range
    public var end: Range

    public init(start: Range = Range(), end: Range = Range()) {
        self.start = start
        self.end = end
    }

    /// Every sample is within.
    public static let unbounded = TimeBounds()
    /// No sample is.
    public static let empty = TimeBounds(
        start: Range(
            lower: Limit(.infinity, isIncluded: false),
            upper: Limit(-.infinity, isIncluded: false)))

    /// Whether no moment is left for start or end.
    public var isEmpty: Bool { start.isEmpty || end.isEmpty }
}

extension TimeBounds.Range {
    /// Whether the limits leave no moment between them.
    public var isEmpty: Bool {
        guard let lower, let upper else { return false }
        return lower.time > upper.time
            || lower.time == upper.time && !(lower.isIncluded && upper.isIncluded)
    }

    /// Whether a moment is within.
    public func contains(_ time: Double) -> Bool {
        let above = lower.map { time > $0.time || $0.isIncluded && time == $0.time } ?? true
        let below = upper.map { time < $0.time || $0.isIncluded && time == $0.time } ?? true
        return above && below
    }

    func intersection(_ other: Self) -> Self {
        Self(
            lower: Self.tighter(lower, other.lower, >), upper: Self.tighter(upper, other.upper, <))
    }

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
    func intersection(_ other: TimeBounds) -> TimeBounds {
        TimeBounds(start: start.intersection(other.start), end: end.intersection(other.end))
    }

    func hull(_ other: TimeBounds) -> TimeBounds {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return TimeBounds(start: start.hull(other.start), end: end.hull(other.end))
    }
}

extension SampleFilter {
    /// Bounds that every matching sample keeps; samples within them need not match.
    ///
    /// - Complexity: O(n) in the number of tests.
    public var timeBounds: TimeBounds { bounds(for: .matching) }

    /// What is left to ask of samples that keep ``timeBounds``: `everything` where the bounds say
    /// it all, as they do for `predicateForSamples(withStart:end:options:)`.
    public var beyondTimeBounds: SampleFilter {
        switch self {
        case .test(let attribute, let relation)
        where attribute.isTime && relation.range != nil:
            return .everything
        case .and(let filters):
            let rest = filters.map(\.beyondTimeBounds).filter { $0 != .everything }
            return rest.isEmpty ? .everything : rest.count == 1 ? rest[0] : .and(rest)
        default:
            return self
        }
    }

    /// The side of a filter that is asked for: what matches it, or what doesn't.
    enum Side {
        case matching, failing
        var opposite: Side { self == .matching ? .failing : .matching }
    }

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
    /// The moments of which this is true, if they are one range and nothing else.
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

    /// A range that holds the midnights of all days of which this is true, wherever they are reckoned:
    /// a day more on either side.
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

    /// A range that holds all moments for which this is true, or false.
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
    /// What is true where this is false, of values that can be compared.
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
