public import Foundation
import HealthEngine
import HealthStorage

/// The limit of a query without a limit: all matching samples are returned.
public let HKObjectQueryNoLimit: Int = 0

/// A query for samples as they were saved. Overlapping samples of different sources are not merged
/// (Semantics §1.1).
///
/// Without sort descriptors, samples are ordered by start date, then by the order of saving, unless
/// the store's configuration shuffles them (``HealthStoreConfiguration/UnsortedOrder``). A limit
/// applies to the sorted union of all descriptors. A sample that matches several descriptors is
/// returned once (Semantics §9.9).
// `@unchecked Sendable`: all stored properties are immutable after initialization except for the
// handler, which is locked.
open class HKSampleQuery: HKQuery, @unchecked Sendable {
    typealias ResultsHandler =
        @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let maximumSamples: Int
    private let order: [NSSortDescriptor]?
    /// The order given by Swift sort descriptors, which cannot be converted to NSSortDescriptor on
    /// Linux; nil for other queries.
    private var awaitedOrder: [SampleSort]?
    private let handler: QueryHandler<ResultsHandler>

    /// Creates a query for samples of one type.
    ///
    /// - Parameters:
    ///   - sampleType: The type.
    ///   - predicate: Which samples to return; nil for all.
    ///   - limit: The maximum number of samples; ``HKObjectQueryNoLimit`` for no limit. A negative
    ///     limit is reported as ``HKError/errorInvalidArgument``.
    ///   - sortDescriptors: The order: by start date, end date or the documented keys of workouts;
    ///     nil or empty for the default order.
    ///   - resultsHandler: Called once on a background queue, with the samples or an error.
    @preconcurrency
    public required init(
        sampleType: HKSampleType, predicate: NSPredicate?, limit: Int,
        sortDescriptors: [NSSortDescriptor]?,
        resultsHandler:
            @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
        maximumSamples = limit
        order = sortDescriptors
        handler = QueryHandler(resultsHandler)
        super.init(_objectType: sampleType, predicate: predicate)
    }

    /// Creates a query for samples of several types in the default order: by start date, unless the
    /// store's configuration shuffles them.
    ///
    /// - Parameters:
    ///   - queryDescriptors: The types and predicates; at least one.
    ///   - limit: The maximum number of samples of all types together; ``HKObjectQueryNoLimit`` for
    ///     no limit.
    ///   - resultsHandler: Called once on a background queue, with the samples or an error.
    @preconcurrency
    public required init(
        queryDescriptors: [HKQueryDescriptor], limit: Int,
        resultsHandler:
            @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        descriptors = queryDescriptors
        maximumSamples = limit
        order = nil
        handler = QueryHandler(resultsHandler)
        super.init(
            _objectType: queryDescriptors.onlyType, predicate: queryDescriptors.onlyPredicate)
    }

    /// Creates a query for samples of several types.
    ///
    /// - Parameters:
    ///   - queryDescriptors: The types and predicates; at least one.
    ///   - limit: The maximum number of samples of all types together; ``HKObjectQueryNoLimit`` for
    ///     no limit.
    ///   - sortDescriptors: The order: by start date, end date or the documented keys of workouts.
    ///   - resultsHandler: Called once on a background queue, with the samples or an error.
    @preconcurrency
    public required init(
        queryDescriptors: [HKQueryDescriptor], limit: Int, sortDescriptors: [NSSortDescriptor],
        resultsHandler:
            @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        descriptors = queryDescriptors
        maximumSamples = limit
        order = sortDescriptors
        handler = QueryHandler(resultsHandler)
        super.init(
            _objectType: queryDescriptors.onlyType, predicate: queryDescriptors.onlyPredicate)
    }

    /// Creates the query of an ``HKSampleQueryDescriptor``.
    convenience init(
        descriptors: [HKQueryDescriptor], limit: Int, order: [SampleSort],
        resultsHandler: @escaping ResultsHandler
    ) {
        self.init(queryDescriptors: descriptors, limit: limit, resultsHandler: resultsHandler)
        awaitedOrder = order
    }

    /// The maximum number of samples; ``HKObjectQueryNoLimit`` for no limit.
    open var limit: Int { maximumSamples }

    /// The order of the samples; nil or empty for the default order.
    open var sortDescriptors: [NSSortDescriptor]? { order }

    override var queriedTypes: [HKObjectType] { descriptors.map(\.sampleType) }

    override func run(_ execution: QueryExecution) throws {
        let samples = try execution.samples(
            descriptors, limit: maximumSamples,
            sortedBy: awaitedOrder ?? SampleSort.list(order ?? []))
        execution.deliver { handler.current?(self, samples, nil) }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, error) }
    override func releaseHandlers() { handler.current = nil }
}

extension QueryExecution {
    /// Reads the samples of several descriptors in one order and with one limit.
    ///
    /// Records a finding if there is no limit and a descriptor has no predicate. Records a pending
    /// finding for overlapping samples.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` for a negative limit, no descriptors, an unknown
    ///   type or an unsupported predicate; another ``HKError`` for a type that was never requested
    ///   and while the device is locked.
    func samples(
        _ descriptors: [HKQueryDescriptor], limit: Int, sortedBy order: [SampleSort]
    ) throws -> [HKSample] {
        guard limit >= 0 else {
            throw HKError(
                .errorInvalidArgument,
                "The limit of a query is \(limit): use HKObjectQueryNoLimit for all samples.")
        }
        let requests = try requests(descriptors)
        let visibility = try visibility(of: descriptors.map(\.sampleType))
        let stored = try connection.readableStore.objects(
            requests, sortedBy: order, limit: limit == HKObjectQueryNoLimit ? nil : limit,
            visibility: visibility)
        if limit == HKObjectQueryNoLimit, descriptors.contains(where: { $0.predicate == nil }) {
            connection.diagnostics.record(
                .unlimitedQuery(types: descriptors.identifiers, rowsRead: stored.count))
        }
        recordOverlap(descriptors, stored)
        let derived: [HKSample] =
            try importedRoutes(requests, visibility) + importedHeartbeats(requests, visibility)
        let samples = SampleObjects.objects(stored).adding(
            derived, sortedBy: order, limit: limit)
        guard order.isEmpty, case .shuffled(let seed) = connection.options.unsortedOrder else {
            return samples
        }
        return samples.shuffled(seed: seed)
    }

    /// Records a suspected mistake if a query with one descriptor read overlapping samples of
    /// several sources and a cumulative type. An app that adds them counts the same activity twice.
    private func recordOverlap(_ descriptors: [HKQueryDescriptor], _ stored: StoredSamples) {
        guard let type = descriptors.onlyType as? HKQuantityType,
            type.aggregationStyle == .cumulative,
            let sources = OverlapDetection.overlappingSources(
                in: stored.batch, count: stored.count)
        else { return }
        connection.diagnostics.addPending(
            PendingFinding(
                cause: .overlappingSamples, app: identity.bundleIdentifier, type: type.identifier),
            .overlappingSamplesRead(type: type.identifier, sources: sources))
    }
}

extension SampleObjects {
    /// Converts a result of the store to HealthKit objects, in the same order.
    static func objects(_ stored: StoredSamples) -> [HKSample] {
        objects(
            from: stored.batch, uuids: stored.uuids, count: stored.count,
            lookUp: stored.type(code:))
    }
}

extension Array {
    /// Returns the elements shuffled. The order depends only on the seed and the number of
    /// elements.
    fileprivate func shuffled(seed: UInt64) -> [Element] {
        var generator = SplitMix(state: seed)
        return shuffled(using: &generator)
    }
}

/// The SplitMix64 generator: equal seeds give equal sequences.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return bits ^ (bits >> 31)
    }
}

/// A query descriptor for samples, as ``HKSampleQuery`` returns them.
///
/// ```swift
/// let descriptor = HKSampleQueryDescriptor(
///     predicates: [.quantitySample(type: HKQuantityType(.stepCount))],
///     sortDescriptors: [SortDescriptor(\.endDate, order: .reverse)], limit: 10)
/// let latest = try await descriptor.result(for: store)
/// ```
// Sort descriptors of key paths are immutable, but Foundation does not declare them Sendable for
// every Sample.
public struct HKSampleQueryDescriptor<Sample>: HKAsyncQuery, @unchecked Sendable
where Sample: HKSample {
    /// The types and predicates; a sample that matches several of them is returned once.
    public var predicates: [HKSamplePredicate<Sample>]
    /// The order of the samples; if empty, the default order of ``HKSampleQuery``.
    public var sortDescriptors: [SortDescriptor<Sample>]
    /// The maximum number of samples; nil for no limit.
    public var limit: Int?

    /// Creates a query descriptor.
    ///
    /// - Parameters:
    ///   - predicates: The types and predicates; at least one.
    ///   - sortDescriptors: The order of the samples; if empty, the default order of
    ///     ``HKSampleQuery``.
    ///   - limit: The maximum number of samples; nil for no limit.
    public init(
        predicates: [HKSamplePredicate<Sample>], sortDescriptors: [SortDescriptor<Sample>],
        limit: Int? = nil
    ) {
        self.predicates = predicates
        self.sortDescriptors = sortDescriptors
        self.limit = limit
    }

    /// Executes the query.
    ///
    /// - Parameter healthStore: The store to query.
    /// - Returns: The samples.
    /// - Throws: ``HKError``; `CancellationError` if the task is cancelled.
    public func result(for healthStore: HKHealthStore) async throws -> [Sample] {
        let order = try SampleSort.list(sortDescriptors)
        let samples = try await healthStore.awaitResult { deliver in
            HKSampleQuery(
                descriptors: predicates.map(\.descriptor), limit: limit ?? HKObjectQueryNoLimit,
                order: order
            ) { _, samples, error in
                deliver(Result(samples, error))
            }
        }
        return samples.compactMap { $0 as? Sample }
    }
}
