public import Foundation
import GRDB
import HealthCalendar

extension Mirror {
    /// Compares the mirror with the health store by type and UTC day, and checks the file and the
    /// photos.
    ///
    /// Compares UUID, times, value, unit and source of synced entries, but neither device nor
    /// metadata. An entry that is marked as not visible is treated as if the mirror did not have
    /// it. Samples that are saved or deleted during the comparison may be reported as differences,
    /// so repeat it to confirm a difference. Both sides are read in intervals of about 30 days; a
    /// span of 3,000 such intervals or more is read at once.
    ///
    /// - Parameters:
    ///   - types: The types to compare; entries of other types are ignored. Pass all filters under
    ///     which the mirror stores a type. A sample needs to match only one of them.
    ///   - span: The half-open interval of starts to compare; nil for all.
    ///   - store: The health store.
    /// - Returns: The differences. A type that the store cannot read is listed in
    ///   ``VerificationReport/failures``.
    /// - Throws: ``MirrorError``.
    /// - Complexity: O(*n* log *n*) for *n* samples; memory for the samples of one interval.
    public func verify(
        _ types: [TrackedType], over span: Range<Date>? = nil, against store: HKHealthStore
    ) async throws -> VerificationReport {
        var report = VerificationReport(tracked: types)
        let byType = Dictionary(grouping: types) { $0.sampleType.identifier }
        for (type, tracked) in byType.sorted(by: { $0.key < $1.key }) {
            do {
                for mergedInterval in try await mergedIntervals(of: tracked, over: span, store) {
                    try await compare(tracked, mergedInterval, store, &report)
                }
            } catch let error as HKError {
                report.failures[type] = error
            }
        }
        report.damage = try await read { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        }
        try await verifyPhotos(&report)
        return report
    }

    /// Replaces the mirror's entries of the reported types and days with the health store's
    /// samples.
    ///
    /// Missing samples are added. Entries that differ, or are marked as not visible, are
    /// overwritten. Entries that the store does not show are kept and marked as not visible, since
    /// absence does not prove deletion (Semantics §8.14). Each day is changed in one transaction,
    /// and only if the mirror has not changed since the store was read. Whole UTC days are
    /// repaired, even if only a part was compared. Damage of the file and of photos is not
    /// repaired.
    ///
    /// - Parameters:
    ///   - report: The result of ``verify(_:over:against:)``.
    ///   - store: The health store.
    /// - Returns: The numbers of entries added, overwritten and marked as not visible.
    /// - Throws: ``SyncError/busy`` if the mirror changes during each of 8 attempts for a day;
    ///   ``MirrorError``; `HKError`. The days before it stay repaired.
    @discardableResult
    public func repair(
        _ report: VerificationReport, against store: HKHealthStore
    ) async throws -> RepairReport {
        var done = RepairReport()
        for day in report.days {
            let tracked = report.tracked.filter { $0.sampleType.identifier == day.type }
            try await repair(day, tracked, store, &done)
        }
        return done
    }

    // MARK: - Comparison

    /// Returns the half-open intervals for which both sides are read: of about 30 days each, or a
    /// single one for a very long span. If `span` is nil, they contain the starts of all synced
    /// entries and of all samples.
    private func mergedIntervals(
        of tracked: [TrackedType], over span: Range<Date>?, _ store: HKHealthStore
    ) async throws -> [Range<Date>] {
        let month = 30 * UTCDay.seconds
        if let span {
            return Self.cut(span.lowerBound, span.upperBound, by: month)
        }
        guard let type = tracked.first?.sampleType.identifier else { return [] }
        let stored: [Double] = try await read { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT \(EndColumn.columns) FROM entry
                    WHERE type = (SELECT id FROM type WHERE identifier = ?) AND state = 0
                    """, arguments: [type])
            return try [row?.optional(EndColumn.first), row?.optional(EndColumn.last)]
                .compactMap { $0 }
        }
        var ends = stored.map { Date(timeIntervalSinceReferenceDate: $0) }
        for order in [SortOrder.forward, .reverse] {
            ends += try await Self.samples(tracked, nil, order, limit: 1, store).map(\.startDate)
        }
        guard let first = ends.min(), let last = ends.max() else { return [] }
        return Self.cut(first, last.addingTimeInterval(1), by: month)
    }

    /// Divides an interval at UTC midnights into parts of about `length` seconds.
    ///
    /// Parts without data are queried too, for example those between a sample dated 1970 and the
    /// next one. An interval that would have 3,000 parts or more is therefore not divided.
    private static func cut(
        _ first: Date, _ last: Date, by length: TimeInterval
    ) -> [Range<Date>] {
        guard first < last else { return [] }
        let steps = last.timeIntervalSince(first) / length
        guard steps < 3_000 else { return [first..<last] }
        var spans: [Range<Date>] = []
        var from = first
        while from < last {
            let next = UTCDay.start(containing: from.timeIntervalSinceReferenceDate + length)
            let to = min(last, Date(timeIntervalSinceReferenceDate: next))
            spans.append(from..<to)
            from = to
        }
        return spans
    }

    private func compare(
        _ tracked: [TrackedType], _ span: Range<Date>, _ store: HKHealthStore,
        _ report: inout VerificationReport
    ) async throws {
        guard let type = tracked.first?.sampleType.identifier else { return }
        var units = EntryUnits(configuration.units)
        var theirs: [Int: MirrorDayDigest] = [:]
        for sample in try await Self.samples(tracked, span, .forward, limit: nil, store) {
            let fields = MirrorComparedFields(sample, units: &units)
            theirs[fields.day, default: .init()].add(fields)
        }
        let ours: [Int: MirrorDayDigest] = try await read { db in
            try Self.synced(type, span, db).reduce(into: [:]) { days, entry in
                let fields = MirrorComparedFields(entry)
                days[fields.day, default: .init()].add(fields)
            }
        }
        for day in Set(ours.keys).union(theirs.keys).sorted() {
            let (own, their) = (ours[day] ?? .init(), theirs[day] ?? .init())
            report.daysCompared += 1
            report.entriesCompared += own.count
            guard own != their else { continue }
            report.days.append(
                .init(
                    type: type,
                    day: Date(timeIntervalSinceReferenceDate: UTCDay.start(day)),
                    entries: own.count, samples: their.count))
        }
    }

    private static func synced(
        _ type: String, _ span: Range<Date>, _ db: Database
    ) throws -> [MirrorEntry] {
        var request = EntryRequest()
        request.types = [type]
        (request.from, request.to) = (span.lowerBound, span.upperBound)
        request.rule = .starting
        request.states = [.synced]
        return try request.entries(db)
    }

    /// Returns the samples of a type that start in `span`, or all if it is nil, at most `limit` of
    /// them. Each one matches at least one of the tracked filters. They are sorted by start, in the
    /// given order.
    private static func samples(
        _ tracked: [TrackedType], _ span: Range<Date>?, _ order: SortOrder, limit: Int?,
        _ store: HKHealthStore
    ) async throws -> [HKSample] {
        let started = span.map {
            HKQuery.predicateForSamples(
                withStart: $0.lowerBound, end: $0.upperBound, options: .strictStartDate)
        }
        let predicates = tracked.map { type in
            let parts = [started, type.predicate].compactMap { $0 }
            return HKSamplePredicate<HKSample>.sample(
                type: type.sampleType,
                predicate: parts.isEmpty
                    ? nil : NSCompoundPredicate(andPredicateWithSubpredicates: parts))
        }
        let samples = try await HKSampleQueryDescriptor(
            predicates: predicates, sortDescriptors: [SortDescriptor(\.startDate, order: order)],
            limit: limit
        ).result(for: store)
        // A sample that matches two filters must count once, whether the store returns it once or
        // twice.
        var seen: Set<UUID> = []
        return samples.filter { seen.insert($0.uuid).inserted }
    }

    private func verifyPhotos(_ report: inout VerificationReport) async throws {
        let digests = try await read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT digest FROM attachment
                    WHERE digest IS NOT NULL ORDER BY digest
                    """)
        }
        for digest in digests {
            switch photos.digest(of: digest) {
            case nil: report.missingPhotos.append(digest)
            case digest: continue
            default: report.damagedPhotos.append(digest)
            }
        }
    }

    // MARK: - Repair

    private func repair(
        _ day: VerificationReport.Day, _ tracked: [TrackedType], _ store: HKHealthStore,
        _ done: inout RepairReport
    ) async throws {
        let span = day.day..<day.day.addingTimeInterval(UTCDay.seconds)
        for _ in 0..<8 {
            let count = try await read { try self.changeCount($0) }
            let samples = try await Self.samples(tracked, span, .forward, limit: nil, store)
            let changes = try await write { db -> RepairReport? in
                // `write` has incremented the counter by one.
                guard try self.changeCount(db) == count + 1 else { return nil }
                return try self.resolve(samples, day.type, span, db)
            }
            guard let changes else { continue }
            done.added += changes.added
            done.changed += changes.changed
            done.hidden += changes.hidden
            return
        }
        throw SyncError.busy
    }

    private func resolve(
        _ samples: [HKSample], _ type: String, _ span: Range<Date>, _ db: Database
    ) throws -> RepairReport {
        var done = RepairReport()
        var units = EntryUnits(configuration.units)
        var missing = Set(try Self.synced(type, span, db).map(\.id))
        let rows = try rows(db)
        for sample in samples {
            missing.remove(sample.uuid)
            guard let entry = try entry(sample.uuid, db) else {
                done.added += 1
                try rows.upsert(sample)
                continue
            }
            let fields = MirrorComparedFields(sample, units: &units)
            if entry.state == .synced, fields.digest == MirrorComparedFields(entry).digest {
                continue
            }
            done.changed += 1
            try rows.upsert(sample)
        }
        for uuid in missing {
            // A sample that was just added may have replaced the entry.
            guard try entry(uuid, db) != nil else { continue }
            try setState(.notVisible, of: uuid, db)
            done.hidden += 1
        }
        return done
    }
}

private enum EndColumn: Int, RowColumn {
    case first, last

    var sql: String { self == .first ? "min(start)" : "max(start)" }
}
