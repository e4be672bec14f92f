public import HealthEngine

extension SlowMerge {
    /// The timeline: pieces of one sample that touch, joined, in order of start, end and sample.
    public func stretches() -> [Piece] {
        var joined: [Piece] = []
        for (_, pieces) in Dictionary(grouping: pieces(), by: \.sample) {
            var open: Piece?
            for piece in pieces.sorted(by: { $0.start < $1.start }) {
                if let last = open, last.end == piece.start {
                    open = Piece(
                        sample: last.sample, source: last.source, start: last.start,
                        end: piece.end, value: last.value + piece.value)
                } else {
                    if let last = open { joined.append(last) }
                    open = piece
                }
            }
            if let last = open { joined.append(last) }
        }
        return joined.sorted { ($0.start, $0.end, $0.sample) < ($1.start, $1.end, $1.sample) }
    }
}

extension Disagreement {
    /// The first difference of two timelines of amounts, or nil where they agree.
    public func between(_ mine: [SlowMerge.Piece], _ theirs: [Timeline.Stretch]) -> String? {
        let theirs = theirs.sorted { ($0.start, $0.end, $0.sample) < ($1.start, $1.end, $1.sample) }
        for (slow, fast) in zip(mine, theirs) {
            let isSame =
                slow.start == fast.start && slow.end == fast.end && slow.sample == fast.sample
                && slow.source == Int(fast.source) && isClose(slow.value, fast.value)
            if !isSame { return "stretch \(fast)\n  slow  \(slow)" }
        }
        if mine.count != theirs.count {
            return "\(theirs.count) stretches, slow \(mine.count):\n  \(theirs)\n  slow \(mine)"
        }
        return nil
    }
}
