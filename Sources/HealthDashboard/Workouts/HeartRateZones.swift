import Foundation
public import HealthEngine

/// The time of a workout in five zones of heart rate, from 50 % to 100 % of the highest heart rate
/// of about a year.
public struct HeartRateZones: Hashable, Sendable, Codable {
    /// A tenth of the maximum.
    public struct Zone: Hashable, Sendable, Codable {
        /// The lower bound in beats per minute, which is part of the zone.
        public var low: Double
        /// The upper bound in beats per minute, which is part of the next zone. The last zone also
        /// contains higher heart rates.
        public var high: Double
        /// The time in the zone, in seconds.
        public var seconds: Double

        public init(low: Double, high: Double, seconds: Double) {
            self.low = low
            self.high = high
            self.seconds = seconds
        }
    }

    /// The highest heart rate, in beats per minute, from which the zones are computed.
    public var maximum: Double
    /// The first day of the months in which the highest heart rate was looked for.
    public var first: CivilDate
    /// The last day of these months.
    public var last: CivilDate
    /// The five zones, the lowest first.
    public var zones: [Zone]
    /// The time below the lowest zone, in seconds.
    public var below: Double

    public init(
        maximum: Double, first: CivilDate, last: CivilDate, zones: [Zone], below: Double
    ) {
        self.maximum = maximum
        self.first = first
        self.last = last
        self.zones = zones
        self.below = below
    }
}

extension HeartRateZones {
    /// The number of zones.
    static let count = 5
    /// A value lasts until the next one, but at most this many seconds after the end of its bucket.
    static let longestGap = 60.0

    /// Computes the time in each zone; nil without a heart rate or without a maximum.
    ///
    /// - Parameters:
    ///   - heartRate: The heart rate during the workout, in buckets in order of time. Each counts
    ///     with its average, until the next bucket begins, but at most a minute after its end.
    ///   - maximum: The highest heart rate, in beats per minute.
    ///   - days: The days in which the highest heart rate was looked for.
    init?(
        of heartRate: [HealthSeries.Point], maximum: Double, in days: ClosedRange<CivilDate>
    ) {
        let known = heartRate.filter { $0.value?.isFinite ?? false }
        guard !known.isEmpty, maximum.isFinite, maximum > 0 else { return nil }
        func bound(_ tenths: Int) -> Double { maximum * Double(tenths) / 10 }
        self.init(
            maximum: maximum, first: days.lowerBound, last: days.upperBound,
            zones: (0..<Self.count).map { index in
                Zone(low: bound(index + 5), high: bound(index + 6), seconds: 0)
            }, below: 0)
        for (index, point) in known.enumerated() {
            let next = index + 1 < known.count ? known[index + 1].start : point.end
            let end = min(next, point.end + Self.longestGap)
            let seconds = max(0, end.timeIntervalSince(point.start))
            if let zone = zones.lastIndex(where: { $0.low <= point.value ?? 0 }) {
                zones[zone].seconds += seconds
            } else {
                below += seconds
            }
        }
    }
}
