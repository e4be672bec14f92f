import GRDB
import HealthEngine

/// The sources of received samples. Some routes identify a source by its bundle identifier, others
/// only by its name, as exports do.
enum IntakeSources {
    /// Returns the id of a source, and inserts it if it is new.
    ///
    /// A source without a bundle identifier is found by its name, as imported ones are. A name that
    /// arrives later for a bundle identifier is stored, because some versions of a sender leave it
    /// out.
    static func number(_ source: Source, _ interning: Interning, _ db: Database) throws -> Int64 {
        if source.bundleIdentifier.isEmpty {
            let name = source.name.isEmpty ? unnamed : source.name
            let number = try interning.source(Source(name: name, bundleIdentifier: ""))
            // As for imported sources of which nothing else is known.
            let derived = SourceEvidence().description(identity: StoredText.folded(name))
            try db.executeKept(
                sql: "UPDATE source SET bundle_identifier = ? WHERE id = ? "
                    + "AND bundle_identifier = ''",
                arguments: [derived.bundleIdentifier, number])
            return number
        }
        let number = try interning.source(
            Source(
                name: source.name.isEmpty ? source.bundleIdentifier : source.name,
                bundleIdentifier: source.bundleIdentifier))
        if !source.name.isEmpty {
            try db.executeKept(
                sql: "UPDATE source SET name = ? WHERE id = ? AND name = bundle_identifier",
                arguments: [source.name, number])
        }
        return number
    }

    /// The name of the source of samples of which the sender says nothing.
    static let unnamed = "unknown source"

    /// Derives the kind of Apple's sources from bundle identifier and hardware, which determines
    /// their default priority.
    static func describe(_ source: Int64, _ origin: Origin, _ db: Database) throws {
        let hardware = origin.productType ?? origin.device?.hardwareVersion
        let row = try CheckedRow.readOne(
            db,
            sql: "SELECT bundle_identifier, name FROM source WHERE id = ? AND kind = 'other'",
            arguments: [source])
        guard let row else { return }
        let bundleIdentifier: String = try row["bundle_identifier"]
        let kind: SourceTable.Kind? =
            if bundleIdentifier == "com.apple.Health" {
                .health
            } else if bundleIdentifier.hasPrefix("com.apple.health.")
                || (bundleIdentifier.hasPrefix("imported.") && origin.productType != nil)
            {
                // A source that only its name identifies has a product type only if its sender says
                // that it is one of Apple's devices.
                hardware.flatMap(SourceEvidence.kind(ofHardware:))
            } else if bundleIdentifier.hasPrefix("imported.") {
                try self.kind(named: row["name"])
            } else {
                nil
            }
        guard let kind else { return }
        try db.executeKept(
            sql: "UPDATE source SET kind = ?, hardware = ifnull(hardware, ?) WHERE id = ?",
            arguments: [kind.rawValue, kind == .health ? nil : hardware, source])
    }

    /// Returns the kind that a source's name shows, for formats that say nothing else of it: iPhones
    /// and Watches have these words in their names in all languages, unless a person renames them.
    private static func kind(named name: String) -> SourceTable.Kind? {
        // A folded name has plain spaces.
        let words = StoredText.folded(name).lowercased()
        if words.contains("apple watch") { return .watch }
        if words.contains("iphone") { return .phone }
        return nil
    }
}
