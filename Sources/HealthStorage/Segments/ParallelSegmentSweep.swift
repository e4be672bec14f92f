import Dispatch
import GRDB
import HealthEngine
import Synchronization

/// Statistics over long ranges, calculated as two halves in parallel.
///
/// One thread reads the file. Then two threads decode and add the samples for one half of the
/// buckets each. A bucket depends only on samples that touch it, extended by the gap tolerance. So
/// the results equal those of a single pass, bit by bit.
struct ParallelSegmentSweep {
    typealias SweepResult = (statistics: [Statistics], skipped: SkippedSamples)

    /// The maximum number of samples in the segments, which are held in memory.
    private static let maximumSamples = 8_000_000

    private enum Part {
        case segment(Range<Int>, Range<SegmentPosition>)
        case rows(Range<Int>)
    }

    private var bytes: [UInt8] = []
    private var rows: [Sample] = []
    private var parts: [Part] = []

    /// Returns the statistics of a query.
    ///
    /// Returns nil if the segments have too few or too many samples, if the buckets can't be
    /// halved, or if samples were skipped. The caller then calculates in one pass.
    static func statistics(
        _ query: SampleQuery, over edges: [Double], beyond reach: Double,
        _ table: SourceTable, _ db: Database, sweep: @Sendable ([Double]) -> StatisticsSweep
    ) throws -> SweepResult? {
        let reader = SegmentReader(db, query.reaching(edges, beyond: reach), table)
        let segments = try SegmentRange.all(
            of: query.type.code, from: reader.query.from, to: reader.query.to, db)
        let count = segments.reduce(0) { $0 + $1.count }
        guard count >= query.parallelThreshold, count > 0, count <= maximumSamples else {
            return nil
        }
        let middle = segments[segments.count / 2].from.start
        guard let boundary = edges.lastIndex(where: { $0 <= middle }), boundary > 0,
            boundary < edges.count - 1
        else { return nil }
        let halves = [Array(edges[...boundary]), Array(edges[boundary...])]
        let queries = halves.map { query.reaching($0, beyond: reach) }
        let long = try queries.map { try SegmentReader(db, $0, table).longSamples() }
        let read = try ParallelSegmentSweep(reader)
        let found = Mutex<[Result<SweepResult, any Error>?]>([nil, nil])
        DispatchQueue.concurrentPerform(iterations: 2) { half in
            let result = Result {
                var sweep = sweep(halves[half])
                for sample in long[half] { sweep.add(sample) }
                try read.add(to: &sweep, queries[half], table)
                return sweep.finish()
            }
            found.withLock { $0[half] = result }
        }
        let results = try found.withLock { try $0.compactMap { try $0?.get() } }
        // A skipped sample that touches both halves would be counted twice.
        guard results.count == 2, results.allSatisfy({ $0.skipped.isEmpty }) else { return nil }
        return (results[0].statistics + results[1].statistics, SkippedSamples())
    }

    private init(_ reader: SegmentReader) throws {
        try reader.forEachPart { part in
            switch part {
            case .segment(let content, let span):
                parts.append(.segment(bytes.count..<bytes.count + content.count, span))
                bytes.append(contentsOf: content)
            case .row(let sample):
                var range = rows.count..<rows.count
                if case .rows(let earlier)? = parts.last {
                    range = earlier
                    parts.removeLast()
                }
                rows.append(sample)
                parts.append(.rows(range.lowerBound..<rows.count))
            }
        }
    }

    private func add(
        to sweep: inout StatisticsSweep, _ query: SampleQuery, _ table: SourceTable
    ) throws {
        var columns = SampleColumns()
        let first = query.from - LongSample.limit
        for part in parts {
            switch part {
            case .segment(let range, let span):
                guard span.lowerBound.start < query.to, span.upperBound.start > first else {
                    continue
                }
                try bytes.withUnsafeBytes { bytes in
                    try PackedColumns.read(
                        UnsafeRawBufferPointer(rebasing: bytes[range]), into: &columns,
                        index: table.index(ofSamplesOrigin:))
                }
                sweep.add(columns, touching: query)
            case .rows(let range):
                for sample in rows[range]
                where sample.start >= first && sample.start < query.to
                    && (sample.start >= query.from || sample.end > query.from)
                {
                    sweep.add(sample)
                }
            }
        }
    }
}
