import GRDB
import HealthEngine

/// What a file and the imports before it have in common. Where either side has nothing of a kind, they
/// count as sharing it.
public struct PersonEvidence: Sendable, Hashable {
    /// Whether a source of the file was known before, a renamed one included.
    public var sharesSources: Bool
    /// Whether a sample of the file was stored before, be it with another value.
    public var sharesRecords: Bool
    /// Whether the file has samples between the first and the last one stored before.
    public var overlapsInTime: Bool
    /// Whether an iPhone, iPod or Watch of the file was known before, by its name and its model.
    public var sharesDevices: Bool
}

extension SnapshotWriter {
    /// What this file and the imports before it have in common.
    ///
    /// To be asked after ``finish(_:)``, which finds what was renamed. Activity rings take no part: they
    /// are identified by their day alone, which all people share. Nor does what programs have saved.
    ///
    /// - Complexity: O(1) where a record is shared, else O(stored samples).
    public func personEvidence() throws -> PersonEvidence {
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
        let met = Set(try originCounts.keys.map { try facts.fact($0).source }).subtracting([0])
        let new = Set(interning.newSources)
        let known = try Int64.readSet(
            db,
            sql: """
                SELECT id FROM source WHERE identity IS NOT NULL
                    AND EXISTS (SELECT 1 FROM origin WHERE source = source.id)
                """
        ).subtracting(new)
        return met.isEmpty || known.isEmpty || !met.isDisjoint(with: known)
    }

    /// The first and the last start of what archives brought before this import, those it has taken out
    /// included, or of what this one brought.
    private func extent(ofOld isOld: Bool) throws -> ClosedRange<Double>? {
        let rings = Catalogue.types.first { $0.kind == .activitySummary }?.code ?? -1
        let removed =
            isOld
            ? "UNION ALL SELECT min(start_time), max(start_time) FROM removed "
                + "WHERE import = \(importID) AND uuid IS NULL AND type <> \(rings)"
            : ""
        let rows = try RawStatement(
            db,
            """
            SELECT min(first) AS start_time, max(last) AS end_time FROM (
                SELECT min(start_time) AS first, max(start_time) AS last FROM sample
                WHERE uuid IS NULL AND type <> \(rings)
                    AND sequence \(isOld ? "<=" : ">") \(mark)
                \(removed))
            """)
        guard try rows.step(), !rows.isNull(0), rows.double(0) <= rows.double(1) else { return nil }
        return rows.double(0)...rows.double(1)
    }

    private struct OwnedDevice: Hashable {
        var source: Int64
        var hardware: String
    }

    private func sharesDevices() throws -> Bool {
        let rows = try RawStatement(
            db,
            """
            SELECT origin.id, origin.source, device.hardware
            FROM origin JOIN device ON device.id = origin.device
            JOIN source ON source.id = origin.source WHERE source.identity IS NOT NULL
            """)
        var (known, met) = (Set<OwnedDevice>(), Set<OwnedDevice>())
        while try rows.step() {
            guard let hardware = rows.text(2), SourceEvidence.kind(ofHardware: hardware) != nil
            else { continue }
            let device = OwnedDevice(source: rows.int(1), hardware: hardware)
            let origin = rows.int(0)
            if origin <= lastOrigin { known.insert(device) }
            if originCounts[origin] != nil { met.insert(device) }
        }
        return known.isEmpty || met.isEmpty || !known.isDisjoint(with: met)
    }
}
