public import Foundation
import GRDB

extension Mirror {
    /// Compares entries with the samples that HealthKit shows, and updates the entries.
    ///
    /// ```swift
    /// let report = try await mirror.reconcile(
    ///     [TrackedType(HKQuantityType(.bodyMass))], with: store)
    /// // added 2, changed 0, shown again 0, hidden 1, removed 0
    /// ```
    /// Missing samples are added, and entries that differ are overwritten. An entry that HealthKit
    /// does not show is removed only if its deletion is proven (Semantics §8.14). For that, it must
    /// be the app's own sample, and sharing must be authorized before and after the comparison.
    /// HealthKit must also show at least one sample that matches the type's filters in the span.
    /// Every other such entry is kept as ``MirrorEntry/State/notVisible``.
    ///
    /// Pending writes in the journal are completed first, as by ``WriteThrough/recover()``. Nothing
    /// else is written to HealthKit or deleted from it.
    ///
    /// Samples are compared page by page. Changes that reach the mirror during the comparison take
    /// precedence, so a sample deleted meanwhile is not restored. Entries that HealthKit does not
    /// show are marked or removed after the last page of their type. After an interruption, the
    /// additions and overwritten entries of the pages compared so far stay.
    ///
    /// - Parameters:
    ///   - types: The types to compare. Pass all filters under which the mirror stores a type,
    ///     because an entry counts as shown if its sample matches any of them.
    ///   - span: How far back to compare, by the starts of samples; 90 days by default.
    ///   - store: The health store.
    ///   - tombstoneLifetime: How long HealthKit is assumed to keep tombstones, in seconds; see
    ///     ``WriteThrough/init(store:mirror:tombstoneLifetime:now:)``.
    ///   - now: Returns the current date.
    /// - Returns: The numbers of changes. A type that HealthKit cannot read is listed in
    ///   ``ReconciliationReport/failures``; the other types are compared.
    /// - Throws: ``MirrorError``, `CancellationError`.
    /// - Complexity: O(*n* log *m*) for *n* samples and *m* entries; memory for one page, and 24
    ///   bytes for each entry that is not shown.
    @discardableResult
    public func reconcile(
        _ types: [TrackedType], over span: ReconciledSpan = .days(90), with store: HKHealthStore,
        tombstoneLifetime: TimeInterval = Tombstones.lifetime,
        now: @Sendable () -> Date = { Date() }
    ) async throws -> ReconciliationReport {
        let date = now()
        let writing = WriteThrough(
            store: store, mirror: self, tombstoneLifetime: tombstoneLifetime, now: { date },
            probe: probe)
        var report = ReconciliationReport()
        report.recoveries = try await writing.recover()
        var groups: [String: [TrackedType]] = [:]
        for type in types { groups[type.sampleType.identifier, default: []].append(type) }
        for (identifier, group) in groups.sorted(by: { $0.key < $1.key }) {
            let reconciliation = Reconciliation(
                mirror: self, store: store, type: TrackedType(anyOf: group),
                since: span.start(at: date))
            do {
                try await reconciliation.run(&report)
            } catch let error as HKError {
                report.failures[identifier] = error
            }
        }
        return report
    }
}

extension ReconciledSpan {
    /// The earliest start to compare, inclusive; nil for all.
    func start(at now: Date) -> Date? {
        switch self {
        case .days(let days): now.addingTimeInterval(-86_400 * Double(days))
        case .everything: nil
        }
    }
}

extension TrackedType {
    /// Combines the filters of one type with OR. If one of the types has no filter, the result has
    /// none.
    init(anyOf types: [TrackedType]) {
        let predicates = types.compactMap(\.predicate)
        self =
            predicates.count == types.count
            ? TrackedType(
                types[0].sampleType,
                where: predicates.count == 1
                    ? predicates[0] : NSCompoundPredicate(orPredicateWithSubpredicates: predicates),
                named: "any")
            : TrackedType(types[0].sampleType)
    }
}

/// A comparison of one type's entries and samples that start at `since` or later, or of all if nil.
struct Reconciliation {
    let mirror: Mirror
    let store: HKHealthStore
    let type: TrackedType
    let since: Date?
    var pageSize = 1000

    /// An entry without a sample in the page that covers its start.
    struct MissingEntry: Sendable {
        let entry: UUID
        /// The change counter before the page was read. An entry that changed later may have a
        /// sample.
        let change: Int64
    }

    func run(_ report: inout ReconciliationReport) async throws {
        let before = store.authorizationStatus(for: type.sampleType)
        let reader = PageReader(
            store: store, type: type, pageSize: pageSize, semaphore: AsyncSemaphore(1))
        var absentees: [MissingEntry] = []
        var upper = Date.distantFuture
        var seen = 0
        while true {
            try Task.checkCancellation()
            let change = try await mirror.read { db in try Mirror.changeCount(db) }
            let page = try await reader.history(before: upper, since: since)
            try mirror.probe.reached(.windowRead)
            seen += page.samples.count
            var lower = since
            if case .history(let start) = page.next { lower = start }
            let span = ReconciledPage.Span(from: lower, to: upper < .distantFuture ? upper : nil)
            let absent = try await resolve(page.samples, span, change, &report)
            absentees += absent.map { MissingEntry(entry: $0, change: change) }
            guard case .history(let start) = page.next else { break }
            upper = start
        }
        report.samples += seen
        try await resolve(
            absentees, mayProve: before == .sharingAuthorized && seen > 0, &report)
        try mirror.probe.reached(.windowCommitted)
    }

    /// Compares a page of samples with the mirror. Adds missing entries, overwrites those that
    /// differ, and marks equal ones as synced again.
    ///
    /// - Returns: The UUIDs of entries in the page's span without a sample, which are not changed.
    private func resolve(
        _ samples: [HKSample], _ span: ReconciledPage.Span, _ change: Int64,
        _ report: inout ReconciliationReport
    ) async throws -> [UUID] {
        let configuration = mirror.configuration
        let identifier = type.sampleType.identifier
        let found = try await mirror.read { db in
            var page = ReconciledPage(samples, change: change, configuration)
            try page.compare(identifier, span, db)
            return page.differences
        }
        try mirror.probe.reached(.windowCompared)
        guard !found.shown.isEmpty || !found.again.isEmpty else { return found.absent }
        let mirror = mirror
        let done = try await mirror.write(.normal) { db in
            try found.apply(mirror, change: change, db)
        }
        report.added += done.added
        report.changed += done.changed
        report.shownAgain += done.again
        return found.absent
    }
}

// MARK: - Absent entries

extension Reconciliation {
    private static let portion = 500

    private func resolve(
        _ absentees: [MissingEntry], mayProve: Bool, _ report: inout ReconciliationReport
    ) async throws {
        guard !absentees.isEmpty else { return }
        let bundle = mayProve ? try await ownBundle() : nil
        var remaining = absentees[...]
        while !remaining.isEmpty {
            try Task.checkCancellation()
            let portion = Array(remaining.prefix(Self.portion))
            remaining = remaining.dropFirst(Self.portion)
            let proven = try await provenDeleted(portion.map(\.entry), bundle)
            let mirror = mirror
            let done = try await mirror.write(.normal) { db in
                try Self.apply(portion, proven, mirror, db)
            }
            report.hidden += done.hidden
            report.removed += done.removed
        }
    }

    private func ownBundle() async throws -> String? {
        if let known = try await mirror.read({ db in try mirror.ownBundle(db) }) { return known }
        return try await OwnSamples(store: store).bundleIdentifier(of: [type.sampleType])
    }

    /// Returns which entries are deleted own samples: those of the app `bundle` that a query
    /// without the type's filters does not find. Returns none if `bundle` is nil or sharing is not
    /// authorized.
    private func provenDeleted(_ entries: [UUID], _ bundle: String?) async throws -> Set<UUID> {
        guard let bundle else { return [] }
        let own = try await mirror.read { db in
            try entries.filter { uuid in
                try Bool.fetchOne(
                    db.cachedStatement(
                        sql: """
                            SELECT EXISTS (SELECT 1 FROM entry
                                JOIN origin ON origin.id = entry.origin
                                WHERE uuid = ? AND bundle = ?)
                            """), arguments: [uuid, bundle]) ?? false
            }
        }
        guard !own.isEmpty else { return [] }
        let query = HKSampleQueryDescriptor<HKSample>(
            predicates: [
                .sample(
                    type: type.sampleType,
                    predicate: HKQuery.predicateForObjects(with: Set(own)))
            ], sortDescriptors: [])
        let found = try await query.result(for: store).map(\.uuid)
        guard store.authorizationStatus(for: type.sampleType) == .sharingAuthorized else {
            return []
        }
        return Set(own).subtracting(found)
    }

    private enum StateColumn: Int, RowColumn { case state, change }

    private static func apply(
        _ portion: [MissingEntry], _ proven: Set<UUID>, _ mirror: Mirror, _ db: Database
    ) throws -> (hidden: Int, removed: Int) {
        let rows = try mirror.rows(db)
        let states = try db.cachedStatement(
            sql: "SELECT \(StateColumn.columns) FROM entry WHERE uuid = ?")
        var done = (hidden: 0, removed: 0)
        for absentee in portion {
            let uuid = absentee.entry
            guard let row = try Row.fetchOne(states, arguments: [uuid]),
                try row.value(StateColumn.change) <= absentee.change
            else { continue }
            if proven.contains(uuid) {
                try rows.remove(uuid, provenBy: .absence)
                done.removed += 1
            } else if try row.value(StateColumn.state) != MirrorEntry.State.notVisible.stored {
                try mirror.setState(.notVisible, of: uuid, db)
                done.hidden += 1
            }
        }
        return done
    }
}

/// The results of one call of ``Mirror/reconcile(_:over:with:tombstoneLifetime:now:)``.
public struct ReconciliationReport: Sendable {
    /// The number of samples that HealthKit showed in the compared span, summed over the types that
    /// are not in ``failures``.
    public var samples = 0
    /// The number of entries added, for samples that had no entry.
    public var added = 0
    /// The number of entries that differed from HealthKit's samples and were overwritten, including
    /// those that were marked as ``MirrorEntry/State/notVisible``.
    public var changed = 0
    /// The number of entries that were marked as ``MirrorEntry/State/notVisible``, and that
    /// HealthKit shows again with equal values.
    public var shownAgain = 0
    /// The number of entries that were synced before, that HealthKit does not show, and that are
    /// now marked as ``MirrorEntry/State/notVisible``. Entries marked earlier are not counted.
    public var hidden = 0
    /// The number of entries removed, because the deletion of their samples is proven.
    public var removed = 0
    /// The results for the pending writes and removals in the mirror's journal, from
    /// ``WriteThrough/recover()`` before the comparison. Not all of them need be completed.
    public var recoveries: [Recovery] = []
    /// The errors of types that could not be read to their end from HealthKit, by type identifier.
    public var failures: [String: HKError] = [:]

    /// Whether the comparison changed any entry, because the mirror differed from HealthKit.
    /// Completed pending writes do not count.
    public var foundDifferences: Bool {
        added + changed + shownAgain + hidden + removed > 0
    }

    /// Whether all types were compared to their end, so ``failures`` is empty.
    public var isComplete: Bool { failures.isEmpty }
}
