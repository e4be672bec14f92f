import Foundation
import GRDB

/// Reads and writes the rows of attachments, and the records of their removal, in the mirror's
/// database.
struct AttachmentRows {
    private enum Column: Int, RowColumn {
        case id, uuid, isAttached, kind, name, text, number, unit, digest, bytes, created
        case modified, type, start, syncIdentifier, bundle
    }

    let db: Database

    init(_ db: Database) { self.db = db }

    func all(_ clauses: String, _ arguments: StatementArguments = []) throws -> [Attachment] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT \(Column.columns) FROM attachment \(clauses) ORDER BY created, id"),
            arguments: arguments)
        var attachments: [Attachment] = []
        while let row = try rows.next() { attachments.append(try attachment(row)) }
        return attachments
    }

    func attachment(_ id: UUID) throws -> Attachment? {
        try all("WHERE id = ?", [id]).first
    }

    /// Inserts an attachment, or replaces the one with its identifier. If the removal of that
    /// attachment is recorded, the record is deleted.
    func put(_ attachment: Attachment) throws {
        let parts = StoredFields(attachment.content)
        let target = attachment.target
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO attachment \(Column.inserted)"
        ).execute(arguments: [
            attachment.id, target.entry, attachment.isAttached, parts.kind, parts.name, parts.text,
            parts.number, parts.unit, parts.digest, parts.bytes,
            attachment.created.timeIntervalSinceReferenceDate,
            attachment.modified.timeIntervalSinceReferenceDate, target.type,
            target.start?.timeIntervalSinceReferenceDate, target.syncIdentifier,
            target.bundleIdentifier,
        ])
        try db.cachedStatement(sql: "DELETE FROM attachment_gone WHERE id = ?")
            .execute(arguments: [attachment.id])
    }

    /// Removes an attachment, and records the removal of its identifier, even if there is no such
    /// attachment. The file of a photo is not removed.
    func remove(_ id: UUID, at moment: Date) throws {
        try db.cachedStatement(sql: "DELETE FROM attachment WHERE id = ?").execute(arguments: [id])
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO attachment_gone (id, removed) VALUES (?, ?)"
        ).execute(arguments: [id, moment.timeIntervalSinceReferenceDate])
    }

    private func attachment(_ row: Row) throws -> Attachment {
        let start: Double? = try row.optional(Column.start)
        return Attachment(
            id: try row.value(Column.id), content: try content(row),
            created: Date(timeIntervalSinceReferenceDate: try row.value(Column.created)),
            modified: Date(timeIntervalSinceReferenceDate: try row.value(Column.modified)),
            target: Attachment.Target(
                entry: try row.value(Column.uuid), type: try row.optional(Column.type),
                start: start.map { Date(timeIntervalSinceReferenceDate: $0) },
                syncIdentifier: try row.optional(Column.syncIdentifier),
                bundleIdentifier: try row.optional(Column.bundle)),
            isAttached: try row.value(Column.isAttached))
    }

    private func content(_ row: Row) throws -> Attachment.Content {
        let name: String = try row.optional(Column.name) ?? ""
        switch try row.value(Column.kind) as String {
        case "note": return .note(try row.optional(Column.text) ?? "")
        case "tag": return .tag(name)
        case "photo":
            return .photo(
                .init(
                    digest: try row.optional(Column.digest) ?? "",
                    byteCount: try row.optional(Column.bytes) ?? 0,
                    name: name))
        case "number":
            return .number(
                name, try row.optional(Column.number) ?? .nan,
                unit: try row.optional(Column.unit) ?? "")
        default: throw MirrorError.corrupt("column kind")
        }
    }

    private struct StoredFields {
        var kind: String
        var name: String?
        var text: String?
        var number: Double?
        var unit: String?
        var digest: String?
        var bytes: Int?

        init(_ content: Attachment.Content) {
            switch content {
            case .note(let text):
                kind = "note"
                self.text = text
            case .tag(let name):
                kind = "tag"
                self.name = name
            case .photo(let photo):
                kind = "photo"
                (name, digest, bytes) = (photo.name, photo.digest, photo.byteCount)
            case .number(let name, let number, let unit):
                kind = "number"
                (self.name, self.number, self.unit) = (name, number, unit)
            }
        }
    }
}

extension Attachment.Content {
    /// Checks that the text of a note, the name of a tag or number and the digest of a photo are
    /// not empty. A number must also be finite. The file of a photo is not checked.
    ///
    /// - Throws: ``MirrorError/invalidAttachment`` for an empty note, tag, number name or photo
    ///   digest, or a number that isn't finite.
    func validate() throws {
        let holds =
            switch self {
            case .note(let text): !text.isEmpty
            case .tag(let name): !name.isEmpty
            case .photo(let photo): !photo.digest.isEmpty
            case .number(let name, let number, _): !name.isEmpty && number.isFinite
            }
        guard holds else { throw MirrorError.invalidAttachment }
    }
}
