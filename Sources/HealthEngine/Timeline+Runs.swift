extension Timeline {
    /// Stretches of one source joined into one.
    public struct Run: Hashable, Sendable {
        /// Half-open, in reference seconds; equal for instants.
        public var start: Double
        public var end: Double
        /// Index into the batch's sources.
        public var source: Int32
        /// The sum of the joined amounts, or the reading they share.
        public var value: Double

        public init(start: Double, end: Double, source: Int32, value: Double) {
            self.start = start
            self.end = end
            self.source = source
            self.value = value
        }
    }

    /// Stretches of one source that touch or overlap, joined: the timeline as a person reads it.
    ///
    /// Amounts add up; readings join only where they are equal, so that overlapping categories stay
    /// apart. In order of start.
    ///
    /// - Complexity: O(stretches).
    public func mergedRuns() -> [Run] { runs(of: stretches) }

    /// The runs inside `[start, end)`, divided at its ends.
    ///
    /// - Complexity: O(stretches).
    public func mergedRuns(from start: Double, to end: Double) -> [Run] {
        runs(of: stretches(from: start, to: end))
    }

    private struct Track: Hashable {
        var source: Int32
        var reading: Double?
    }

    private func runs(of stretches: [Stretch]) -> [Run] {
        var runs: [Run] = []
        var open: [Track: Int] = [:]
        for stretch in stretches {
            let track = Track(
                source: stretch.source, reading: values == .readings ? stretch.value : nil)
            if let index = open[track], stretch.start <= runs[index].end {
                runs[index].end = max(runs[index].end, stretch.end)
                if values == .amounts { runs[index].value += stretch.value }
                continue
            }
            open[track] = runs.count
            runs.append(
                Run(
                    start: stretch.start, end: stretch.end, source: stretch.source,
                    value: stretch.value))
        }
        return runs
    }
}
