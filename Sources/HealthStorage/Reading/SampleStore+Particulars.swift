import GRDB

/// What a store knows beside its samples, and of them beside their content: all that another store
/// can't learn from the samples alone.
public struct StoreParticulars: Sendable {
    /// Samples saved with a UUID of their own.
    public var ownUUIDs = 0
    /// Names of the sources whose bundle identifier was given, not derived.
    public var ownBundleIdentifiers: [String] = []
    /// Names of the sources that were first met under another name.
    public var renamedSources: [String] = []
    /// Identifiers of the types whose sources were put into an order or left out by a person.
    public var arrangedTypes: [String] = []
    /// Memberships beyond the first of a sample.
    public var furtherMemberships = 0
    /// Programs that were granted something.
    public var grants: [String] = []
    /// Electrocardiograms, clinical records and attachments.
    public var files = 0
    /// Elements of imports that nothing reads yet, or that are wrong by themselves.
    public var rawElements = 0

    public init() {}
}

extension SampleStore {
    /// Counts what an export of samples leaves behind.
    ///
    /// - Complexity: O(samples with a UUID of their own + sources + settings + raw elements).
    public func particulars() throws -> StoreParticulars {
        try read { db in
            var found = StoreParticulars()
            found.ownUUIDs =
                try Int.readOne(db, sql: "SELECT count(*) FROM sample WHERE uuid IS NOT NULL") ?? 0
            found.ownBundleIdentifiers = try String.readAll(
                db, sql: "SELECT name FROM source WHERE derivation <> 'derived' ORDER BY name")
            found.renamedSources = try CheckedRow.readAll(
                db,
                sql: "SELECT name, identity FROM source WHERE identity IS NOT NULL ORDER BY name"
            ).compactMap { row -> String? in
                let (name, identity): (String, String) = (try row["name"], try row["identity"])
                return StoredText.folded(name) == identity ? nil : name
            }
            found.arrangedTypes = try String.readAll(
                db,
                sql: "SELECT DISTINCT identifier FROM source_setting JOIN type ON code = type "
                    + "WHERE rank IS NOT NULL OR ifnull(reason, '') <> ? ORDER BY identifier",
                arguments: [SampleStore.dayTotalsReason])
            found.furtherMemberships =
                try Int.readOne(
                    db, sql: "SELECT count(*) - count(DISTINCT child) FROM membership") ?? 0
            found.grants = try String.readAll(
                db, sql: "SELECT DISTINCT client FROM authorization ORDER BY client")
            found.files = try Int.readOne(db, sql: "SELECT count(*) FROM export_file") ?? 0
            found.rawElements =
                try Int.readOne(db, sql: "SELECT count(*) FROM raw_element") ?? 0
            return found
        }
    }
}
