import Foundation
import GRDB

/// Attachments as the file keeps them.
struct AttachmentRows {
    static let columns = """
        id, uuid, is_attached, kind, name, text, number, unit, digest, bytes, created, modified,
        type, start, sync_identifier, bundle
        """

    let db: Database

    init(_ db: Database) { self.db = db }

    func all(_ rest: String, _ arguments: StatementArguments = []) throws -> [Attachment] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: "SELECT \(Self.columns) FROM attachment \(rest) ORDER BY created, id"),
            arguments: arguments)
        var attachments: [Attachment] = []
        while let row = try rows.next() { attachments.append(try attachment(row)) }
        return attachments
    }

    func attachment(_ id: UUID) throws -> Attachment? {
        try all("WHERE id = ?", [id]).first
    }

    /// Writes one whole, over whatever was there under its id.
    func put(_ attachment: Attachment) throws {
        let parts = Parts(attachment.content)
        let place = attachment.place
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO attachment (\(Self.columns))
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            attachment.id, place.entry, attachment.isAttached, parts.kind, parts.name, parts.text,
            parts.number, parts.unit, parts.digest, parts.bytes,
            attachment.created.timeIntervalSinceReferenceDate,
            attachment.modified.timeIntervalSinceReferenceDate, place.type,
            place.start?.timeIntervalSinceReferenceDate, place.syncIdentifier,
            place.bundleIdentifier,
        ])
        try db.cachedStatement(sql: "DELETE FROM attachment_gone WHERE id = ?")
            .execute(arguments: [attachment.id])
    }

    /// Takes one away for good and remembers that.
    func remove(_ id: UUID, at moment: Date) throws {
        try db.cachedStatement(sql: "DELETE FROM attachment WHERE id = ?").execute(arguments: [id])
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO attachment_gone (id, removed) VALUES (?, ?)"
        ).execute(arguments: [id, moment.timeIntervalSinceReferenceDate])
    }

    private func attachment(_ row: Row) throws -> Attachment {
        let start: Double? = try row.optional(13)
        return Attachment(
            id: try row.value(0), content: try content(row),
            created: Date(timeIntervalSinceReferenceDate: try row.value(10)),
            modified: Date(timeIntervalSinceReferenceDate: try row.value(11)),
            place: Attachment.Place(
                entry: try row.value(1), type: try row.optional(12),
                start: start.map { Date(timeIntervalSinceReferenceDate: $0) },
                syncIdentifier: try row.optional(14), bundleIdentifier: try row.optional(15)),
            isAttached: try row.value(2))
    }

    private func content(_ row: Row) throws -> Attachment.Content {
        let name: String = try row.optional(4) ?? ""
        switch try row.value(3) as String {
        case "note": return .note(try row.optional(5) ?? "")
        case "tag": return .tag(name)
        case "photo":
            return .photo(
                .init(
                    digest: try row.optional(8) ?? "", byteCount: try row.optional(9) ?? 0,
                    name: name))
        case "number":
            return .number(name, try row.optional(6) ?? .nan, unit: try row.optional(7) ?? "")
        default: throw MirrorError.corrupt("column kind")
        }
    }

    private struct Parts {
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
    /// - Throws: ``MirrorError/invalidAttachment`` for what nobody could find or read again.
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
