import GRDB
import HealthEngine

/// Reads a range once and passes it on a few buckets at a time, with bounded memory.
///
/// A bucket depends only on samples that touch it, and with a gap tolerance on those within
/// ``reach`` of it. Samples that reach into later buckets are kept for them. The results don't
/// depend on the window size.
struct SampleWindows {
    /// Receives samples, and the boundaries of the buckets that can be calculated from them.
    typealias BucketHandler = (SampleBatch, [Double]) throws -> Void

    /// The boundaries of the buckets, ascending.
    let edges: [Double]
    /// How far outside a bucket samples can affect it, in seconds
    /// (``StatisticsRules/gapTolerance``).
    let reach: Double
    /// The number of new samples after which buckets are passed on. It doesn't change results.
    let size: Int
    private var batch: SampleBatch
    /// The first bucket that hasn't been passed on.
    private var window = 0
    /// The number of samples that are kept from earlier buckets.
    private var carried = 0

    init(edges: [Double], reach: Double, table: SourceTable, size: Int = 16_384) {
        self.edges = edges
        self.reach = reach
        self.size = size
        batch = SampleBatch(sources: table.sources, origins: table.origins)
        batch.samples.reserveCapacity(size + 1)
    }

    /// Reads the samples of a query and passes on all buckets.
    mutating func read(
        _ query: SampleQuery, _ table: SourceTable, _ db: Database, _ handler: BucketHandler
    ) throws {
        let query = query.reaching(edges, beyond: reach)
        try SampleReader(db, query, table, .measurements).forEach { row in
            try add(row.sample, handler)
            return .next
        }
        try finish(handler)
    }

    /// Adds the next sample, in (start, key) order.
    mutating func add(_ sample: Sample, _ handler: BucketHandler) throws {
        if batch.samples.count - carried >= size {
            let end = edges.lastBoundary(atOrBefore: sample.start - reach, from: window)
            if end > window {
                try handler(batch, Array(edges[window...end]))
                let boundary = edges[end] - reach
                // An instant at the boundary belongs to the later bucket.
                batch.samples.removeAll { $0.end <= boundary && $0.start < boundary }
                carried = batch.samples.count
                window = end
            }
        }
        batch.samples.append(sample)
    }

    /// Passes on the remaining buckets if samples are left.
    func finish(_ handler: BucketHandler) throws {
        if !batch.samples.isEmpty { try handler(batch, Array(edges[window...])) }
    }
}

extension SampleQuery {
    /// Reads all samples that can affect the query's range, in (start, key) order.
    func batch(reach: Double, _ table: SourceTable, _ db: Database) throws -> SampleBatch {
        var query = self
        query.from -= reach
        query.to += reach
        var batch = SampleBatch(sources: table.sources, origins: table.origins)
        try SampleReader(db, query, table, .measurements).forEach { row in
            batch.samples.append(row.sample)
            return .next
        }
        batch.sort()
        return batch
    }
}

extension StatisticsRules {
    /// Returns the rules with a horizon no later than the end of a query. Category samples of
    /// undetermined duration end at the horizon.
    func bounded(by end: Double) -> StatisticsRules {
        var rules = self
        rules.horizon = min(horizon, end)
        return rules
    }
}
