import Foundation

/// A page of the changes of a type: samples saved, objects deleted, and the anchor after them.
struct ChangePage: Sendable {
    let added: [HKSample]
    let deleted: [HKDeletedObject]
    let anchor: HKQueryAnchor

    var isEmpty: Bool { added.isEmpty && deleted.isEmpty }
}

/// A page of existing samples, and what remains to be read after it.
struct HistoryPage: Sendable {
    let samples: [HKSample]
    let next: SyncPosition.Phase
}

/// The queries that read one tracked type. The semaphore limits how many queries run at a time. All
/// readers of a watcher share one semaphore.
struct PageReader: Sendable {
    let store: HKHealthStore
    let type: TrackedType
    let pageSize: Int
    let semaphore: AsyncSemaphore

    /// Returns an anchor for all later changes, from a query that matches no sample.
    ///
    /// The anchor is at the last change or before it. Changes after this call come after the
    /// anchor.
    func currentAnchor() async throws -> HKQueryAnchor {
        let nothing = NSPredicate(
            format: "%K >= %@", HKPredicateKeyPathStartDate, Date.distantFuture as any CVarArg)
        let query = HKAnchoredObjectQueryDescriptor(
            predicates: [selection(nothing)], anchor: nil, limit: nil)
        return try await semaphore.withPermit { try await query.result(for: store).newAnchor }
    }

    /// Returns a page of the changes since an anchor, the earliest first: saved samples and deleted
    /// objects that match the filter.
    func changes(after anchor: HKQueryAnchor) async throws -> ChangePage {
        let query = HKAnchoredObjectQueryDescriptor(
            predicates: [selection()], anchor: anchor, limit: pageSize)
        return try await semaphore.withPermit {
            let result = try await query.result(for: store)
            return ChangePage(
                added: result.addedSamples, deleted: result.deletedObjects,
                anchor: result.newAnchor)
        }
    }

    /// Returns a page of the newest samples in a half-open interval of starts, newest first, and
    /// what remains to be read after it.
    ///
    /// A page never divides samples with equal starts. If the page is full, the samples with its
    /// last start are left for the next page. If all its samples have the same start, it contains
    /// all samples with that start, even beyond the page size.
    ///
    /// - Parameters:
    ///   - before: The end of the interval, exclusive; unlimited if it is the distant future.
    ///   - since: The start of the interval, inclusive; unlimited if nil.
    func history(before: Date, since: Date?) async throws -> HistoryPage {
        var bounds: [NSPredicate] = []
        if before < .distantFuture { bounds.append(start("<", before)) }
        if let since { bounds.append(start(">=", since)) }
        let samples = try await samples(bounds, limit: pageSize)
        guard samples.count >= pageSize, let last = samples.last?.startDate else {
            return HistoryPage(samples: samples, next: .changes)
        }
        let complete = samples.prefix { $0.startDate > last }
        if let end = complete.last?.startDate {
            return HistoryPage(samples: Array(complete), next: .history(before: end))
        }
        return HistoryPage(
            samples: try await self.samples([start("==", last)], limit: nil),
            next: .history(before: last))
    }

    /// Returns whether HealthKit shows the app at least one sample of the type that matches the
    /// filter.
    func seesAny() async throws -> Bool { try await !samples([], limit: 1).isEmpty }

    private func samples(_ bounds: [NSPredicate], limit: Int?) async throws -> [HKSample] {
        let predicate =
            bounds.isEmpty ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: bounds)
        let query = HKSampleQueryDescriptor(
            predicates: [selection(predicate)],
            sortDescriptors: [SortDescriptor(\HKSample.startDate, order: .reverse)], limit: limit)
        return try await semaphore.withPermit { try await query.result(for: store) }
    }

    private func start(_ sign: String, _ date: Date) -> NSPredicate {
        NSPredicate(
            format: "%K \(sign) %@", HKPredicateKeyPathStartDate, date as any CVarArg)
    }

    private func selection(_ bound: NSPredicate? = nil) -> HKSamplePredicate<HKSample> {
        let predicates = [type.predicate, bound].compactMap { $0 }
        let predicate =
            predicates.count > 1
            ? NSCompoundPredicate(andPredicateWithSubpredicates: predicates) : predicates.first
        return .sample(type: type.sampleType, predicate: predicate)
    }
}

/// A semaphore that limits the number of concurrent queries, because each may block a thread.
actor AsyncSemaphore {
    private var permits: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ permits: Int) { self.permits = permits }

    nonisolated func withPermit<Value: Sendable>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        await wait()
        do {
            let value = try await body()
            await signal()
            return value
        } catch {
            await signal()
            throw error
        }
    }

    private func wait() async {
        if permits > 0 {
            permits -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func signal() {
        guard !waiting.isEmpty else {
            permits += 1
            return
        }
        waiting.removeFirst().resume()
    }
}
