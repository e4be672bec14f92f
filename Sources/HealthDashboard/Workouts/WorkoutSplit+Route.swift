import Foundation

extension WorkoutSplit {
    /// The maximum number of splits. A longer route has none: its places are wrong.
    static let maximumCount = 1_000
    /// Lengths that differ by less than a millimetre are equal.
    private static let tolerance = 0.001
    /// A shorter rest at the end of a route is no split, in metres.
    private static let shortestRest = 1.0

    /// Returns the splits of a route. The last one may be shorter; see ``isPartial``.
    ///
    /// - Parameters:
    ///   - track: The route.
    ///   - unit: The length of a split.
    ///   - heartRate: The heart rate during the workout in order of time.
    /// - Returns: The splits in order; none without a route.
    /// - Complexity: O(legs + splits + buckets of heart rates).
    static func splits(
        of track: RouteTrack, every unit: Unit, heartRate: [HealthSeries.Point]
    ) -> [WorkoutSplit] {
        guard track.distance >= shortestRest,
            track.distance < unit.metres * Double(maximumCount)
        else { return [] }
        let hasClimb = track.climb != nil
        var splits: [WorkoutSplit] = []
        var open = OpenSplit(heartRate)
        for leg in track.legs {
            var done = 0.0
            while true {
                let rest = leg.metres - done
                let missing = unit.metres - open.metres
                // A part of the leg, or the whole rest of it, which may be slightly too long.
                let part = rest <= missing + tolerance ? rest : missing
                open.add(leg, from: done, to: done + part)
                done += part
                if unit.metres - open.metres < tolerance, var split = open.close() {
                    split.distance = unit.metres
                    splits.append(split)
                }
                if part == rest { break }
            }
        }
        if open.metres >= shortestRest, var split = open.close() {
            split.isPartial = true
            splits.append(split)
        }
        if !hasClimb { for index in splits.indices { splits[index].elevationGain = nil } }
        return splits
    }
}

/// A split to which parts of legs are added.
private struct OpenSplit {
    private(set) var metres = 0.0
    private var start: Date?
    private var end: Date?
    private var seconds = 0.0
    private var climb = 0.0
    private var heartRate: OverlapAverage

    init(_ heartRate: [HealthSeries.Point]) { self.heartRate = OverlapAverage(heartRate) }

    /// Adds a part of a leg, whose speed is constant.
    ///
    /// - Parameters:
    ///   - first: The start of the part, in metres from the start of the leg.
    ///   - last: The end of the part, in the same way.
    mutating func add(_ leg: RouteTrack.Leg, from first: Double, to last: Double) {
        // A leg without length has one part.
        let share = leg.metres > 0 ? (last - first) / leg.metres : 1
        let begin = leg.start + leg.seconds * (leg.metres > 0 ? first / leg.metres : 0)
        let until = begin + leg.seconds * share
        start = start ?? begin
        end = until
        metres += last - first
        seconds += leg.seconds * share
        climb += leg.climb * share
        heartRate.add(from: begin, to: until)
    }

    /// Returns the split, and begins the next one; nil without a leg.
    mutating func close() -> WorkoutSplit? {
        guard let start, let end else { return nil }
        let split = WorkoutSplit(
            start: start, end: end, distance: metres, seconds: seconds,
            averageHeartRate: heartRate.close(), elevationGain: climb, isPartial: false)
        (self.start, self.end, metres, seconds, climb) = (nil, nil, 0, 0, 0)
        return split
    }
}

/// The average of buckets over intervals that are added in order of time. A bucket counts in
/// proportion to its overlap with the intervals.
private struct OverlapAverage {
    private let buckets: [HealthSeries.Point]
    /// The first bucket that ends after the last interval's start.
    private var index = 0
    private var sum = 0.0
    private var weight = 0.0

    init(_ buckets: [HealthSeries.Point]) { self.buckets = buckets }

    mutating func add(from start: Date, to end: Date) {
        while index < buckets.count, buckets[index].end <= start { index += 1 }
        var next = index
        while next < buckets.count, buckets[next].start < end {
            let bucket = buckets[next]
            let overlap = min(bucket.end, end).timeIntervalSince(max(bucket.start, start))
            if let value = bucket.value, overlap > 0 {
                sum += value * overlap
                weight += overlap
            }
            next += 1
        }
    }

    /// Returns the average, and begins the next one; nil without overlap.
    mutating func close() -> Double? {
        defer { (sum, weight) = (0, 0) }
        return weight > 0 ? sum / weight : nil
    }
}
