import Foundation
import GRDB
public import HealthCalendar
public import HealthEngine

/// The samples to export: those of some or all types that touch a time range.
public struct ExportSelection: Sendable {
    /// The types; empty for all.
    public var types: [SampleType]
    /// The start of the range (inclusive), in seconds since the reference date.
    public var from: Double
    /// The end of the range (exclusive), in seconds since the reference date.
    public var to: Double
    /// The calendar whose days are used for activity summaries, which belong to dates without a
    /// time zone. Those whose day touches the range are exported.
    public var calendar: CalendarBuckets

    /// Creates a selection, by default of the whole store.
    ///
    /// - Parameters:
    ///   - types: The types; empty for all.
    ///   - from: The start of the range (inclusive), in seconds since the reference date.
    ///   - to: The end of the range (exclusive), in seconds since the reference date.
    ///   - calendar: The calendar whose days are used for activity summaries; nil for UTC.
    public init(
        types: [SampleType] = [], from: Double = -.infinity, to: Double = .infinity,
        in calendar: CalendarBuckets? = nil
    ) {
        self.types = types
        self.from = from
        self.to = to
        self.calendar = calendar ?? CalendarBuckets(timeZone: .gmt)
    }

    /// Whether the selection is the whole store.
    public var isEverything: Bool { types.isEmpty && from == -.infinity && to == .infinity }
}

/// A batch of exported samples of one type, with the values they refer to.
package struct ExportedBatch: Sendable {
    /// The type of the samples. Appended members can have other types.
    package var type: SampleType
    /// The samples in (start, key) order, and the values they refer to.
    package var batch: SampleBatch
    /// The UUIDs in upper case, by index of the sample.
    package var uuids: [String]
    /// The UUIDs of the members of correlations and workouts, by index of the parent, in order of
    /// start. Empty if the members are in the batch.
    package var members: [Int: [String]]
    /// What programs attached to the samples, by index of the sample.
    package var attachments: [Int: [StoredAttachment]] = [:]
}

/// Where members of correlations and workouts are exported.
package enum ExportedMembership: Sendable {
    /// With the samples of their own type.
    case separate
    /// After the samples of the batch with their parent and nowhere else, linked by
    /// `SampleBatch.parents`. A sample with several parents goes with the first one; correlations
    /// come before workouts. Correlations and workouts that are members themselves stay with their
    /// own type.
    case withParents
}

/// Where the points of imported workout routes and the voltages of imported electrocardiograms are
/// exported.
package enum ExportedRoutes: Sendable {
    /// Not in the batch. `WorkoutRoute.storedPoints` refers to points in the store, and voltages
    /// are in the kept file.
    case separate
    /// In `WorkoutRoute.points` of the workouts, and in the numbers of the electrocardiograms.
    case inline
}

extension SampleStore {
    /// The maximum batch size of samples with routes or voltages. A long route takes a megabyte.
    private static let fewSamples = 16

    /// Calls `body` with every sample of a selection, type by type in order of identifier, from one
    /// consistent state of the file. Every sample is covered, whatever a program is authorized to
    /// read.
    ///
    /// ```swift
    /// var count = 0
    /// try store.forEachExportedBatch(ExportSelection()) { count += $0.batch.samples.count }
    /// // count == every sample of the store
    /// ```
    ///
    /// - Parameters:
    ///   - selection: The samples to export.
    ///   - size: The maximum number of samples in a batch, without appended members. It bounds the
    ///     memory used. Batches of workouts with route points, of routes, of electrocardiograms and of
    ///     documents have at most 16.
    ///   - membership: Where members of correlations and workouts are exported.
    ///   - routes: Where the points of imported workout routes and the voltages of imported
    ///     electrocardiograms are exported.
    ///   - body: Receives each batch, which is never empty.
    /// - Throws: ``StoreError`` if the file can't be read, and errors of `body`.
    /// - Complexity: O(samples of the selection + types × log n) for n samples of the store.
    package func forEachExportedBatch(
        _ selection: ExportSelection, of size: Int = 5_000,
        members membership: ExportedMembership = .separate, routes: ExportedRoutes = .separate,
        _ body: (ExportedBatch) throws -> Void
    ) throws {
        try read { db in
            let table = try sourceTable(db)
            let mayHaveOwn =
                try Int.readOne(db, sql: "SELECT 1 FROM sample WHERE uuid IS NOT NULL LIMIT 1")
                != nil
            let hasAttachments =
                try Int.readOne(db, sql: "SELECT 1 FROM attachment LIMIT 1") != nil
            let parents = try ExportedParents(selection, db)
            for type in try SampleStore.types(of: selection, db) {
                let range = selection.calendar.range(
                    from: selection.from, to: selection.to, of: type)
                let query = SampleQuery(type, from: range.from, to: range.to)
                let holdsMembers = type.kind == .correlation || type.kind == .workout
                let mayHoldRoutes =
                    ["workoutRoute", "electrocardiogram"].contains(type.name)
                    || (type.kind == .workout && routes == .inline) || type.holdsDocuments
                let size = mayHoldRoutes ? min(size, SampleStore.fewSamples) : size
                try SampleStore.forEachBatch(query, table, of: size, limit: nil, db) { batch in
                    var batch = batch
                    if routes == .inline { try SampleStore.addSeries(to: &batch, of: type, db) }
                    var members: [Int: [String]] = [:]
                    switch membership {
                    case .separate where holdsMembers:
                        members = try SampleStore.members(of: batch, db)
                    case .separate: break
                    case .withParents:
                        try holdsMembers
                            ? parents.addMembers(to: &batch, table, db)
                            : parents.removeMembers(from: &batch, db)
                        if batch.samples.isEmpty { return }
                    }
                    let own = mayHaveOwn ? try SampleStore.ownUUIDs(batch, db) : [:]
                    try body(
                        ExportedBatch(
                            type: type, batch: batch,
                            uuids: batch.samples.map { own[$0.sequence] ?? $0.importedUUID },
                            members: members,
                            attachments: hasAttachments
                                ? SampleStore.attachments(of: batch, db) : [:]))
                }
            }
        }
    }

    /// Adds what is stored apart from its samples: points of routes, and voltages.
    private static func addSeries(
        to batch: inout SampleBatch, of type: SampleType, _ db: Database
    ) throws {
        try addPoints(to: &batch, db)
        if type.name == "electrocardiogram" { try addVoltages(to: &batch, db) }
    }

    /// Returns the types of a selection that have samples, in order of identifier.
    static func types(of selection: ExportSelection, _ db: Database) throws -> [SampleType] {
        let known = try knownTypes(db)
        let present = try presentTypeCodes(db)
        let selected = Set(selection.types.map(\.identifier))
        return present.compactMap { known[$0] }
            .filter { selected.isEmpty || selected.contains($0.identifier) }
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
            let derived = ImportedIdentity.uuid(
                type: try row["type"], start: try row["start_time"], key: try row["key"])
            members[place, default: []].append(own ?? ImportedIdentity.text(derived))
        }
        return members
    }
}
