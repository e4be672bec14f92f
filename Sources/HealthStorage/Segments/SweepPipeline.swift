import Dispatch
import Foundation
import HealthEngine

/// A statistics calculation in two threads: the thread that reads the file also decodes samples,
/// and a second one adds them to the sweep, in the same order as a single thread.
///
/// The second thread is only used for long ranges. While it has not started, or has to wait for a
/// processor, the reading thread adds samples too. So the calculation also ends without it.
final class SweepPipeline: @unchecked Sendable {  // its variables are accessed under `condition`
    /// Adjacent samples.
    enum Part {
        case columns(SampleColumns)
        case samples([Sample])
    }

    /// The number of parts that wait at most, which bounds the memory.
    private static let capacity = 16

    private let query: SampleQuery
    private let condition = NSCondition()
    /// Accessed without the lock, by the thread that has set ``isAdding``.
    private var sweep: StatisticsSweep
    private var isAdding = false
    private var waiting: [Part] = []
    /// Columns to decode into, whose memory is reused.
    private var spare: [SampleColumns] = []
    /// The number of parts until the second thread is started.
    private var partsUntilThread: Int
    private var hasThread = false
    private var isFinished = false

    /// - Parameters:
    ///   - query: The samples that are added. Columns can contain others too.
    ///   - sweep: The sweep to which samples are added.
    init(_ query: SampleQuery, _ sweep: consuming StatisticsSweep) {
        self.query = query
        self.sweep = sweep
        partsUntilThread = query.partsUntilThread
    }

    /// Returns columns to decode into.
    func spareColumns() -> SampleColumns {
        condition.withLock { spare.popLast() } ?? SampleColumns()
    }

    /// Adds the samples of the next part, now or later.
    func add(_ part: consuming Part) {
        condition.lock()
        defer { condition.unlock() }
        waiting.append(part)
        if partsUntilThread > 0 {
            partsUntilThread -= 1
            return addFirst()
        }
        if !hasThread {
            hasThread = true
            DispatchQueue.global(qos: .userInitiated).async { self.addUntilFinished() }
        }
        // Waking a thread takes longer than adding a part, so it waits for several.
        if waiting.count == SweepPipeline.capacity / 2 { condition.broadcast() }
        while waiting.count >= SweepPipeline.capacity { addFirstOrWait() }
    }

    /// Adds the remaining samples and returns the statistics.
    func finish() -> (statistics: [Statistics], skipped: SkippedSamples) {
        end { while !waiting.isEmpty || isAdding { addFirstOrWait() } }
        return sweep.finish()
    }

    /// Discards the remaining samples.
    func cancel() {
        end {
            waiting = []
            while isAdding { condition.wait() }
        }
    }

    private func end(_ body: () -> Void) {
        condition.withLock {
            isFinished = true
            condition.broadcast()
            body()
        }
    }

    private func addUntilFinished() {
        condition.lock()
        defer { condition.unlock() }
        while !(isFinished && waiting.isEmpty) { addFirstOrWait() }
    }

    /// Adds the first waiting part. If there is none or the other thread is adding one, waits
    /// instead.
    private func addFirstOrWait() {
        if waiting.isEmpty || isAdding { condition.wait() } else { addFirst() }
    }

    /// Adds the first waiting part, without the lock.
    private func addFirst() {
        let part = waiting.removeFirst()
        isAdding = true
        condition.unlock()
        let columns = add(part, to: &sweep)
        condition.lock()
        isAdding = false
        if let columns { spare.append(columns) }
        if isFinished || waiting.count == SweepPipeline.capacity / 2 { condition.broadcast() }
    }

    /// Returns the part's columns, so that they can be used again.
    private func add(
        _ part: consuming Part, to sweep: inout StatisticsSweep
    ) -> SampleColumns? {
        switch consume part {
        case .columns(let columns):
            sweep.add(columns, touching: query)
            return columns
        case .samples(let samples):
            for sample in samples { sweep.add(sample) }
            return nil
        }
    }
}

extension SegmentReader {
    /// The number of rows that are added together.
    private static let rowsOfPart = 512

    /// Adds the samples of the query to a sweep and returns the statistics.
    func statistics(
        _ sweep: consuming StatisticsSweep
    ) throws -> (statistics: [Statistics], skipped: SkippedSamples) {
        if query.from >= query.to { return sweep.finish() }
        let pipeline = SweepPipeline(query, sweep)
        do {
            pipeline.add(.samples(try longSamples()))
            var rows: [Sample] = []
            func addRows() {
                if !rows.isEmpty { pipeline.add(.samples(rows)) }
                rows.removeAll(keepingCapacity: true)
            }
            try forEachPart { part in
                switch part {
                case .segment(let bytes, _):
                    addRows()
                    var columns = pipeline.spareColumns()
                    try PackedColumns.read(
                        bytes, into: &columns, index: table.index(ofSamplesOrigin:))
                    pipeline.add(.columns(columns))
                case .row(let sample):
                    rows.append(sample)
                    if rows.count >= SegmentReader.rowsOfPart { addRows() }
                }
            }
            addRows()
        } catch {
            pipeline.cancel()
            throw error
        }
        return pipeline.finish()
    }
}
