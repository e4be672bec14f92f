public import Foundation
import HealthEngine
import HealthStorage

/// The anchor before everything, for ``HKQueryAnchor/init(fromValue:)``.
public var HKAnchoredObjectQueryNoAnchor: Int32 { 0 }

/// Asks what was saved and deleted since an anchor, and with an `updateHandler` goes on telling.
///
/// Samples come in the order of saving. One that was added and deleted since the anchor isn't
/// returned, but its tombstone is; a sample replaced through its sync identifier comes beside the
/// tombstone of the old one (Semantics §6.5). A limit bounds samples; tombstones have one
/// of their own, so read page by page until a page holds neither (Semantics §6.4).
open class HKAnchoredObjectQuery: HKQuery, @unchecked Sendable {  // mutable state is locked
    /// What is called with samples added, objects deleted and the anchor behind them.
    public typealias Handler =
        @Sendable (
            HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?, (any Error)?
        ) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let limit: Int
    private let handler: QueryHandler<Handler>
    private let updates = QueryHandler<Handler>(nil)
    /// How far it has read, on the query's queue.
    private let anchor: Locked<HKQueryAnchor?>
    /// Of a query that an observer's handler executes.
    private let reading = Locked<(of: AnchorReads, number: Int)?>(nil)

    /// Asks about one type.
    ///
    /// - Parameters:
    ///   - anchor: Where the last query stopped; nil for everything in the store.
    ///   - limit: How many samples at most; ``HKObjectQueryNoLimit`` for all.
    ///   - handler: Called once, with the first results.
    @preconcurrency
    public required init(
        type: HKSampleType, predicate: NSPredicate?, anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?,
                (any Error)?
            ) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
        self.limit = limit
        self.anchor = Locked(anchor)
        self.handler = QueryHandler(handler)
        super.init(_objectType: type, predicate: predicate)
    }

    /// Asks about several types with one anchor and one limit; a sample that matches several
    /// descriptors comes once.
    @preconcurrency
    public required init(
        queryDescriptors: [HKQueryDescriptor], anchor: HKQueryAnchor?, limit: Int,
        resultsHandler handler:
            @escaping @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?,
                (any Error)?
            ) -> Void
    ) {
        descriptors = queryDescriptors
        self.limit = limit
        self.anchor = Locked(anchor)
        self.handler = QueryHandler(handler)
        super.init(
            _objectType: queryDescriptors.onlyType, predicate: queryDescriptors.onlyPredicate)
    }

    /// Asks about one type, with an anchor that is a number.
    @available(*, deprecated, message: "Use init(type:predicate:anchor:limit:resultsHandler:)")
    @preconcurrency
    public required init(
        type: HKSampleType, predicate: NSPredicate?, anchor: Int, limit: Int,
        completionHandler handler:
            @escaping @Sendable (HKAnchoredObjectQuery, [HKSample]?, Int, (any Error)?) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: type, predicate: predicate)]
        self.limit = limit
        self.anchor = Locked(HKQueryAnchor(fromValue: anchor))
        self.handler = QueryHandler { query, samples, _, newAnchor, error in
            handler(query, samples, newAnchor.map { Int($0.number) } ?? anchor, error)
        }
        super.init(_objectType: type, predicate: predicate)
    }

    /// Called after every later save and deletion that the query asks about, each time with an
    /// anchor of its own. Set it before the query is executed: with one, the query runs until it is
    /// stopped.
    @preconcurrency
    open var updateHandler:
        (
            @Sendable (
                HKAnchoredObjectQuery, [HKSample]?, [HKDeletedObject]?, HKQueryAnchor?,
                (any Error)?
            ) -> Void
        )?
    {
        get { updates.current }
        set { updates.current = newValue }
    }

    override var isLongRunning: Bool { updates.current != nil }

    override var askedTypes: [HKObjectType] { descriptors.map(\.sampleType) }

    override func begin(_ execution: QueryExecution) {
        guard !isLongRunning, let wake = ObserverWake.current,
            let requests = try? execution.requests(descriptors)
        else { return }
        let reading = AnchorReads.Reading(
            wake: wake, question: QueryFingerprint(requests), anchor: anchor { $0?.number ?? 0 })
        let reads = execution.connection.anchorReads
        let number = reads.begin(reading)
        self.reading { $0 = (reads, number) }
    }

    override func run(_ execution: QueryExecution) throws {
        var changes = 0
        defer { endReading(execution, changes) }
        let page = try execution.page(
            of: descriptors, after: anchor { $0 }, limit: limit)
        anchor { $0 = page.anchor }
        changes = page.added.count + page.deleted.count
        execution.deliver { handler.current?(self, page.added, page.deleted, page.anchor, nil) }
    }

    private func endReading(_ execution: QueryExecution?, _ changes: Int) {
        let ended = reading { reading in
            defer { reading = nil }
            return reading
        }
        guard let ended, ended.of.end(ended.number, hasChanges: changes > 0) else { return }
        execution?.connection.diagnostics.record(
            .changesReadTwice(types: descriptors.identifiers, count: changes))
    }

    override func storeChanged(_ change: StoreChange, _ execution: QueryExecution) throws {
        guard descriptors.contains(where: { change.concerns($0.sampleType) }) else { return }
        // A limit pages the first results; what comes later is told whole.
        let page = try execution.page(
            of: descriptors, after: anchor { $0 }, limit: HKObjectQueryNoLimit)
        // Also if nothing matched, so that the same rows aren't read again at the next change.
        anchor { $0 = page.anchor }
        if page.added.isEmpty, page.deleted.isEmpty { return }
        execution.deliver { updates.current?(self, page.added, page.deleted, page.anchor, nil) }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, nil, nil, error) }

    override func reportUpdate(_ error: HKError) {
        updates.current?(self, nil, nil, nil, error)
    }

    override func releaseHandlers() {
        endReading(nil, 0)
        handler.current = nil
        updates.current = nil
    }
}
