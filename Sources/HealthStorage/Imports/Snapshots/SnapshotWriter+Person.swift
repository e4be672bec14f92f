import GRDB
import HealthEngine

/// What a file has in common with earlier imports, as evidence that both belong to one person.
///
/// If the file or the earlier imports have no sources, no records or no devices, these count as
/// shared. In a first import, ``sharesRecords`` is false nevertheless.
package struct PersonEvidence: Sendable, Hashable {
    /// Whether a source of the file was known before, possibly under another name.
    package var sharesSources: Bool
    /// Whether a sample of the file was stored before, even with another value.
    package var sharesRecords: Bool
    /// Whether the range of starts of the file's samples overlaps that of earlier imports. Always
    /// false in a first import and if ``sharesRecords`` is true.
    package var overlapsInTime: Bool
    /// Whether an iPhone, iPod or Apple Watch of the file was known before, by its source and
    /// hardware version. Always true in a first import and if ``sharesRecords`` is true.
    package var sharesDevices: Bool
}

extension SnapshotWriter {
    /// Returns what this file has in common with earlier imports.
    ///
    /// Call it after ``finish(_:)``, which detects renamed sources. Activity summaries are ignored,
    /// because they are identified only by their day. Samples that programs saved are ignored too.
    ///
    /// - Returns: The evidence.
    /// - Throws: An error if the file can't be read.
    /// - Complexity: O(sources) if a record is shared, otherwise O(stored samples).
    package func personEvidence() throws -> PersonEvidence {
        let shared = [outcome.records, outcome.correlations, outcome.workouts]
            .contains { $0.unchanged + $0.changed > 0 }
        var evidence = PersonEvidence(
            sharesSources: try sharesSources(), sharesRecords: shared, overlapsInTime: false,
            sharesDevices: true)
        if isFirst || shared { return evidence }
        guard let old = try extent(ofOld: true), let new = try extent(ofOld: false) else {
            evidence.sharesRecords = true
            return evidence
        }
        evidence.overlapsInTime =
            old.lowerBound <= new.upperBound
            && new.lowerBound <= old.upperBound
        evidence.sharesDevices = try sharesDevices()
        return evidence
    }

    private func sharesSources() throws -> Bool {
        let imported = Set(try originCounts.keys.map { try originCache.entry($0).source })
            .subtracting([0])
        let new = Set(interning.newSources)
        let known = try Int64.readSet(
            db,
            sql: """
                SELECT id FROM source WHERE identity IS NOT NULL AND identity <> ?
                    AND EXISTS (SELECT 1 FROM origin WHERE source = source.id)
                """, arguments: [IntakeSources.unnamed]
        ).subtracting(new)
        if imported.isEmpty || known.isEmpty || !imported.isDisjoint(with: known) { return true }
        return try !imported.isDisjoint(with: sourcesOfDevices())
    }

    /// The sources that are proven to be sources of a device, or have the name of one.
    private func sourcesOfDevices() throws -> Set<Int64> {
        try Int64.readSet(
            db,
            sql: """
                SELECT source FROM origin WHERE route IS NOT NULL AND source IS NOT NULL
                UNION
                SELECT alias.source FROM source_alias alias
                JOIN source ON source.identity IS NULL AND source.name = alias.name
                JOIN origin ON origin.source = source.id AND origin.route IS NOT NULL
                """)
    }

    private enum ExtentColumn: Int32, StatementField {
        case first, last

        // The results are named like columns that hold times, so that ``ColumnRule`` checks them as
        // times.
        var sql: String {
            switch self {
            case .first: "min(first) AS start_time"
            case .last: "max(last) AS end_time"
            }
        }
    }

    /// Returns the range of the starts of imported samples, without activity summaries; nil if
    /// there are none.
    ///
    /// - Parameter isOld: False for the samples that this import added. True for those of earlier
    ///   imports, including samples that this import removed.
    private func extent(ofOld isOld: Bool) throws -> ClosedRange<Double>? {
        let rings = Catalogue.types.first { $0.kind == .activitySummary }?.code ?? -1
        let removed =
            isOld
            ? "UNION ALL SELECT min(start_time), max(start_time) FROM removed "
                + "WHERE import = \(importID) AND uuid IS NULL AND type <> \(rings)"
            : ""
        let rows = try StoreStatement<NoFields, ExtentColumn>(
            db,
            """
            SELECT \(ExtentColumn.columns) FROM (
                SELECT min(start_time) AS first, max(start_time) AS last FROM sample
                WHERE uuid IS NULL AND type <> \(rings)
                    AND sequence \(isOld ? "<=" : ">") \(mark)
                \(removed))
            """)
        guard try rows.step(), !rows.isNull(.first) else { return nil }
        let (first, last) = (rows.double(.first), rows.double(.last))
        return first <= last ? first...last : nil
    }

    private struct OwnedDevice: Hashable {
        var source: Int64
        var hardware: String
    }

    private enum DeviceColumn: Int32, StatementField {
        case origin, source, hardware

        var sql: String {
            switch self {
            case .origin: "origin.id"
            case .source: "origin.source"
            case .hardware: "device.hardware"
            }
        }
    }

    private func sharesDevices() throws -> Bool {
        let rows = try StoreStatement<NoFields, DeviceColumn>(
            db,
            """
            SELECT \(DeviceColumn.columns)
            FROM origin JOIN device ON device.id = origin.device
            JOIN source ON source.id = origin.source WHERE source.identity IS NOT NULL
            """)
        var (known, imported) = (Set<OwnedDevice>(), Set<OwnedDevice>())
        while try rows.step() {
            guard let hardware = try rows.text(.hardware),
                SourceEvidence.kind(ofHardware: hardware) != nil
            else { continue }
            let device = OwnedDevice(source: rows.int(.source), hardware: hardware)
            let origin = rows.int(.origin)
            if origin <= lastOrigin { known.insert(device) }
            if originCounts[origin] != nil { imported.insert(device) }
        }
        return known.isEmpty || imported.isEmpty || !known.isDisjoint(with: imported)
    }
}
