import Foundation
import GRDB
public import HealthEngine

/// What is to leave a store: samples of some types or of all that touch a range of time.
public struct ExportSelection: Sendable {
    /// Empty means all.
    public var types: [SampleType]
    /// `[from, to)` in reference seconds.
    public var from: Double
    public var to: Double
    /// Where days begin: rings belong to days without a zone, and those are chosen whose day the
    /// range touches. UTC unless given.
    public var calendar: CalendarBuckets

    /// What is exported: without arguments the whole store.
    ///
    /// - Parameters:
    ///   - types: Empty means all.
    ///   - from: The first moment, in reference seconds.
    ///   - to: The first moment that is no longer exported, in reference seconds.
    ///   - calendar: Where days begin, for the rings of days; UTC unless given.
    public init(
        types: [SampleType] = [], from: Double = -.infinity, to: Double = .infinity,
        in calendar: CalendarBuckets? = nil
    ) {
        self.types = types
        self.from = from
        self.to = to
        self.calendar = calendar ?? CalendarBuckets(timeZone: .gmt)
    }

    /// Whether it is the whole store.
    public var isEverything: Bool { types.isEmpty && from == -.infinity && to == .infinity }
}

/// Samples of one type on their way out, with all that they refer to.
public struct ExportedBatch: Sendable {
    public var type: SampleType
    /// In (start, key) order.
    public var batch: SampleBatch
    /// One for each sample, in upper case.
    public var uuids: [String]
    /// The UUIDs of what correlations and workouts hold, by index of theirs, in order of start;
    /// none where members stand in the batch itself.
    public var members: [Int: [String]]
}

/// Where members of correlations and workouts stand on their way out.
public enum ExportedMembership: Sendable {
    /// Among the samples of their own type.
    case apart
    /// Behind the samples of the batch that holds their correlation or workout, and there alone,
    /// with ``SampleBatch/parents``; those that more than one holds in the first one's,
    /// correlations before workouts. Whatever holds something itself stays where it is.
    case together
}

/// Where the points of imported workouts' routes are on their way out.
public enum ExportedRoutes: Sendable {
    /// In the store alone: ``WorkoutRoute/storedPoints`` tells of them.
    case apart
    /// In their workouts too: ``WorkoutRoute/points``.
    case within
}

extension SampleStore {
    /// Samples that may have routes, in a batch: a long route has a megabyte.
    private static let fewSamples = 16

    /// Hands every sample of a selection to `body`, type by type in order of identifiers, as one
    /// consistent look at the file. Equal stores give equal batches.
    ///
    /// ```swift
    /// var count = 0
    /// try store.forEachExportedBatch(ExportSelection()) { count += $0.batch.samples.count }
    /// // count == every sample of the store
    /// ```
    ///
    /// - Parameter size: The most samples in a batch, members that stand together with what holds
    ///   them not counted: memory does not grow with their number. Workouts with their routes come
    ///   in smaller ones.
    /// - Throws: ``StoreError``, and what `body` throws.
    /// - Complexity: O(samples of the selection).
    public func forEachExportedBatch(
        _ selection: ExportSelection, of size: Int = 5_000,
        members membership: ExportedMembership = .apart, routes: ExportedRoutes = .apart,
        _ body: (ExportedBatch) throws -> Void
    ) throws {
        try read { db in
            let table = try sourceTable(db)
            let mayHaveOwn =
                try Int.readOne(db, sql: "SELECT 1 FROM sample WHERE uuid IS NOT NULL LIMIT 1")
                != nil
            let holding = try Holding(selection, db)
            for type in try SampleStore.types(of: selection, db) {
                let range = selection.calendar.range(
                    from: selection.from, to: selection.to, of: type)
                let question = SampleQuestion(type, from: range.from, to: range.to)
                let holdsMembers = type.kind == .correlation || type.kind == .workout
                let mayHoldRoutes =
                    type.name == "workoutRoute" || (type.kind == .workout && routes == .within)
                let size = mayHoldRoutes ? min(size, SampleStore.fewSamples) : size
                try SampleStore.forEachBatch(question, table, of: size, limit: nil, db) { batch in
                    var batch = batch
                    if routes == .within { try SampleStore.addPoints(to: &batch, db) }
                    var members: [Int: [String]] = [:]
                    switch membership {
                    case .apart where holdsMembers:
                        members = try SampleStore.members(of: batch, db)
                    case .apart: break
                    case .together:
                        try holdsMembers
                            ? holding.addMembers(to: &batch, table, db)
                            : holding.removeMembers(from: &batch, db)
                        if batch.samples.isEmpty { return }
                    }
                    let own = mayHaveOwn ? try SampleStore.ownUUIDs(batch, db) : [:]
                    try body(
                        ExportedBatch(
                            type: type, batch: batch,
                            uuids: batch.samples.map { own[$0.sequence] ?? $0.importedUUID },
                            members: members))
                }
            }
        }
    }

    /// The types of a selection that have samples, by identifier.
    static func types(of selection: ExportSelection, _ db: Database) throws -> [SampleType] {
        let known = try knownTypes(db)
        let present = try Int32.readAll(db, sql: "SELECT DISTINCT type FROM sample")
        let chosen = Set(selection.types.map(\.identifier))
        return present.compactMap { known[$0] }
            .filter { chosen.isEmpty || chosen.contains($0.identifier) }
            .sorted { $0.identifier < $1.identifier }
    }

    private static func members(of batch: SampleBatch, _ db: Database) throws -> [Int: [String]] {
        var places: [Int64: Int] = [:]
        for (index, sample) in batch.samples.enumerated() { places[sample.sequence] = index }
        let rows = try CheckedRow.readAll(
            db,
            sql: "SELECT parent, type, start_time, key, uuid FROM membership "
                + "JOIN sample ON sequence = child "
                + "WHERE parent IN (SELECT value FROM json_each(?)) "
                + "ORDER BY parent, start_time, type, key",
            arguments: [sequences(batch)])
        var members: [Int: [String]] = [:]
        for row in rows {
            guard let place = places[try row["parent"]] else { continue }
            let uuid: Data? = try row["uuid"]
            let own = uuid.flatMap(ImportedIdentity.text(stored:))
            let made = ImportedIdentity.uuid(
                type: try row["type"], start: try row["start_time"], key: try row["key"])
            members[place, default: []].append(own ?? ImportedIdentity.text(made))
        }
        return members
    }
}
