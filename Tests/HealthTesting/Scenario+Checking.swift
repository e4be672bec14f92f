public import HealthEngine

/// The result for a scenario's bucket, from any implementation.
public struct ScenarioResult {
    /// The start in seconds since 2001.
    public var start: Double
    /// The end in seconds since 2001, exclusive.
    public var end: Double
    /// Returns the number of a quantity's name or a category's raw value, for a source's index or
    /// for the merged value (nil).
    public var number: (_ quantity: String, _ source: Int32?) -> Double?

    public init(
        start: Double, end: Double,
        number: @escaping (_ quantity: String, _ source: Int32?) -> Double?
    ) {
        self.start = start
        self.end = end
        self.number = number
    }

    /// Creates the result of a statistics bucket.
    ///
    /// - Parameter statistics: The bucket.
    public init(_ statistics: Statistics) {
        self.init(start: statistics.start, end: statistics.end) { quantity, source in
            let values = source.map { statistics.bySource?[$0] } ?? statistics.merged
            guard let values else { return nil }
            return switch quantity {
            case "sum": values.sum
            case "average": values.average
            case "minimum": values.minimum
            case "maximum": values.maximum
            case "mostRecent": values.mostRecent
            case "mostRecentStart": values.mostRecentStart
            case "mostRecentEnd": values.mostRecentEnd
            case "duration": values.duration
            case "count": Double(values.count)
            default: Double.nan
            }
        }
    }

    /// Creates the result of a category bucket.
    ///
    /// - Parameter bucket: The bucket.
    public init(_ bucket: CategoryStatistics) {
        self.init(start: bucket.start, end: bucket.end) { quantity, source in
            let values = source.map { bucket.bySource?[$0] } ?? bucket.merged
            guard let values else { return nil }
            if quantity == "count" { return Double(values.count) }
            return Int(quantity).map { values.seconds[$0] } ?? Double.nan
        }
    }
}

extension Scenario {
    /// The relative tolerance, since sums may be computed in any order.
    private static let tolerance = 1e-9

    /// Returns the expectations that aren't met.
    ///
    /// - Parameter results: The computed buckets.
    /// - Returns: The failures as `file:line: what`.
    public func failures(_ results: [ScenarioResult]) -> [String] {
        var failures: [String] = []
        func fail(_ line: Int, _ text: String) { failures.append("\(path):\(line): \(text)") }
        for bucket in buckets {
            let result = results.first { $0.start == bucket.start && $0.end == bucket.end }
            guard let expectations = bucket.expectations else {
                if result != nil { fail(bucket.line, "the bucket is populated") }
                continue
            }
            guard let result else {
                fail(bucket.line, "no such bucket is populated")
                continue
            }
            for expected in expectations {
                let number = result.number(expected.quantity, expected.source)
                if ResultComparison(tolerance: Self.tolerance).isClose(number, expected.value) {
                    continue
                }
                let owner = expected.source.map { batch.sources[Int($0)].name + "." } ?? ""
                let actual = number.map { "\($0)" } ?? "none"
                let expectedText = expected.value.map { "\($0)" } ?? "none"
                fail(
                    expected.line,
                    "\(owner)\(expected.quantity) is \(actual), expected \(expectedText)")
            }
        }
        for result in results
        where !buckets.contains(where: { $0.start == result.start && $0.end == result.end }) {
            failures.append("\(path): bucket \(result.start) to \(result.end) is populated too")
        }
        return failures
    }

    /// Returns the failures of the timeline, like ``failures(_:)``.
    ///
    /// - Parameter timeline: The computed timeline.
    /// - Returns: The failures; empty if the file has no timeline.
    public func failures(
        timeline: [(source: Int32, start: Double, end: Double, value: Double)]
    ) -> [String] {
        guard let mergedIntervals else { return [] }
        let close = ResultComparison(tolerance: Self.tolerance)
        var failures: [String] = []
        var unmatched = timeline
        for mergedInterval in mergedIntervals {
            let match = unmatched.firstIndex {
                $0.source == mergedInterval.source && $0.start == mergedInterval.start
                    && $0.end == mergedInterval.end
                    && close.isClose($0.value, mergedInterval.value)
            }
            if let match {
                unmatched.remove(at: match)
            } else {
                failures.append(
                    "\(path):\(mergedInterval.line): no such interval; actual \(timeline)")
            }
        }
        failures += unmatched.map { "\(path): unexpected interval \($0)" }
        return failures
    }
}
