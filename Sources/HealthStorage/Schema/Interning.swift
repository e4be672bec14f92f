import GRDB
import HealthEngine

/// Assigns ids to values that samples share: types, sources, devices, units, origins and metadata.
///
/// Create one for each write transaction, because a rollback makes the cached ids invalid. The
/// metadata cache is bounded, so that memory doesn't grow if every record has different metadata.
final class Interning {
    private struct OriginKey: Hashable {
        var source: Int64
        var origin: Origin
        var route: Int64
    }

    private let db: Database
    private var types: [String: Int32] = [:]
    private var typeNames: [Int32: String] = [:]
    private var sourcesByName: [String: Int64] = [:]
    private var sourceNumbers: [Int64: UInt64] = [:]
    private var devices: [Device: Int64] = [:]
    private var units: [String: Int64] = [:]
    private var origins: [OriginKey: Int64] = [:]
    private var metadataIDs: [String: Int64] = [:]
    private enum MetadataColumn: Int32, StatementField { case id, entries }
    private enum NewMetadata: Int32, StatementField { case digest, entries }

    private let findMetadata: StoreStatement<SingleField, MetadataColumn>
    private let insertMetadata: StoreStatement<NewMetadata, NoFields>
    private static let metadataCacheLimit = 20_000
    private static let metadataCacheBytes = 16 << 20
    private var metadataBytes = 0

    /// The ids of imported sources, those without a bundle identifier, that this object has
    /// inserted.
    private(set) var newSources: [Int64] = []

    init(_ db: Database) throws {
        self.db = db
        findMetadata = try StoreStatement(
            kept: db,
            "SELECT \(MetadataColumn.columns) FROM metadata WHERE digest = \(SingleField.value)")
        insertMetadata = try StoreStatement(
            kept: db, "INSERT INTO metadata \(NewMetadata.inserted)")
    }

    // MARK: - Types

    /// Returns the code of a type, and inserts the type if it isn't stored. A new type gets its
    /// code from the catalogue. A new type that the catalogue lacks gets the highest stored code
    /// plus 1, at least 20,000.
    func type(identifier: String) throws -> Int32 {
        if let code = types[identifier] { return code }
        let code = try storedType(identifier)
        types[identifier] = code
        typeNames[code] = identifier
        return code
    }

    /// Caches the stored types with a code from 20,000 on, which are not in the catalogue, for
    /// ``kind(ofType:)``.
    func loadStoredTypes() throws {
        let rows = try CheckedRow.readAll(
            db, sql: "SELECT code, identifier FROM type WHERE code >= ?",
            arguments: [Self.firstUnknownType])
        for row in rows { typeNames[try row["code"]] = try row["identifier"] }
    }

    /// Returns the kind of a type that was passed to ``type(identifier:)`` or cached by
    /// ``loadStoredTypes()``; `other` for any other code.
    func kind(ofType code: Int32) -> SampleType.Kind {
        typeNames[code].map(SampleType.kind(ofIdentifier:)) ?? .other
    }

    private func storedType(_ identifier: String) throws -> Int32 {
        if let code = try Int32.readOne(
            db, sql: "SELECT code FROM type WHERE identifier = ?", arguments: [identifier])
        {
            return code
        }
        let highest = try Int32.readOne(db, sql: "SELECT max(code) FROM type") ?? 0
        try Interning.checkHighest(highest)
        let code = Interning.code(ofNew: identifier, highest: highest)
        try db.executeKept(
            sql: "INSERT INTO type (code, identifier, kind) VALUES (?, ?, ?)",
            arguments: [code, identifier, SampleType.kind(ofIdentifier: identifier).rawValue])
        return code
    }

    /// Throws an error of code `corrupt` unless the highest type code is from 0 to 2^30 - 1. A
    /// greater one, which only damage can cause, would leave no room for more.
    static func checkHighest(_ highest: Int32) throws {
        guard (0..<1 << 30).contains(highest) else { throw StoreError.damaged("type.code") }
    }

    /// Returns the code of a new type: that of the catalogue, otherwise the one after `highest`,
    /// the highest stored code, but at least 20,000.
    static func code(ofNew identifier: String, highest: Int32) -> Int32 {
        Catalogue.type(identifier: identifier)?.code ?? max(firstUnknownType, highest + 1)
    }

    /// Returns whether ``adoptCatalogue(_:)`` would change anything.
    static func canAdoptCatalogue(_ db: Database) throws -> Bool {
        try String.readAll(
            db, sql: "SELECT identifier FROM type WHERE code >= ?", arguments: [firstUnknownType]
        ).contains { Catalogue.type(identifier: $0) != nil }
    }

    /// Replaces the codes from 20,000 on of types that the catalogue has gained since by the
    /// catalogue's codes.
    ///
    /// The UUID of an imported sample encodes its type code, so the UUIDs of these samples change
    /// too.
    static func adoptCatalogue(_ db: Database) throws {
        let rows = try CheckedRow.readAll(
            db, sql: "SELECT code, identifier, has_details FROM type WHERE code >= ?",
            arguments: [firstUnknownType])
        for row in rows {
            let old: Int64 = try row["code"]
            let identifier: String = try row["identifier"]
            let hasDetails: Bool = try row["has_details"]
            guard let type = Catalogue.type(identifier: identifier) else { continue }
            try db.executeKept(
                sql: "UPDATE type SET identifier = identifier || ' (before)' WHERE code = ?",
                arguments: [old])
            try db.executeKept(
                sql: "INSERT INTO type (code, identifier, kind, has_details) VALUES (?, ?, ?, ?)",
                arguments: [type.code, identifier, type.kind.rawValue, hasDetails])
            for table in [
                "sample", "removed", "tombstone", "source_setting", "authorization",
                "object_authorization",
                "sync_identifier", "external_total", "twin",
            ] {
                try db.executeKept(
                    sql: "UPDATE \(table) SET type = ? WHERE type = ?", arguments: [type.code, old])
            }
            try db.executeKept(sql: "DELETE FROM type WHERE code = ?", arguments: [old])
        }
    }

    /// The first code of types that are not in the catalogue.
    private static let firstUnknownType: Int32 = 20_000

    // MARK: - Sources and origins

    /// Returns the id of a source, and inserts the source if it isn't stored. A source without a
    /// bundle identifier comes from an import and is found by its folded name, now or earlier.
    /// Others are found by bundle identifier.
    func source(_ source: Source) throws -> Int64 {
        source.bundleIdentifier.isEmpty
            ? try archivedSource(name: source.name) : try ownSource(source)
    }

    private func archivedSource(name: String) throws -> Int64 {
        if let id = sourcesByName[name] { return id }
        let folded = StoredText.folded(name)
        var id = try Int64.readOne(
            db, sql: "SELECT source FROM source_alias WHERE folded = ?", arguments: [folded])
        if id == nil, Catalogue.isHealthAppName(folded), let app = try healthApp() {
            try db.executeKept(
                sql: "INSERT INTO source_alias (folded, name, source) VALUES (?, ?, ?)",
                arguments: [folded, name, app])
            id = app
        }
        if id == nil {
            try db.executeKept(
                sql: "INSERT INTO source (identity, name, bundle_identifier, derivation, kind) "
                    + "VALUES (?, ?, '', 'derived', 'other')",
                arguments: [folded, name])
            let new = db.lastInsertedRowID
            try db.executeKept(
                sql: "INSERT INTO source_alias (folded, name, source) VALUES (?, ?, ?)",
                arguments: [folded, name, new])
            newSources.append(new)
            id = new
        }
        sourcesByName[name] = id
        return id ?? 0
    }

    /// Returns the id of the imported source that is the Health app; nil if there is none. The
    /// app's name depends on the language of the export.
    private func healthApp() throws -> Int64? {
        let names = try CheckedRow.readAll(
            db, sql: "SELECT id, identity FROM source WHERE identity IS NOT NULL")
        return try names.first { Catalogue.isHealthAppName(try $0["identity"]) }
            .map { try $0["id"] }
    }

    private func ownSource(_ source: Source) throws -> Int64 {
        let key = "\u{0}" + source.bundleIdentifier
        if let id = sourcesByName[key] { return id }
        var id = try Int64.readOne(
            db, sql: "SELECT id FROM source WHERE bundle_identifier = ?",
            arguments: [source.bundleIdentifier])
        if id == nil {
            try db.executeKept(
                sql: "INSERT INTO source (name, bundle_identifier, derivation, kind) "
                    + "VALUES (?, ?, 'own', 'other')",
                arguments: [source.name, source.bundleIdentifier])
            id = db.lastInsertedRowID
        }
        sourcesByName[key] = id
        return id ?? 0
    }

    /// Returns the hash that represents a source, given by its id, in the keys of imported samples.
    func sourceNumber(_ source: Int64) throws -> UInt64 {
        if let number = sourceNumbers[source] { return number }
        let identity = try String.readOne(
            db, sql: "SELECT ifnull(identity, bundle_identifier) FROM source WHERE id = ?",
            arguments: [source])
        let number = ImportedIdentity.sourceNumber(identity: identity ?? "")
        sourceNumbers[source] = number
        return number
    }

    /// Returns the id of an origin, and inserts it if it isn't stored. `source` is the id of its
    /// source; 0 for none, as for activity summaries. `route` is the id of the route on which a
    /// phone sent it; 0 for none, as for imported and saved samples.
    func origin(_ origin: Origin, source: Int64, route: Int64 = 0) throws -> Int64 {
        let key = OriginKey(source: source, origin: origin, route: route)
        if let id = origins[key] { return id }
        let values: StatementArguments = [
            source == 0 ? nil : source, origin.version, try origin.device.map(device),
            try origin.unit.map(unit), origin.productType, origin.operatingSystemVersion,
            route == 0 ? nil : route,
        ]
        let found = try Int64.readOne(
            db.cachedStatement(
                sql: "SELECT id FROM origin WHERE ifnull(source, 0) = ifnull(?, 0) "
                    + "AND ifnull(version, '') = ifnull(?, '') "
                    + "AND ifnull(device, 0) = ifnull(?, 0) AND ifnull(unit, 0) = ifnull(?, 0) "
                    + "AND ifnull(product_type, '') = ifnull(?, '') "
                    + "AND ifnull(operating_system, '') = ifnull(?, '') "
                    + "AND ifnull(route, 0) = ifnull(?, 0)"),
            arguments: values)
        if found == nil {
            try db.cachedStatement(
                sql: "INSERT INTO origin (source, version, device, unit, product_type, "
                    + "operating_system, route) VALUES (?, ?, ?, ?, ?, ?, ?)"
            ).execute(arguments: values)
        }
        let id = found ?? db.lastInsertedRowID
        origins[key] = id
        return id
    }

    private func device(_ device: Device) throws -> Int64 {
        if let id = devices[device] { return id }
        let content = try StoredText.encoded(device)
        var id = try Int64.readOne(
            db, sql: "SELECT id FROM device WHERE content = ?", arguments: [content])
        if id == nil {
            try db.executeKept(
                sql: "INSERT INTO device (content, name, manufacturer, model, hardware, firmware, "
                    + "software, local_identifier, udi) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    content, device.name, device.manufacturer, device.model, device.hardwareVersion,
                    device.firmwareVersion, device.softwareVersion, device.localIdentifier,
                    device.udiDeviceIdentifier,
                ])
            id = db.lastInsertedRowID
        }
        devices[device] = id
        return id ?? 0
    }

    func unit(_ symbol: String) throws -> Int64 {
        if let id = units[symbol] { return id }
        var id = try Int64.readOne(
            db, sql: "SELECT id FROM unit WHERE symbol = ?", arguments: [symbol])
        if id == nil {
            // A unit whose factor isn't a normal double is stored without factor and offset, like
            // an unknown unit.
            let unit = (try? HealthUnit(symbol)).flatMap { $0.factor.isNormal ? $0 : nil }
            try db.executeKept(
                sql: "INSERT INTO unit (symbol, factor, \"offset\") VALUES (?, ?, ?)",
                arguments: [symbol, unit?.factor, unit?.offset])
            id = db.lastInsertedRowID
        }
        units[symbol] = id
        return id ?? 0
    }

    // MARK: - Metadata

    /// Returns the id of a set of metadata, and inserts it if it isn't stored.
    func metadata(_ entries: Metadata) throws -> Int64 {
        let text = StoredText.metadata(entries)
        if let id = metadataIDs[text] { return id }
        let digest = StoredText.digest(text)
        var id: Int64?
        try findMetadata.bind(digest, to: .value)
        while id == nil, try findMetadata.step() {
            if try findMetadata.text(.entries) == text { id = findMetadata.int(.id) }
        }
        findMetadata.reset()
        if id == nil {
            try insertMetadata.bind(digest, to: .digest)
            try insertMetadata.bind(text, to: .entries)
            try insertMetadata.run()
            id = db.lastInsertedRowID
        }
        if metadataIDs.count >= Interning.metadataCacheLimit
            || metadataBytes >= Interning.metadataCacheBytes
        {
            metadataIDs.removeAll()
            metadataBytes = 0
        }
        metadataBytes += text.utf8.count
        metadataIDs[text] = id
        return id ?? 0
    }
}

/// Deletes rows of `metadata`, `device` and `unit` that no other row refers to.
enum MetadataOrphans {
    /// Deletes metadata that no sample, removed sample, tombstone or twin refers to, devices that no
    /// origin refers to, and units that neither an origin nor a total of Apple's refers to, so that
    /// their text does not stay in the file.
    ///
    /// - Complexity: O(n log n) for n rows of the tables involved.
    static func delete(_ db: Database) throws {
        try db.execute(
            sql: """
                DELETE FROM metadata WHERE id NOT IN (
                    SELECT metadata FROM sample WHERE metadata IS NOT NULL
                    UNION SELECT metadata FROM removed WHERE metadata IS NOT NULL
                    UNION SELECT metadata FROM tombstone WHERE metadata IS NOT NULL
                    UNION SELECT json_extract(received, '$.metadata') FROM twin
                        WHERE received IS NOT NULL);
                DELETE FROM device WHERE id NOT IN (
                    SELECT device FROM origin WHERE device IS NOT NULL);
                DELETE FROM unit WHERE id NOT IN (
                    SELECT unit FROM origin WHERE unit IS NOT NULL
                    UNION SELECT unit FROM external_total);
                """)
    }
}
