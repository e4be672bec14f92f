// Apple's completion-handler queries as single calls, so that tests read like the rules.

/// One result of an anchored query.
struct ChangePage: Sendable {
    var added: [HKSample]
    var deleted: [HKDeletedObject]
    var anchor: HKQueryAnchor
}

/// The error for a query that returned neither a result nor an error.
struct MissingResult: Error {}

extension HKHealthStore {
    func samples(
        _ type: HKSampleType, _ predicate: NSPredicate? = nil, limit: Int = HKObjectQueryNoLimit,
        sortedBy order: [NSSortDescriptor]? = nil
    ) async throws -> [HKSample] {
        try await withCheckedThrowingContinuation { continuation in
            execute(
                HKSampleQuery(
                    sampleType: type, predicate: predicate, limit: limit, sortDescriptors: order
                ) { _, samples, error in continuation.resume(with: result(samples, error)) })
        }
    }

    func samples(
        _ descriptors: [HKQueryDescriptor], limit: Int = HKObjectQueryNoLimit
    ) async throws -> [HKSample] {
        try await withCheckedThrowingContinuation { continuation in
            execute(
                HKSampleQuery(queryDescriptors: descriptors, limit: limit) { _, samples, error in
                    continuation.resume(with: result(samples, error))
                })
        }
    }

    func changes(
        _ type: HKSampleType, _ predicate: NSPredicate? = nil, after anchor: HKQueryAnchor? = nil,
        limit: Int = HKObjectQueryNoLimit
    ) async throws -> ChangePage {
        try await changes(
            [HKQueryDescriptor(sampleType: type, predicate: predicate)], after: anchor, limit: limit
        )
    }

    func changes(
        _ descriptors: [HKQueryDescriptor], after anchor: HKQueryAnchor? = nil,
        limit: Int = HKObjectQueryNoLimit
    ) async throws -> ChangePage {
        try await withCheckedThrowingContinuation { continuation in
            execute(
                HKAnchoredObjectQuery(queryDescriptors: descriptors, anchor: anchor, limit: limit) {
                    _, added, deleted, anchor, error in
                    let page = anchor.map {
                        ChangePage(added: added ?? [], deleted: deleted ?? [], anchor: $0)
                    }
                    continuation.resume(with: result(page, error))
                })
        }
    }

    func statistics(
        _ type: HKQuantityType, _ predicate: NSPredicate?, _ options: HKStatisticsOptions
    ) async throws -> HKStatistics {
        try await withCheckedThrowingContinuation { continuation in
            execute(
                HKStatisticsQuery(
                    quantityType: type, quantitySamplePredicate: predicate, options: options
                ) { _, statistics, error in continuation.resume(with: result(statistics, error)) })
        }
    }

    func collection(
        _ type: HKQuantityType, _ predicate: NSPredicate?, _ options: HKStatisticsOptions,
        from anchor: Date, every interval: DateComponents
    ) async throws -> HKStatisticsCollection {
        try await withCheckedThrowingContinuation { continuation in
            let query = HKStatisticsCollectionQuery(
                quantityType: type, quantitySamplePredicate: predicate, options: options,
                anchorDate: anchor, intervalComponents: interval)
            query.initialResultsHandler = { _, collection, error in
                continuation.resume(with: result(collection, error))
            }
            execute(query)
        }
    }

    func sources(
        of type: HKSampleType, _ predicate: NSPredicate? = nil
    ) async throws -> Set<HKSource> {
        try await withCheckedThrowingContinuation { continuation in
            execute(
                HKSourceQuery(sampleType: type, samplePredicate: predicate) { _, sources, error in
                    continuation.resume(with: result(sources, error))
                })
        }
    }

    func correlations(
        _ type: HKCorrelationType, _ predicate: NSPredicate? = nil,
        members: [HKSampleType: NSPredicate]? = nil
    ) async throws -> [HKCorrelation] {
        try await withCheckedThrowingContinuation { continuation in
            execute(
                HKCorrelationQuery(type: type, predicate: predicate, samplePredicates: members) {
                    _, correlations, error in
                    continuation.resume(with: result(correlations, error))
                })
        }
    }
}

private func result<Value>(_ value: Value?, _ error: (any Error)?) -> Result<Value, any Error> {
    if let error { return .failure(error) }
    return value.map { .success($0) } ?? .failure(MissingResult())
}

/// Returns the code of the HKError that a call throws; nil if it throws none.
func code(of call: () async throws -> Void) async throws -> HKError.Code? {
    do {
        try await call()
        return nil
    } catch let error as HKError {
        return error.code
    }
}

extension HKStatisticsCollection {
    /// Returns every bucket between two dates, including empty ones.
    func buckets(from start: Date, to end: Date) -> [HKStatistics] {
        var found: [HKStatistics] = []
        enumerateStatistics(from: start, to: end) { statistics, _ in found.append(statistics) }
        return found
    }
}
