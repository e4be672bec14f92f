/// Consecutive days on which a metric was outside its typical range, all on the same side of it.
///
/// Such a departure starts with a day and has at least three days. All of them have a value, and each
/// value is beyond the typical range of the 28 days before the first of them by at least a quarter of
/// the range's width, and by at least the smallest difference that is shown. At least 14 of the 28 days
/// have a value. The next day that isn't as far out, or that has no value, ends the departure.
///
/// A departure of fewer than five days is also beyond the range by three quarters of its width on average.
/// Without this, one of twelve years of values that only vary by chance had two departures or more; with it,
/// one of two hundred.
package struct RangeDeparture: Hashable, Sendable {
    /// The side of the typical range.
    package enum Side: Hashable, Sendable { case below, above }

    package var side: Side
    /// The positions of the days in the values.
    package var days: Range<Int>
    /// The typical range of the 28 days before.
    package var typicalRange: TypicalRange

    /// The number of days that the typical range is computed from, with or without a value.
    package static let comparedDays = 28
    /// The minimum number of them that have a value.
    static let minimumDays = 14
    /// The minimum length of a departure, in days.
    package static let minimumLength = 3
    /// From this length on, a quarter of the range's width is enough.
    static let certainLength = 5
    /// The average distance from the range of a shorter departure, as a share of the range's width.
    static let averageShare = 0.75

    /// Finds the departures in the values of consecutive days. They don't overlap.
    ///
    /// - Parameters:
    ///   - values: The value of each day; nil without data. Values that aren't finite count as nil.
    ///   - resolution: The smallest difference that is shown, such as 1 for beats per minute.
    /// - Returns: The departures in order of time.
    /// - Complexity: O(*n*) in the number of days.
    package static func all(in values: [Double?], resolution: Double) -> [RangeDeparture] {
        var found: [RangeDeparture] = []
        var day = 0
        while day + minimumLength <= values.count {
            if let departure = RangeDeparture(in: values, from: day, resolution: resolution) {
                found.append(departure)
                day = departure.days.upperBound
            } else {
                day += 1
            }
        }
        return found
    }

    /// Creates the departure that starts on a day; nil if none does.
    private init?(in values: [Double?], from first: Int, resolution: Double) {
        let before = values[max(0, first - Self.comparedDays)..<first].compactMap(\.self)
        guard before.count(where: \.isFinite) >= Self.minimumDays,
            let range = TypicalRange(of: before),
            let side = range.side(of: values[first], resolution: resolution)
        else { return nil }
        let rest = values[first...]
        let end =
            rest.firstIndex { range.side(of: $0, resolution: resolution) != side }
            ?? values.endIndex
        guard end - first >= Self.minimumLength,
            end - first >= Self.certainLength
                || range.distance(of: values[first..<end].compactMap(\.self), side)
                    >= Self.averageShare * (range.high - range.low)
        else { return nil }
        (self.side, days, typicalRange) = (side, first..<end, range)
    }
}

extension TypicalRange {
    /// Returns the side on which a value is beyond the range by at least a quarter of its width and at
    /// least the resolution; nil if it isn't, and for a value that is missing or not finite.
    fileprivate func side(of value: Double?, resolution: Double) -> RangeDeparture.Side? {
        guard let value, value.isFinite else { return nil }
        let margin = max(high / 4 - low / 4, resolution)
        if value <= low - margin { return .below }
        if value >= high + margin { return .above }
        return nil
    }

    /// Returns how far the average of values is beyond the range.
    fileprivate func distance(of values: [Double], _ side: RangeDeparture.Side) -> Double {
        let average = values.reduce(0) { $0 + $1 / Double(values.count) }
        return side == .above ? average - high : low - average
    }
}
