import GRDB
import HealthEngine

/// Reads a range once and hands it on a few buckets at a time, so that memory doesn't grow with it.
///
/// A bucket depends only on the samples that touch it and, where near samples bridge the gap between
/// them, on those within ``reach`` of it. A sample that reaches into later buckets is carried over to
/// them. Whatever the size, the buckets come out as they would from all samples at once.
struct SampleWindows {
    /// Gets samples and the borders of the buckets that they settle.
    typealias Settle = (SampleBatch, [Double]) throws -> Void

    /// Bucket borders, ascending.
    let edges: [Double]
    /// How far beyond its borders samples may matter to a bucket, in seconds
    /// (``StatisticsRules/gapTolerance``).
    let reach: Double
    /// How many samples are held at a time; it changes no result.
    let size: Int
    private var batch: SampleBatch
    /// The first bucket that is not settled.
    private var window = 0
    private var carried = 0

    init(edges: [Double], reach: Double, table: SourceTable, size: Int = 16_384) {
        self.edges = edges
        self.reach = reach
        self.size = size
        batch = SampleBatch(sources: table.sources, origins: table.origins)
        batch.samples.reserveCapacity(size + 1)
    }

    /// Reads what a question asks for and settles all buckets.
    mutating func read(
        _ question: SampleQuestion, _ table: SourceTable, _ db: Database, _ settle: Settle
    ) throws {
        let question = question.reaching(edges, beyond: reach)
        try SampleReader(db, question, table, .measurements).forEach { row in
            try add(row.sample, settle)
            return .next
        }
        try finish(settle)
    }

    /// Takes the next sample, in (start, key) order.
    mutating func add(_ sample: Sample, _ settle: Settle) throws {
        if batch.samples.count - carried >= size {
            let end = bucket(holding: sample.start - reach, from: window)
            if end > window {
                try settle(batch, Array(edges[window...end]))
                let border = edges[end] - reach
                // An instant on the border belongs to the bucket that begins there.
                batch.samples.removeAll { $0.end <= border && $0.start < border }
                carried = batch.samples.count
                window = end
            }
        }
        batch.samples.append(sample)
    }

    /// Settles the buckets that are left.
    func finish(_ settle: Settle) throws {
        if !batch.samples.isEmpty { try settle(batch, Array(edges[window...])) }
    }

    /// The index of the last border at or before a time, or of the first one looked at.
    private func bucket(holding time: Double, from window: Int) -> Int {
        var (low, high) = (window, edges.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if edges[middle] <= time { low = middle } else { high = middle - 1 }
        }
        return low
    }
}

extension SampleQuestion {
    /// Everything that may matter to one range, in (start, key) order.
    func batch(reach: Double, _ table: SourceTable, _ db: Database) throws -> SampleBatch {
        var question = self
        question.from -= reach
        question.to += reach
        var batch = SampleBatch(sources: table.sources, origins: table.origins)
        try SampleReader(db, question, table, .measurements).forEach { row in
            batch.samples.append(row.sample)
            return .next
        }
        batch.order()
        return batch
    }
}

extension StatisticsRules {
    /// A sample of undetermined duration lasts at most to the end of the question.
    func bounded(by end: Double) -> StatisticsRules {
        var rules = self
        rules.horizon = min(horizon, end)
        return rules
    }
}
