public import Foundation
import HealthEngine
import HealthStorage

/// Ask for every sample there is: the limit of queries without a limit.
public let HKObjectQueryNoLimit: Int = 0

/// Asks once for samples, as they were saved: what several sources recorded at the same time is
/// not merged (Semantics §1.1).
///
/// Without sort descriptors samples come by start date, and by order of saving where starts are
/// equal. A limit cuts the sorted union of all descriptors, and a sample that matches several of
/// them comes once (Semantics §9.9).
// Immutable once made, but for the locked handler.
open class HKSampleQuery: HKQuery, @unchecked Sendable {
    typealias ResultsHandler =
        @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void

    private let descriptors: [HKQueryDescriptor]
    private let mostSamples: Int
    private let order: [NSSortDescriptor]?
    /// The order of a Swift descriptor, which Foundation has no NSSortDescriptor for on Linux.
    private var awaitedOrder: [SampleSort]?
    private let handler: QueryHandler<ResultsHandler>

    /// Asks for samples of one type.
    ///
    /// - Parameters:
    ///   - limit: How many at most; ``HKObjectQueryNoLimit`` for all. Negative ones are reported as
    ///     ``HKError/errorInvalidArgument``.
    ///   - sortDescriptors: By start date, end date and the documented facts of workouts.
    ///   - resultsHandler: Called once.
    @preconcurrency
    public required init(
        sampleType: HKSampleType, predicate: NSPredicate?, limit: Int,
        sortDescriptors: [NSSortDescriptor]?,
        resultsHandler:
            @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        descriptors = [HKQueryDescriptor(sampleType: sampleType, predicate: predicate)]
        mostSamples = limit
        order = sortDescriptors
        handler = QueryHandler(resultsHandler)
        super.init(_objectType: sampleType, predicate: predicate)
    }

    /// Asks for samples of several types, by start date.
    @preconcurrency
    public required init(
        queryDescriptors: [HKQueryDescriptor], limit: Int,
        resultsHandler:
            @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        descriptors = queryDescriptors
        mostSamples = limit
        order = nil
        handler = QueryHandler(resultsHandler)
        super.init(
            _objectType: queryDescriptors.onlyType, predicate: queryDescriptors.onlyPredicate)
    }

    /// Asks for samples of several types in one order and under one limit.
    @preconcurrency
    public required init(
        queryDescriptors: [HKQueryDescriptor], limit: Int, sortDescriptors: [NSSortDescriptor],
        resultsHandler:
            @escaping @Sendable (HKSampleQuery, [HKSample]?, (any Error)?) -> Void
    ) {
        descriptors = queryDescriptors
        mostSamples = limit
        order = sortDescriptors
        handler = QueryHandler(resultsHandler)
        super.init(
            _objectType: queryDescriptors.onlyType, predicate: queryDescriptors.onlyPredicate)
    }

    /// Asks as a Swift descriptor does.
    convenience init(
        descriptors: [HKQueryDescriptor], limit: Int, order: [SampleSort],
        resultsHandler: @escaping ResultsHandler
    ) {
        self.init(queryDescriptors: descriptors, limit: limit, resultsHandler: resultsHandler)
        awaitedOrder = order
    }

    /// How many samples at most; ``HKObjectQueryNoLimit`` for all.
    open var limit: Int { mostSamples }

    /// In which order samples come.
    open var sortDescriptors: [NSSortDescriptor]? { order }

    override var askedTypes: [HKObjectType] { descriptors.map(\.sampleType) }

    override func run(_ execution: QueryExecution) throws {
        let samples = try execution.samples(
            descriptors, limit: mostSamples,
            sortedBy: awaitedOrder ?? SampleSort.list(order ?? []))
        execution.deliver { handler.current?(self, samples, nil) }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, error) }
    override func releaseHandlers() { handler.current = nil }
}

extension QueryExecution {
    /// Reads what descriptors ask, in one order and under one limit, and notes what a careful app
    /// would not have asked.
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
        noteOverlap(descriptors, stored)
        let samples = SampleObjects.objects(stored).adding(
            try importedRoutes(requests, visibility), sortedBy: order, limit: limit)
        guard order.isEmpty, case .shuffled(let seed) = connection.options.unsortedOrder else {
            return samples
        }
        return samples.shuffled(seed: seed)
    }

    /// Raw samples of steps by two devices may be about to be added up.
    private func noteOverlap(_ descriptors: [HKQueryDescriptor], _ stored: StoredSamples) {
        guard let type = descriptors.onlyType as? HKQuantityType,
            type.aggregationStyle == .cumulative,
            let sources = OverlapDetection.overlappingSources(
                in: stored.batch, count: stored.count)
        else { return }
        connection.diagnostics.suspect(
            Suspicion(
                matter: .rawSum, app: identity.bundleIdentifier, type: type.identifier),
            .overlappingSamplesRead(type: type.identifier, sources: sources))
    }
}

extension SampleObjects {
    /// The objects of a store's answer, in its order.
    static func objects(_ stored: StoredSamples) -> [HKSample] {
        objects(
            from: stored.batch, uuids: stored.uuids, count: stored.count,
            lookUp: stored.type(code:))
    }
}

extension Array {
    /// The same elements in an order that only the seed decides.
    fileprivate func shuffled(seed: UInt64) -> [Element] {
        var generator = SplitMix(state: seed)
        return shuffled(using: &generator)
    }
}

/// SplitMix64: equal seeds give equal numbers.
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
