import Foundation
import GRDB

extension Mirror {
    /// Takes in what other devices left in a folder, and leaves this device's own there.
    ///
    /// - Throws: ``MirrorError``; what was taken in before stays.
    @discardableResult
    public func replicate(to replica: MirrorReplica) async throws -> MirrorReplica.Report {
        try MirrorLines.makeFolder(replica.folder)
        var report = MirrorReplica.Report()
        let received = try takePhotos(of: try readAll(replica, &report), replica, &report)
        if !received.isEmpty {
            let (changed, removed) = try await write { db in try self.merge(received, db) }
            report.received = changed
            report.removed = removed
        }
        try await send(replica, &report)
        return report
    }

    // MARK: - Receiving

    /// The latest of each attachment in all devices' files, this one's too: a copied mirror has the
    /// name of its twin.
    private func readAll(
        _ replica: MirrorReplica, _ report: inout MirrorReplica.Report
    ) throws -> [ReplicatedAttachment] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: replica.folder.path)
        guard let names else { throw MirrorError.unavailable }
        var latest: [UUID: ReplicatedAttachment] = [:]
        for name in names.sorted() where name.hasSuffix(MirrorReplica.suffix) {
            let file = replica.folder.appendingPathComponent(name)
            let facts = try? file.resolvingSymlinksInPath()
                .resourceValues(forKeys: [.isRegularFileKey])
            guard facts?.isRegularFile == true, let data = try? Data(contentsOf: file) else {
                continue
            }
            for line in data.split(separator: 0x0A) {
                guard let one = try? JSONDecoder().decode(ReplicatedAttachment.self, from: line),
                    one.modified.isFinite
                else {
                    report.unreadableLines += 1
                    continue
                }
                latest[one.id] = latest[one.id].map { .latest($0, one) } ?? one
            }
        }
        return latest.values.sorted { $0.id.uuidString < $1.id.uuidString }
    }

    /// Copies photos in; what still lacks its photo is left for the next time.
    private func takePhotos(
        of all: [ReplicatedAttachment], _ replica: MirrorReplica,
        _ report: inout MirrorReplica.Report
    ) throws -> [ReplicatedAttachment] {
        let shared = MirrorPhotos(folder: replica.photos, lifetime: .file)
        return try all.filter { one in
            guard case .photo(let photo) = one.content else { return true }
            if (try? photos.requirePhoto(photo.digest)) != nil { return true }
            guard MirrorPhotos.isDigest(photo.digest),
                shared.digest(of: photo.digest) == photo.digest
            else {
                report.waitingForPhotos += 1
                return false
            }
            _ = try photos.keep(at: shared.url(photo.digest))
            return true
        }
    }

    /// How many attachments changed and how many went.
    private func merge(
        _ received: [ReplicatedAttachment], _ db: Database
    ) throws -> (changed: Int, removed: Int) {
        let rows = AttachmentRows(db)
        var (changed, removed) = (0, 0)
        for one in received {
            let kept = try rows.attachment(one.id)
            let known = try kept.map(ReplicatedAttachment.init) ?? Self.removal(of: one.id, db)
            if let known, !one.wins(over: known) { continue }
            guard let content = one.content, let entry = one.entry else {
                try rows.remove(one.id, at: Date(timeIntervalSinceReferenceDate: one.modified))
                if kept != nil { removed += 1 }
                continue
            }
            guard (try? content.validate()) != nil else { continue }
            let place = try place(of: one, entry, db)
            try rows.put(
                Attachment(
                    id: one.id, content: content,
                    created: Date(timeIntervalSinceReferenceDate: one.created ?? one.modified),
                    modified: Date(timeIntervalSinceReferenceDate: one.modified),
                    place: place.place, isAttached: place.isAttached))
            changed += 1
        }
        return (changed, removed)
    }

    private static func removal(of id: UUID, _ db: Database) throws -> ReplicatedAttachment? {
        try Double.fetchOne(
            db.cachedStatement(sql: "SELECT removed FROM attachment_gone WHERE id = ?"),
            arguments: [id]
        ).map { ReplicatedAttachment(removed: id, at: $0) }
    }

    /// Where an attachment of another device hangs here: on the entry of its UUID, else on that of its
    /// app and sync identifier, else nowhere yet.
    private func place(
        of one: ReplicatedAttachment, _ uuid: UUID, _ db: Database
    ) throws -> (place: Attachment.Place, isAttached: Bool) {
        var found = try entry(uuid, db)
        if found == nil, let identifier = one.syncIdentifier, let bundle = one.bundle {
            var reading = EntryReading(db)
            found = try reading.all(
                """
                WHERE sync_identifier = ? AND origin IN (SELECT id FROM origin WHERE bundle = ?)
                ORDER BY sync_version DESC, uuid LIMIT 1
                """, [identifier, bundle]
            ).first
        }
        guard let found else {
            return (
                Attachment.Place(
                    entry: uuid, type: nil, start: nil, syncIdentifier: one.syncIdentifier,
                    bundleIdentifier: one.bundle), false
            )
        }
        return (Attachment.Place(found), true)
    }

    // MARK: - Sending

    private func send(
        _ replica: MirrorReplica, _ report: inout MirrorReplica.Report
    ) async throws {
        let photos = photos
        report.sent = try await read { db in
            let device =
                try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'device'") ?? ""
            let kept = try AttachmentRows(db).all("")
            // Photos first: a line is only there when its photo is.
            _ = try photos.copy(kept.photoDigests, to: replica.photos)
            let lines = try MirrorLines(replica.file(of: device))
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            for attachment in kept {
                try lines.append(try encoder.encode(ReplicatedAttachment(attachment)))
            }
            let removals = try Row.fetchAll(
                db, sql: "SELECT id, removed FROM attachment_gone ORDER BY id")
            for row in removals {
                let removal = ReplicatedAttachment(
                    removed: try row.value(0), at: try row.value(1))
                try lines.append(try encoder.encode(removal))
            }
            try lines.finish()
            if replica.contents == .appDataAndHealthData {
                _ = try Self.writeEntries(
                    to: replica.folder.appendingPathComponent(device + ".entries.jsonl"),
                    as: .jsonLines, db)
            }
            return lines.count
        }
    }
}

extension Attachment.Place {
    /// A place on an entry.
    init(_ entry: Entry) {
        self.init(
            entry: entry.id, type: entry.type, start: entry.start,
            syncIdentifier: entry.syncIdentifier, bundleIdentifier: entry.bundleIdentifier)
    }
}
