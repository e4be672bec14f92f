import GRDB
import HealthEngine

/// The newest answers about buckets of time, and what of them still holds.
///
/// After an edit only the buckets that it touches are worked out again: a bucket's numbers depend on
/// nothing that lies further from it than the tolerated gap, so the answer is to the last bit the one
/// that a reading of everything would give.
struct StatisticsMemo {
    /// What was asked.
    struct Question: Equatable {
        var type: Int32
        var from: Double
        var to: Double
        var bounds: TimeBounds
        var sources: [String]
        var grant: Visibility.Grant
        var edges: [Double]
        var unit: String
        var rules: StatisticsRules
        /// No answer depends on it, but the tests that say so must not get one that is remembered.
        var windowSize: Int
    }

    /// What was true of the store as a whole: who counts, in which order, in which units.
    struct Circumstances {
        var sourceOfOrigin: [Int32]
        var conversions: [UnitConversion?]
        /// By source; -1 for an excluded one.
        var ranks: [Int32]
    }

    struct Entry {
        var question: Question
        var circumstances: Circumstances
        var answer: StatisticsAnswer
        /// When it was last found to hold.
        var stamp: SourceTable.Stamp
        /// The newest edit it knows of.
        var edit: Int64
    }

    /// A dashboard's worth.
    private static let most = 16
    /// More are not kept: ten years of hours.
    private static let mostBuckets = 100_000

    /// The newest last.
    private var entries: [Entry] = []

    mutating func entry(_ question: Question) -> Entry? {
        guard let index = entries.lastIndex(where: { $0.question == question }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry
    }

    mutating func keep(_ entry: Entry) {
        entries.removeAll { $0.question == entry.question }
        guard entry.answer.buckets.count <= StatisticsMemo.mostBuckets else { return }
        if entries.count >= StatisticsMemo.most { entries.removeFirst() }
        entries.append(entry)
    }
}

extension StatisticsMemo.Circumstances {
    /// Whether everything that was there before counts as it did: newcomers may have joined.
    func hold(in later: StatisticsMemo.Circumstances) -> Bool {
        guard later.sourceOfOrigin.starts(with: sourceOfOrigin),
            later.conversions.starts(with: conversions), later.ranks.count >= ranks.count
        else { return false }
        let inOrder = ranks.indices.filter { ranks[$0] >= 0 }.sorted { ranks[$0] < ranks[$1] }
        let places = inOrder.map { later.ranks[$0] }
        return zip(ranks, later.ranks).allSatisfy { ($0 < 0) == ($1 < 0) }
            && zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
    }
}

extension [Double] {
    /// The buckets between these borders that spans of time touch or come near, as runs in order; a
    /// span that touches none gives none.
    func runs(near spans: [ClosedRange<Double>]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for span in spans.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let first = Swift.max(firstBorder(after: span.lowerBound.nextDown) - 1, 0)
            let last = Swift.min(firstBorder(after: span.upperBound), count - 1)
            guard first < last else { continue }
            if let previous = runs.last, previous.upperBound >= first {
                runs[runs.count - 1] =
                    previous.lowerBound..<Swift.max(previous.upperBound, last)
            } else {
                runs.append(first..<last)
            }
        }
        return runs
    }

    /// The index of the first border beyond a time; `count` if none is.
    private func firstBorder(after time: Double) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension [Statistics] {
    /// Puts other buckets in the place of those that begin in a stretch of time.
    mutating func replace(from low: Double, to high: Double, with buckets: [Statistics]) {
        func index(notBefore time: Double) -> Int {
            var (low, high) = (0, count)
            while low < high {
                let middle = (low + high) / 2
                if self[middle].start < time { low = middle + 1 } else { high = middle }
            }
            return low
        }
        replaceSubrange(index(notBefore: low)..<index(notBefore: high), with: buckets)
    }
}
