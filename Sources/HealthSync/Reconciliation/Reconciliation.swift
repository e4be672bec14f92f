public import Foundation
import GRDB

extension Mirror {
    /// Compares entries with what HealthKit shows, and takes HealthKit's word.
    ///
    /// ```swift
    /// let report = try await mirror.reconcile([TrackedType(HKQuantityType(.bodyMass))], with: store)
    /// // added 2, changed 0, shown again 0, hidden 1, removed 0
    /// ```
    /// What HealthKit has and the mirror lacks is added, and what differs is taken over. An entry that
    /// HealthKit doesn't show is removed only on proof: an own sample, while sharing is authorized
    /// before and after and HealthKit shows anything of the type in the window (Semantics §8.14);
    /// the entry of any other, and of all in a window that is wholly empty, is kept as
    /// ``Entry/State/notVisible``. Wishes in the journal are settled first, as
    /// ``WriteThrough/recover()`` does; nothing else is written to HealthKit or deleted from it.
    ///
    /// It goes page by page, and what the mirror learns meanwhile from others wins: nothing that is
    /// deleted during the comparison comes back. Broken off anywhere it leaves a mirror that is right
    /// as far as it came.
    ///
    /// - Parameters:
    ///   - types: What is compared. An entry of a type counts as shown if any of the type's filters
    ///     selects its sample, so name all filters that the mirror keeps of a type.
    ///   - span: Which starts are compared: from so many days ago, or all.
    ///   - tombstoneLifetime: See ``WriteThrough/init(store:mirror:tombstoneLifetime:now:)``.
    /// - Throws: ``MirrorError``, `CancellationError`. A type that HealthKit won't show is named in the
    ///   report, and keeps no other from being compared.
    /// - Complexity: O(*n* log *m*) for *n* samples beside *m* entries; memory for one page, and 24
    ///   bytes for each entry that isn't shown.
    @discardableResult
    public func reconcile(
        _ types: [TrackedType], over span: ReconciledSpan = .days(90), with store: HKHealthStore,
        tombstoneLifetime: TimeInterval = 7 * 86_400, now: @Sendable () -> Date = { Date() }
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
    /// The first start that is compared; nil for all.
    func start(at now: Date) -> Date? {
        switch self {
        case .days(let days): now.addingTimeInterval(-86_400 * Double(days))
        case .everything: nil
        }
    }
}

extension TrackedType {
    /// What any of some filters of one type selects.
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

/// The comparison of one type over one window.
struct Reconciliation {
    let mirror: Mirror
    let store: HKHealthStore
    let type: TrackedType
    let since: Date?
    var pageSize = 1000

    /// An entry that a page of HealthKit's didn't hold.
    struct Absentee: Sendable {
        let entry: UUID
        /// The change counter when the page was read: what changed later isn't absent.
        let change: Int64
    }

    func run(_ report: inout ReconciliationReport) async throws {
        let before = store.authorizationStatus(for: type.sampleType)
        let reader = PageReader(store: store, type: type, pageSize: pageSize, gate: ReadGate(1))
        var absentees: [Absentee] = []
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
            let absent = try await settle(page.samples, span, change, &report)
            absentees += absent.map { Absentee(entry: $0, change: change) }
            guard case .history(let start) = page.next else { break }
            upper = start
        }
        report.samples += seen
        try await settle(
            absentees, mayProve: before == .sharingAuthorized && seen > 0, &report)
        try mirror.probe.reached(.windowSettled)
    }

    /// Brings what HealthKit shows into the mirror.
    ///
    /// - Returns: The entries of the page's span that it doesn't show.
    private func settle(
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
        let done = try await mirror.write(.readAgain) { db in
            try found.apply(mirror, change: change, db)
        }
        report.added += done.added
        report.changed += done.changed
        report.shownAgain += done.again
        return found.absent
    }
}

// MARK: - What isn't shown

extension Reconciliation {
    private static let portion = 500

    private func settle(
        _ absentees: [Absentee], mayProve: Bool, _ report: inout ReconciliationReport
    ) async throws {
        guard !absentees.isEmpty else { return }
        let bundle = mayProve ? try await ownBundle() : nil
        var rest = absentees[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            let portion = Array(rest.prefix(Self.portion))
            rest = rest.dropFirst(Self.portion)
            let proven = try await provenGone(portion.map(\.entry), bundle)
            let mirror = mirror
            let done = try await mirror.write(.readAgain) { db in
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

    /// Those of some entries that are an own sample's, which HealthKit doesn't have under any filter,
    /// while sharing is authorized.
    private func provenGone(_ entries: [UUID], _ bundle: String?) async throws -> Set<UUID> {
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

    private static func apply(
        _ portion: [Absentee], _ proven: Set<UUID>, _ mirror: Mirror, _ db: Database
    ) throws -> (hidden: Int, removed: Int) {
        let rows = try mirror.rows(db)
        let states = try db.cachedStatement(sql: "SELECT state, change FROM entry WHERE uuid = ?")
        var done = (hidden: 0, removed: 0)
        for absentee in portion {
            let uuid = absentee.entry
            guard let row = try Row.fetchOne(states, arguments: [uuid]),
                try row.value(1) <= absentee.change
            else { continue }
            if proven.contains(uuid) {
                try rows.remove(uuid, provenBy: .absence)
                done.removed += 1
            } else if try row.value(0) != Entry.State.notVisible.stored {
                try mirror.setState(.notVisible, of: uuid, db)
                done.hidden += 1
            }
        }
        return done
    }
}
