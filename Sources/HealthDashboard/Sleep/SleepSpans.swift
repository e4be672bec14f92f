/// A set of time, as spans in order that don't touch.
struct SleepSpans {
    private(set) var starts: [Double] = []
    private(set) var ends: [Double] = []
    /// Seconds of the set before each span.
    private var before: [Double] = []

    /// - Complexity: O(n log n).
    init(_ pieces: [SleepPiece]) {
        var total = 0.0
        for piece in pieces.sorted(by: { $0.start < $1.start }) {
            if let last = ends.last, piece.start <= last {
                if piece.end > last {
                    total += piece.end - last
                    ends[ends.count - 1] = piece.end
                }
                continue
            }
            starts.append(piece.start)
            ends.append(piece.end)
            before.append(total)
            total += piece.end - piece.start
        }
    }

    /// The spans that share time with `[start, end)`, each whole.
    private func touching(_ start: Double, _ end: Double) -> Range<Int> {
        let first = ends.firstIndex(after: start)
        return first..<max(first, starts.firstIndex(from: end))
    }

    func touches(_ start: Double, _ end: Double) -> Bool { !touching(start, end).isEmpty }

    /// Seconds of all spans that share time with `[start, end)`, also where they reach over it.
    func length(touching start: Double, _ end: Double) -> Double {
        touching(start, end).reduce(0) { $0 + (ends[$1] - starts[$1]) }
    }

    /// Seconds of the set in `[start, end)`.
    ///
    /// - Complexity: O(log n).
    func covered(_ start: Double, _ end: Double) -> Double {
        let range = touching(start, end)
        guard let first = range.first, let last = range.last else { return 0 }
        return before[last] - before[first] + (min(end, ends[last]) - starts[last])
            - max(0, start - starts[first])
    }
}

extension [Double] {
    /// Where an ordered list begins to be greater than `value`.
    fileprivate func firstIndex(after value: Double) -> Int { partition { $0 > value } }

    /// Where an ordered list begins to be at least `value`.
    fileprivate func firstIndex(from value: Double) -> Int { partition { $0 >= value } }

    private func partition(_ isBehind: (Double) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
