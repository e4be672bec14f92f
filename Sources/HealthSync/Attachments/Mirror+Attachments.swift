public import Foundation
import GRDB

extension Mirror {
    /// Adds a note, tag, photo or number to an entry, in any ``MirrorEntry/State``.
    ///
    /// ```swift
    /// try await mirror.attach(.tag("fasted"), to: weight.id)
    /// ```
    /// If the entry already has the tag, nothing is added and the existing attachment is returned.
    ///
    /// - Parameters:
    ///   - content: The value.
    ///   - entry: The entry's UUID.
    /// - Returns: The attachment.
    /// - Throws: ``MirrorError/unknownEntry(_:)``, ``MirrorError/invalidAttachment``,
    ///   ``MirrorError/unknownPhoto(digest:)``; otherwise another ``MirrorError``.
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
            target: try target(on: entry, db), isAttached: true)
        try rows.put(attachment)
        return attachment
    }

    /// Replaces the value of an attachment, attached or not. The file of a replaced photo stays
    /// until ``removeUnusedPhotos(olderThan:)`` removes it.
    ///
    /// - Parameters:
    ///   - id: The attachment's identifier.
    ///   - content: The new value.
    /// - Returns: The changed attachment.
    /// - Throws: ``MirrorError/unknownAttachment(_:)``, ``MirrorError/invalidAttachment``,
    ///   ``MirrorError/unknownPhoto(digest:)``; otherwise another ``MirrorError``.
    @discardableResult
    public func changeAttachment(
        _ id: UUID, to content: Attachment.Content
    ) async throws -> Attachment {
        try await write { db in
            try self.check(content)
            return try self.change(id, db) { $0.with(content: content, modified: $1) }
        }
    }

    /// Attaches an attachment to an entry of the mirror, whether it belonged to an entry before or
    /// was unattached.
    ///
    /// - Parameters:
    ///   - id: The attachment's identifier.
    ///   - entry: The entry's UUID.
    /// - Returns: The changed attachment.
    /// - Throws: ``MirrorError/unknownAttachment(_:)``, ``MirrorError/unknownEntry(_:)``; otherwise
    ///   another ``MirrorError``.
    @discardableResult
    public func reattach(_ id: UUID, to entry: UUID) async throws -> Attachment {
        try await write { db in
            let target = try self.target(on: entry, db)
            return try self.change(id, db) { $0.with(target: target, modified: $1) }
        }
    }

    /// Removes an attachment, attached or not. The file of a photo stays until
    /// ``removeUnusedPhotos(olderThan:)`` removes it.
    ///
    /// The mirror records the removal with its date, without the content.
    ///
    /// - Parameter id: The attachment's identifier.
    /// - Throws: ``MirrorError/unknownAttachment(_:)``; otherwise another ``MirrorError``.
    public func removeAttachment(_ id: UUID) async throws {
        try await write { db in
            let rows = AttachmentRows(db)
            guard let attachment = try rows.attachment(id) else {
                throw MirrorError.unknownAttachment(id)
            }
            try rows.remove(id, at: self.moment(after: attachment.modified))
        }
    }

    /// Returns the attachments of an entry, in the order of their creation.
    ///
    /// - Parameter entry: The entry's UUID.
    /// - Returns: The attachments; empty for an unknown entry.
    /// - Throws: ``MirrorError``.
    public func attachments(of entry: UUID) async throws -> [Attachment] {
        try await read { db in
            try AttachmentRows(db).all("WHERE uuid = ? AND is_attached = 1", [entry])
        }
    }

    /// Returns the attachments of several entries, in the order of their creation.
    ///
    /// - Parameter entries: The entries' UUIDs.
    /// - Returns: The attachments by entry; entries without any are omitted.
    /// - Throws: ``MirrorError``.
    /// - Complexity: One query for each UUID.
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

    /// Returns the attachments of samples for which the mirror has no entry, in the order of their
    /// creation, because it has removed the entry. Attachments of entries that are
    /// ``MirrorEntry/State/notVisible`` are not included.
    ///
    /// If the mirror stores a sample with the same UUID later, that sample gets the attachment. So
    /// does a sample with the same app, type and sync identifier; an attachment without a known
    /// type matches every type. Otherwise use ``reattach(_:to:)``.
    ///
    /// - Returns: The unattached attachments.
    /// - Throws: ``MirrorError``.
    public func unattached() async throws -> [Attachment] {
        try await read { db in try AttachmentRows(db).all("WHERE is_attached = 0") }
    }

    /// Returns the tags of entries in any state, with the number of entries that have each tag. A
    /// tag that is only unattached is not returned.
    ///
    /// - Returns: The numbers of entries by tag.
    /// - Throws: ``MirrorError``.
    public func tags() async throws -> [String: Int] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT \(TagColumn.columns) FROM attachment
                    WHERE kind = 'tag' AND is_attached = 1 GROUP BY name
                    """)
            return try Dictionary(
                rows.map { (try $0.value(TagColumn.name), try $0.value(TagColumn.entries)) },
                uniquingKeysWith: { $1 })
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

    /// Returns the current date. If that is not later than `earlier`, returns the next
    /// representable date after `earlier`. This happens if the clock was set back.
    private func moment(after earlier: Date) -> Date {
        let next = Date(
            timeIntervalSinceReferenceDate: earlier.timeIntervalSinceReferenceDate.nextUp)
        return max(configuration.now(), next)
    }

    private func target(on entry: UUID, _ db: Database) throws -> Attachment.Target {
        guard let entry = try self.entry(entry, db) else { throw MirrorError.unknownEntry(entry) }
        return Attachment.Target(entry)
    }
}

extension Attachment {
    fileprivate func with(content: Content, modified: Date) -> Attachment {
        Attachment(
            id: id, content: content, created: created, modified: modified, target: target,
            isAttached: isAttached)
    }

    fileprivate func with(target: Target, modified: Date) -> Attachment {
        Attachment(
            id: id, content: content, created: created, modified: modified, target: target,
            isAttached: true)
    }
}

private enum TagColumn: Int, RowColumn {
    case name, entries

    var sql: String { self == .entries ? "count(DISTINCT uuid)" : name }
}
