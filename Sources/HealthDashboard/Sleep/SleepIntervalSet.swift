import HealthEngine

/// A set of instants, as sorted, disjoint intervals.
struct SleepIntervalSet {
    private(set) var starts: [Double] = []
    private(set) var ends: [Double] = []
    /// The total length of the intervals before each one, in seconds.
    private var before: [Double] = []

    /// Creates the union of intervals.
    ///
    /// - Complexity: O(n log n).
    init(_ segments: [SleepSegment]) {
        var total = 0.0
        for segment in segments.sorted(by: { $0.start < $1.start }) {
            if let last = ends.last, segment.start <= last {
                if segment.end > last {
                    total += segment.end - last
                    ends[ends.count - 1] = segment.end
                }
                continue
            }
            starts.append(segment.start)
            ends.append(segment.end)
            before.append(total)
            total += segment.end - segment.start
        }
    }

    /// Returns the indices of the intervals that overlap `[start, end)`.
    private func touching(_ start: Double, _ end: Double) -> Range<Int> {
        let first = ends.partitioningIndex { $0 > start }
        return first..<max(first, starts.partitioningIndex { $0 >= end })
    }

    func touches(_ start: Double, _ end: Double) -> Bool { !touching(start, end).isEmpty }

    /// Returns the total length of the intervals that overlap `[start, end)`, including their parts
    /// outside, in seconds.
    func length(touching start: Double, _ end: Double) -> Double {
        touching(start, end).reduce(0) { $0 + (ends[$1] - starts[$1]) }
    }

    /// Returns the length of the set within `[start, end)`, in seconds.
    ///
    /// - Complexity: O(log n).
    func covered(_ start: Double, _ end: Double) -> Double {
        let range = touching(start, end)
        guard let first = range.first, let last = range.last else { return 0 }
        return before[last] - before[first] + (min(end, ends[last]) - starts[last])
            - max(0, start - starts[first])
    }
}
