public import HealthDashboard
import HealthEngine
public import HealthStorage

/// Revisions over a store of this package: the last change of a type, with the order of its
/// sources, what the program was granted, and the home zone.
///
/// A stamp names a number of a change behind which nothing happened to the type. When a process
/// asks for the first time it is the last number of all, so that a change of any type makes every
/// page count as old once; from then on each type has its own.
public actor StoreRevisions: RevisionProvider {
    private let store: SampleStore
    private let client: String?
    /// The last number of a change that was looked at.
    private var head: Int64?
    /// The number the types begin with that haven't changed since.
    private var first: Int64 = 0
    private var last: [Int32: Int64] = [:]

    /// - Parameter client: The bundle identifier of who reads; nil for one that may see everything.
    public init(store: SampleStore, client: String? = nil) {
        self.store = store
        self.client = client
    }

    /// - Complexity: O(changes since the last call + sources); a millisecond where nothing changed.
    public func revisions(of metrics: [Metric]) async throws -> [Metric: Revision] {
        try lookForChanges()
        let settings = String(try store.settingsFingerprint(for: client), radix: 16)
        var revisions: [Metric: Revision] = [:]
        for metric in metrics {
            let number = Catalogue.type(identifier: metric.identifier).flatMap { last[$0.code] }
            // What hangs on a workout changes with samples of other types.
            let stamp = metric == .workouts ? head : number
            revisions[metric] = Revision("\(stamp ?? first) \(settings)")
        }
        return revisions
    }

    private func lookForChanges() throws {
        guard let head else {
            let now = try store.lastSequence
            (head, first) = (now, now)
            return
        }
        let (types, now) = try store.changedTypes(after: head)
        for type in types { last[type] = now }
        // Numbers were given, and nothing is left to tell of which type: it may have been any.
        if now != head && types.isEmpty { (first, last) = (now, [:]) }
        self.head = now
    }
}

extension SleepSources {
    /// The order and the exclusions of sleep in a store.
    ///
    /// - Throws: `StoreError`.
    package init(of store: SampleStore) throws {
        guard let type = Catalogue.type(identifier: Metric.sleep.identifier) else {
            self.init(ranking: [], excluded: [])
            return
        }
        let priority = try store.sourcePriority(of: type)
        self.init(ranking: priority.ranking, excluded: priority.excluded)
    }
}
