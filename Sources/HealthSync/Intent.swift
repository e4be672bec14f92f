import Foundation
import GRDB

/// A person's wish on its way into HealthKit, as the mirror's journal keeps it; no view shows it.
struct Intent: Sendable {
    /// How far it is known to have come.
    enum Stage: String, Sendable {
        /// HealthKit may have been asked to save it.
        case journalled
        /// HealthKit said that it has saved it.
        case saved
        /// HealthKit may have been asked to delete it.
        case removing
    }

    /// What is kept of it as JSON.
    struct Payload: Codable, Sendable {
        /// The type's identifier.
        var type: String
        /// Nil for a removal.
        var draft: Draft?
        /// What is to hang on the entry; photos are in the mirror by now.
        var attachments: [Attachment.Content] = []
        /// The samples that HealthKit was asked to save for it; one of them at most is stored.
        var attempts: [UUID] = []
        /// Where the type's changes stood before the first; nil if that couldn't be told.
        var anchor: Data?
        /// Of a removal: what becomes of what hangs on the entry.
        var leaves: AttachmentFate?
    }

    /// The sync identifier; of a removal of a sample without one, its UUID.
    let identifier: String
    let version: Int
    var payload: Payload
    /// The sample that an edit replaces, or a removal deletes.
    let replaces: UUID?
    var stage: Stage
    let created: Date

    var draft: Draft? { payload.draft }
    var isRemoval: Bool { stage == .removing }
}

// MARK: - The journal

extension Intent {
    private static let columns = "sync_identifier, sync_version, draft, replaces, stage, created"

    /// Those that can be read, oldest first.
    static func all(_ db: Database) throws -> [Intent] {
        try identifiers(db).compactMap { try? find($0, db) }
    }

    static func identifiers(_ db: Database) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT sync_identifier FROM intent ORDER BY id")
    }

    /// - Throws: ``MirrorError/corrupt(_:)`` if it is there and can't be read.
    static func find(_ identifier: String, _ db: Database) throws -> Intent? {
        try Row.fetchOne(
            db, sql: "SELECT \(columns) FROM intent WHERE sync_identifier = ?",
            arguments: [identifier]
        ).map { try Intent($0) }
    }

    /// Writes it over what the journal has under its identifier.
    func put(_ db: Database) throws {
        let encoder = JSONEncoder()
        // A slash is written as such, and a digest is found in the text.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let text = String(decoding: try encoder.encode(payload), as: UTF8.self)
        try db.execute(
            sql: """
                INSERT INTO intent (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (sync_identifier) DO UPDATE SET sync_version = excluded.sync_version,
                    draft = excluded.draft, replaces = excluded.replaces, stage = excluded.stage,
                    created = excluded.created
                """,
            arguments: [
                identifier, version, text, replaces, stage.rawValue,
                created.timeIntervalSinceReferenceDate,
            ])
    }

    /// The same wish as the journal has it now; nil once it is settled or another has taken its place.
    func journalled(_ db: Database) throws -> Intent? {
        guard let journalled = try Intent.find(identifier, db),
            journalled.version == version, journalled.replaces == replaces,
            journalled.isRemoval == isRemoval
        else { return nil }
        return journalled
    }

    /// Takes it out of the journal, unless another has taken its place.
    func withdraw(_ db: Database) throws {
        if try journalled(db) != nil { try Self.remove(identifier, db) }
    }

    static func remove(_ identifier: String, _ db: Database) throws {
        try db.execute(
            sql: "DELETE FROM intent WHERE sync_identifier = ?", arguments: [identifier])
    }

    private init(_ row: Row) throws {
        let text: String = try row.value(2)
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        guard let payload = try? decoder.decode(Payload.self, from: Data(text.utf8)),
            let stage = Stage(rawValue: try row.value(4))
        else { throw MirrorError.corrupt("intent.draft") }
        self.init(
            identifier: try row.value(0), version: try row.value(1), payload: payload,
            replaces: try row.optional(3), stage: stage,
            created: Date(timeIntervalSinceReferenceDate: try row.value(5)))
    }
}
