import Foundation
import GRDB
import HealthEngine

extension SnapshotWriter {
    // MARK: - Recognizing sources

    /// Derives the kind, hardware and bundle identifier of each new source (Semantics §14.2), and
    /// updates the first time at which each source of the file was seen.
    func describeSources() throws {
        var evidence: [Int64: SourceEvidence] = [:]
        var devices: [Int64: CheckedRow?] = [:]
        for (origin, count) in originCounts {
            let entry = try originCache.entry(origin)
            if entry.source == 0 { continue }
            let device: CheckedRow?
            if let known = devices[entry.device] {
                device = known
            } else {
                device = try CheckedRow.readOne(
                    db, sql: "SELECT hardware, software FROM device WHERE id = ?",
                    arguments: [entry.device])
                devices[entry.device] = .some(device)
            }
            evidence[entry.source, default: SourceEvidence()].add(
                samples: count.samples, firstSeen: count.firstSeen, version: entry.version,
                hardware: try device.flatMap { try $0["hardware"] },
                software: try device.flatMap { try $0["software"] })
        }
        for (source, evidence) in evidence.sorted(by: { $0.key < $1.key }) {
            try db.execute(
                sql: "UPDATE source SET first_seen = min(ifnull(first_seen, ?1), ?1) WHERE id = ?2",
                arguments: [evidence.firstSeen, source])
        }
        for source in interning.newSources {
            let identity = try String.readOne(
                db, sql: "SELECT identity FROM source WHERE id = ?", arguments: [source])
            guard let identity else { continue }
            let description = (evidence[source] ?? SourceEvidence()).description(identity: identity)
            try db.execute(
                sql: "UPDATE source SET bundle_identifier = ?, kind = ?, hardware = ? WHERE id = ?",
                arguments: [
                    description.bundleIdentifier, description.kind.rawValue, description.hardware,
                    source,
                ])
        }
        try describeReceivedSources(evidence)
    }

    /// Gives sources that a device named first the kind that the export's hardware shows.
    private func describeReceivedSources(_ evidence: [Int64: SourceEvidence]) throws {
        let unknown = try CheckedRow.readAll(
            db,
            sql: """
                SELECT id, identity FROM source WHERE identity IS NOT NULL AND hardware IS NULL
                    AND EXISTS (SELECT 1 FROM origin WHERE source = source.id AND route IS NOT NULL)
                """)
        for row in unknown {
            guard let evidence = evidence[try row["id"]] else { continue }
            let description = evidence.description(identity: try row["identity"])
            if description.kind == .other { continue }
            try db.execute(
                sql: "UPDATE source SET kind = ?, hardware = ? WHERE id = ?",
                arguments: [
                    description.kind.rawValue, description.hardware, try row["id"] as Int64,
                ])
        }
    }

    /// Excludes sources of day totals, for the types of which this file has a sample of half a day
    /// or longer, and adds the new exclusions to the outcome.
    func excludeDayTotals() throws {
        let sql = "SELECT type, source FROM source_setting WHERE excluded = 1"
        func excluded() throws -> Set<[Int64]> {
            Set(
                try CheckedRow.readAll(db, sql: sql).map { row in
                    [try row["type"], try row["source"]]
                })
        }
        let before = try excluded()
        let types = longTypes.sorted().compactMap { Catalogue.type(code: $0) }
        try SampleStore.excludeDayTotals(types: types, db)
        for pair in try excluded().subtracting(before).sorted(by: {
            $0.lexicographicallyPrecedes($1)
        }) {
            let row = try CheckedRow.readOne(
                db, sql: "SELECT name, bundle_identifier FROM source WHERE id = ?",
                arguments: [pair[1]])
            outcome.dayTotals.append(
                .init(
                    type: Catalogue.type(code: Int32(pair[0]))?.identifier ?? "",
                    source: try row?["name"] ?? "",
                    bundleIdentifier: try row?["bundle_identifier"] ?? ""))
        }
    }
}

/// Data of a source's records from which the kind of the source is derived.
struct SourceEvidence {
    private(set) var firstSeen = Double.infinity
    /// The number of records measured with an iPhone, iPod or Apple Watch.
    private var onDevice = 0
    /// The number of those whose source version equals the device's software version, which means
    /// that the device itself wrote them, by hardware version.
    private var byDevice: [String: Int] = [:]

    struct Description {
        var bundleIdentifier: String
        var kind: SourceTable.Kind
        var hardware: String?
    }

    mutating func add(
        samples: Int, firstSeen: Double, version: String?, hardware: String?, software: String?
    ) {
        self.firstSeen = min(self.firstSeen, firstSeen)
        guard let hardware, SourceEvidence.kind(ofHardware: hardware) != nil else { return }
        onDevice += samples
        if let version, let software, version == software {
            byDevice[hardware, default: 0] += samples
        }
    }

    func description(identity: String) -> Description {
        if Catalogue.isHealthAppName(identity) {
            return Description(bundleIdentifier: "com.apple.Health", kind: .health, hardware: nil)
        }
        let matching = byDevice.values.reduce(0, +)
        let usual = byDevice.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        if let usual, matching * 2 > onDevice, let kind = SourceEvidence.kind(ofHardware: usual) {
            let uuid = SourceEvidence.uuid(identity, usual)
            return Description(
                bundleIdentifier: "com.apple.health.\(uuid)", kind: kind, hardware: usual)
        }
        let number = ImportedIdentity.sourceNumber(identity: identity)
        let digits = String(number >> 32, radix: 16)
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        return Description(
            bundleIdentifier: "imported.\(SourceEvidence.slug(identity)).\(padded)", kind: .other,
            hardware: nil)
    }

    static func kind(ofHardware hardware: String) -> SourceTable.Kind? {
        if hardware.hasPrefix("Watch") { return .watch }
        if hardware.hasPrefix("iPhone") { return .phone }
        if hardware.hasPrefix("iPod") { return .pod }
        return nil
    }

    private static func slug(_ name: String) -> String {
        let plain = name.lowercased().unicodeScalars.map { scalar -> Character in
            scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                ? Character(scalar) : "-"
        }
        let slug = String(plain).split(separator: "-").joined(separator: "-")
        return slug.isEmpty ? "source" : String(slug.prefix(40))
    }

    private static func uuid(_ identity: String, _ hardware: String) -> String {
        let high = ImportedIdentity.sourceNumber(identity: identity + "\u{0}" + hardware)
        let low = ImportedIdentity.sourceNumber(identity: hardware + "\u{0}" + identity)
        return ImportedIdentity.text(
            (high & ~0xF000 | 0x8000, low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000))
    }
}
