package import HealthDashboard
import HealthEngine
package import HealthStorage

/// Revisions of the metrics in a ``SampleStore``. A metric's revision changes with the samples of
/// its type, and with any setting of the store: sources, their order and exclusions, the client's
/// grants and the home time zone. The revisions of amounts also change with what phones send, once
/// the store has totals of Apple's.
///
/// A revision contains a sequence number after which the type did not change. On the first call it
/// is the store's last number, so any change between two runs of a program invalidates every page
/// once. From then on each type has its own number.
package actor StoreRevisions: RevisionProvider {
    private let store: SampleStore
    private let client: String?
    /// The last sequence number that was read.
    private var head: Int64?
    /// The sequence number in revisions of types without a known change since it.
    private var baseline: Int64 = 0
    /// The store's last sequence number when a type's latest change was noticed, by type code.
    private var changes: [Int32: Int64] = [:]

    /// Creates a provider of revisions.
    ///
    /// - Parameters:
    ///   - store: The store to read.
    ///   - client: The bundle identifier of the reading program; nil for one with access to
    ///     everything.
    package init(store: SampleStore, client: String? = nil) {
        self.store = store
        self.client = client
    }

    /// Returns the current revisions of some metrics.
    ///
    /// - Parameter metrics: The metrics.
    /// - Returns: A revision for each metric.
    /// - Throws: `StoreError` if the store can't be read.
    /// - Complexity: O(*c* + *s*), where *c* is the number of changes since the last call and *s*
    ///   is the number of sources and settings.
    package func revisions(of metrics: [Metric]) async throws -> [Metric: Revision] {
        try readChanges()
        let settings = String(try store.settingsFingerprint(for: client), radix: 16)
        let totals = try store.receivedTotalsStamp()
        var revisions: [Metric: Revision] = [:]
        for metric in metrics {
            let number = Catalogue.type(identifier: metric.identifier).flatMap { changes[$0.code] }
            // A workout's data changes with samples of other types.
            let stamp = metric == .workouts ? head : number
            let received = metric.kind == .amount && !totals.isEmpty ? " " + totals : ""
            revisions[metric] = Revision("\(stamp ?? baseline) \(settings)\(received)")
        }
        return revisions
    }

    private func readChanges() throws {
        guard let head else {
            let now = try store.lastSequence
            (head, baseline) = (now, now)
            return
        }
        let (types, now) = try store.changedTypes(after: head)
        for type in types { changes[type] = now }
        // The number has grown, but no change is recorded any more, so any type may have changed.
        if now != head && types.isEmpty { (baseline, changes) = (now, [:]) }
        self.head = now
    }
}

extension SleepSources {
    /// Reads the source order and the exclusions of sleep from a store.
    ///
    /// - Throws: `StoreError` if the store can't be read.
    package init(of store: SampleStore) throws {
        guard let type = Catalogue.type(identifier: Metric.sleep.identifier) else {
            self.init(ranking: [], excluded: [])
            return
        }
        let priority = try store.sourcePriority(of: type)
        self.init(ranking: priority.ranking, excluded: priority.excluded)
    }
}
