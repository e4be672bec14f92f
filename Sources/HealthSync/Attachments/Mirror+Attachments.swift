public import Foundation
import GRDB

extension Mirror {
    /// Hangs a note, a tag, a photo or a number on an entry.
    ///
    /// ```swift
    /// try await mirror.attach(.tag("fasted"), to: weight.id)
    /// ```
    /// A tag that the entry already has is given back as it is.
    ///
    /// - Throws: ``MirrorError/unknownEntry(_:)``, ``MirrorError/invalidAttachment``,
    ///   ``MirrorError/unknownPhoto(digest:)``.
    @discardableResult
    public func attach(
        _ content: Attachment.Content, to entry: UUID
    ) async throws -> Attachment {
        try await write { db in try self.attach(content, to: entry, db) }
    }

    func attach(
        _ content: Attachment.Content, to entry: UUID, _ db: Database
    ) throws -> Attachment {
        try check(content)
        let rows = AttachmentRows(db)
        if case .tag(let name) = content {
            let sql = "WHERE uuid = ? AND is_attached = 1 AND kind = 'tag' AND name = ?"
            if let known = try rows.all(sql, [entry, name]).first { return known }
        }
        let now = configuration.now()
        let attachment = Attachment(
            id: UUID(), content: content, created: now, modified: now,
            place: try place(on: entry, db), isAttached: true)
        try rows.put(attachment)
        return attachment
    }

    /// Replaces what an attachment holds.
    ///
    /// - Throws: ``MirrorError/unknownAttachment(_:)``, and as ``attach(_:to:)``.
    @discardableResult
    public func changeAttachment(
        _ id: UUID, to content: Attachment.Content
    ) async throws -> Attachment {
        try await write { db in
            try self.check(content)
            return try self.change(id, db) { $0.with(content: content, modified: $1) }
        }
    }

    /// Hangs an attachment on another entry, or an unattached one on an entry again.
    ///
    /// - Throws: ``MirrorError/unknownAttachment(_:)``, ``MirrorError/unknownEntry(_:)``.
    @discardableResult
    public func reattach(_ id: UUID, to entry: UUID) async throws -> Attachment {
        try await write { db in
            let place = try self.place(on: entry, db)
            return try self.change(id, db) { $0.with(place: place, modified: $1) }
        }
    }

    /// Takes an attachment away for good; a photo's file goes with ``tidyPhotos(olderThan:)``.
    ///
    /// - Throws: ``MirrorError/unknownAttachment(_:)``.
    public func removeAttachment(_ id: UUID) async throws {
        try await write { db in
            let rows = AttachmentRows(db)
            guard let attachment = try rows.attachment(id) else {
                throw MirrorError.unknownAttachment(id)
            }
            try rows.remove(id, at: self.moment(after: attachment.modified))
        }
    }

    /// What hangs on an entry, oldest first.
    public func attachments(of entry: UUID) async throws -> [Attachment] {
        try await read { db in
            try AttachmentRows(db).all("WHERE uuid = ? AND is_attached = 1", [entry])
        }
    }

    /// What hangs on each of some entries, oldest first; entries without any are left out.
    public func attachments(of entries: some Sequence<UUID>) async throws -> [UUID: [Attachment]] {
        let entries = Array(entries)
        return try await read { db in
            let rows = AttachmentRows(db)
            var found: [UUID: [Attachment]] = [:]
            for entry in entries where found[entry] == nil {
                let attachments = try rows.all("WHERE uuid = ? AND is_attached = 1", [entry])
                if !attachments.isEmpty { found[entry] = attachments }
            }
            return found
        }
    }

    /// What hung on samples that were deleted, or hangs on samples that haven't come yet.
    ///
    /// A later sample with the same UUID, or of the same app and sync identifier, gets it by itself;
    /// else ``reattach(_:to:)`` gives it a place.
    public func unattached() async throws -> [Attachment] {
        try await read { db in try AttachmentRows(db).all("WHERE is_attached = 0") }
    }

    /// Every tag that hangs on an entry, with how many have it.
    public func tags() async throws -> [String: Int] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT name, count(DISTINCT uuid) FROM attachment
                    WHERE kind = 'tag' AND is_attached = 1 GROUP BY name
                    """)
            return try Dictionary(
                rows.map { (try $0.value(0), try $0.value(1)) }, uniquingKeysWith: { $1 })
        }
    }

    private func check(_ content: Attachment.Content) throws {
        try content.validate()
        if case .photo(let photo) = content { try photos.requirePhoto(photo.digest) }
    }

    private func change(
        _ id: UUID, _ db: Database, _ changed: (Attachment, Date) -> Attachment
    ) throws -> Attachment {
        let rows = AttachmentRows(db)
        guard let attachment = try rows.attachment(id) else {
            throw MirrorError.unknownAttachment(id)
        }
        let new = changed(attachment, moment(after: attachment.modified))
        try rows.put(new)
        return new
    }

    /// Now, and later than another moment even if the clock was set back since.
    private func moment(after earlier: Date) -> Date {
        let next = Date(
            timeIntervalSinceReferenceDate: earlier.timeIntervalSinceReferenceDate.nextUp)
        return max(configuration.now(), next)
    }

    private func place(on entry: UUID, _ db: Database) throws -> Attachment.Place {
        guard let entry = try self.entry(entry, db) else { throw MirrorError.unknownEntry(entry) }
        return Attachment.Place(entry)
    }
}

extension Attachment {
    fileprivate func with(content: Content, modified: Date) -> Attachment {
        Attachment(
            id: id, content: content, created: created, modified: modified, place: place,
            isAttached: isAttached)
    }

    fileprivate func with(place: Place, modified: Date) -> Attachment {
        Attachment(
            id: id, content: content, created: created, modified: modified, place: place,
            isAttached: true)
    }
}
