extension Timeline {
    /// How an amount came together: what was counted, and what was set aside as counted elsewhere.
    public struct Amounts: Hashable, Sendable {
        /// One source's part.
        public struct Share: Hashable, Sendable {
            /// What entered the merged amount.
            public var contributed = 0.0
            /// What higher sources had already counted; with `contributed` the source's own total.
            public var setAside = 0.0
            /// The source's samples that touch the range.
            public var count = 0

            public init() {}
        }

        /// Every sample added up as if no two sources ever recorded the same moment.
        public var naive = 0.0
        /// Every moment counted once.
        public var merged = 0.0
        /// Sources with a sample that touches the range, by index of the batch.
        public var bySource: [Int32: Share] = [:]

        public init() {}
    }

    /// What each source contributed to the range `[start, end)`, samples divided at its ends.
    ///
    /// `merged` equals, to the bit, the sum that
    /// ``SampleBatch/statistics(of:over:conversions:order:rules:)`` gives for the same range. With
    /// ``Values-swift.enum/readings`` there are no amounts and the numbers mean nothing.
    ///
    /// - Complexity: O(n + stretches).
    public func amounts(from start: Double, to end: Double) -> Amounts {
        var amounts = Amounts()
        for (index, entry) in merge.entries.enumerated() {
            if entry.start >= end { break }
            if entry.isInstant ? entry.start < start : entry.end <= start { continue }
            let own = entry.share(min(entry.end, end) - max(entry.start, start))
            let kept = merge.seconds(of: index, from: start, to: end).map(entry.share)
            amounts.naive += own
            amounts.bySource[entry.source, default: .init()].count += 1
            if let kept {
                amounts.merged += kept
                amounts.bySource[entry.source, default: .init()].contributed += kept
            }
            if kept != own {
                amounts.bySource[entry.source, default: .init()].setAside += own - (kept ?? 0)
            }
        }
        return amounts
    }

    /// The stretches inside `[start, end)`, divided at its ends.
    ///
    /// - Complexity: O(stretches).
    public func stretches(from start: Double, to end: Double) -> [Stretch] {
        stretches.compactMap { stretch in
            if stretch.start == stretch.end {
                return start <= stretch.start && stretch.start < end ? stretch : nil
            }
            guard stretch.end > start && stretch.start < end else { return nil }
            if stretch.start >= start && stretch.end <= end { return stretch }
            var clipped = stretch
            (clipped.start, clipped.end) = (max(stretch.start, start), min(stretch.end, end))
            if values == .amounts {
                let seconds = clipped.end - clipped.start
                clipped.value = stretch.value * seconds / (stretch.end - stretch.start)
            }
            return clipped
        }
    }
}
