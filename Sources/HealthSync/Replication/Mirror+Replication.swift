public import Foundation
import GRDB

extension Mirror {
    /// Merges the other devices' attachments from a shared folder, and writes this device's
    /// attachments to it.
    ///
    /// - Parameter replica: The shared folder and what is written to it.
    /// - Returns: The numbers of attachments received, removed, sent and left out, and of
    ///   unreadable lines.
    /// - Throws: ``MirrorError``. If writing this device's files fails, the changes received from
    ///   other devices are stored nevertheless.
    /// - Complexity: O(*n* log *n*) for *n* attachments of all devices.
    @discardableResult
    public func replicate(to replica: MirrorReplica) async throws -> MirrorReplica.Report {
        try MirrorLineWriter.makeFolder(replica.folder)
        var report = MirrorReplica.Report()
        let received = try copyPhotos(of: try readAll(replica, &report), replica, &report)
        if !received.isEmpty {
            let (changed, removed) = try await write { db in try self.merge(received, db) }
            report.received = changed
            report.removed = removed
        }
        try await send(replica, &report)
        return report
    }

    // MARK: - Receiving

    /// Reads the latest change of each attachment from all devices' files. This device's file is
    /// included, since a copied mirror has the same device ID. Files that cannot be read are
    /// skipped, and lines that cannot be decoded are counted.
    private func readAll(
        _ replica: MirrorReplica, _ report: inout MirrorReplica.Report
    ) throws -> [ReplicatedAttachment] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: replica.folder.path)
        guard let names else { throw MirrorError.unavailable }
        var latest: [UUID: ReplicatedAttachment] = [:]
        for name in names.sorted() where name.hasSuffix(MirrorReplica.suffix) {
            let file = replica.folder.appendingPathComponent(name)
            let attributes = try? file.resolvingSymlinksInPath()
                .resourceValues(forKeys: [.isRegularFileKey])
            guard attributes?.isRegularFile == true, let data = try? Data(contentsOf: file) else {
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

    /// Copies photos that the mirror lacks from the folder, and returns the changes that can be
    /// stored. Attachments whose photo is neither in the mirror nor complete in the folder are left
    /// for the next call.
    private func copyPhotos(
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
            _ = try photos.store(at: shared.url(photo.digest))
            return true
        }
    }

    /// Stores received changes that take precedence over the mirror's, except invalid attachments.
    /// Returns how many attachments were added or changed, and how many were removed.
    private func merge(
        _ received: [ReplicatedAttachment], _ db: Database
    ) throws -> (changed: Int, removed: Int) {
        let rows = AttachmentRows(db)
        var (changed, removed) = (0, 0)
        for one in received {
            let stored = try rows.attachment(one.id)
            let known = try stored.map(ReplicatedAttachment.init) ?? Self.removal(of: one.id, db)
            if let known, !one.takesPrecedence(over: known) { continue }
            guard let content = one.content, let entry = one.entry else {
                try rows.remove(one.id, at: Date(timeIntervalSinceReferenceDate: one.modified))
                if stored != nil { removed += 1 }
                continue
            }
            guard (try? content.validate()) != nil else { continue }
            let target = try target(of: one, entry, db)
            try rows.put(
                Attachment(
                    id: one.id, content: content,
                    created: Date(timeIntervalSinceReferenceDate: one.created ?? one.modified),
                    modified: Date(timeIntervalSinceReferenceDate: one.modified),
                    target: target.target, isAttached: target.isAttached))
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

    /// Returns the entry to which another device's attachment belongs: the entry with the given
    /// UUID. If there is none, the entry with the highest version of the attachment's sync
    /// identifier in the same app, whatever its type. Without such an entry, the attachment stays
    /// unattached.
    private func target(
        of one: ReplicatedAttachment, _ uuid: UUID, _ db: Database
    ) throws -> (target: Attachment.Target, isAttached: Bool) {
        var found = try entry(uuid, db)
        if found == nil, let identifier = one.syncIdentifier, let bundle = one.bundle {
            var reading = EntryReader(db)
            found = try reading.all(
                """
                WHERE sync_identifier = ? AND origin IN (SELECT id FROM origin WHERE bundle = ?)
                ORDER BY sync_version DESC, uuid LIMIT 1
                """, [identifier, bundle]
            ).first
        }
        guard let found else {
            return (
                Attachment.Target(
                    entry: uuid, type: nil, start: nil, syncIdentifier: one.syncIdentifier,
                    bundleIdentifier: one.bundle), false
            )
        }
        return (Attachment.Target(found), true)
    }

    // MARK: - Sending

    private func send(
        _ replica: MirrorReplica, _ report: inout MirrorReplica.Report
    ) async throws {
        let photos = photos
        report.sent = try await read { db in
            let device =
                try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'device'") ?? ""
            let stored = try AttachmentRows(db).all("")
            // Photos are copied first, so that other devices see no line before its photo.
            _ = try photos.copy(stored.photoDigests, to: replica.photos)
            let lines = try MirrorLineWriter(replica.file(of: device))
            let encoder = MirrorJSON.lineEncoder()
            for attachment in stored {
                try lines.append(try encoder.encode(ReplicatedAttachment(attachment)))
            }
            let removals = try Row.fetchAll(
                db, sql: "SELECT \(DeletionColumn.columns) FROM attachment_gone ORDER BY id")
            for row in removals {
                let removal = ReplicatedAttachment(
                    removed: try row.value(DeletionColumn.id),
                    at: try row.value(DeletionColumn.removed))
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

extension Attachment.Target {
    /// Creates a target from the fields of the entry that an attachment belongs to.
    init(_ entry: MirrorEntry) {
        self.init(
            entry: entry.id, type: entry.type, start: entry.start,
            syncIdentifier: entry.syncIdentifier, bundleIdentifier: entry.bundleIdentifier)
    }
}

/// A shared folder through which a person's devices exchange attachments.
///
/// ```swift
/// let replica = MirrorReplica(folder: chosen, contents: .appDataOnly)
/// try await mirror.replicate(to: replica)
/// ```
/// Nothing is exchanged until the app calls ``Mirror/replicate(to:)``. The app must use only a
/// folder that the person has chosen for this purpose.
///
/// Notes, tags, photos and numbers of all devices are merged. Each device writes its own files,
/// named by a random device ID, and reads the attachments in the files of the others. All devices
/// share the files of photos, which are named by digest and never change. Any file synchronization
/// service can therefore be used.
///
/// The latest change of an attachment takes precedence, by the devices' clocks; a removal is a
/// change too. An attachment is matched to its sample by UUID, else by app and sync identifier, and
/// stays unattached without a match.
/// Samples are never copied to a mirror, because only the health store is authoritative. Files are
/// not encrypted. Concurrent changes of one note are not merged.
public struct MirrorReplica: Hashable, Sendable {
    /// What ``Mirror/replicate(to:)`` writes to the shared folder.
    public enum Contents: Hashable, Sendable {
        /// Attachments with their photos and dates, and the records of removed attachments. Also
        /// the UUIDs, sync identifiers and bundle identifiers of the attachments' samples, but not
        /// the types, times or values of these samples.
        case appDataOnly
        /// In addition to ``appDataOnly``, all entries, in the JSON Lines format of
        /// ``Mirror/export(to:as:)``. Mirrors don't read these entries.
        case appDataAndHealthData
    }

    /// The results of one call of ``Mirror/replicate(to:)``.
    public struct Report: Hashable, Sendable {
        /// The number of attachments that this call added to the mirror, or changed in it, because
        /// another device had added or changed them.
        public internal(set) var received = 0
        /// The number of attachments that this call removed from the mirror, because another device
        /// had removed them.
        public internal(set) var removed = 0
        /// The number of attachments and removals in the file that this device wrote: all that the
        /// mirror has, not only new ones, and including those received from other devices.
        public internal(set) var sent = 0
        /// The number of received attachments that this call left out, because their photo is
        /// neither in the mirror nor complete in the folder. The next call retries them.
        public internal(set) var waitingForPhotos = 0
        /// The number of lines in all devices' attachment files, this device's included, that could
        /// not be decoded. They are ignored. Files that cannot be read are skipped and not counted.
        public internal(set) var unreadableLines = 0
    }

    /// The folder through which the person's devices exchange attachments.
    public let folder: URL
    /// What ``Mirror/replicate(to:)`` writes to ``folder``.
    public let contents: Contents

    /// Creates a replica description; nothing is read or written.
    ///
    /// - Parameters:
    ///   - folder: The shared folder. ``Mirror/replicate(to:)`` creates it if needed.
    ///   - contents: What is written; no health data by default.
    public init(folder: URL, contents: Contents = .appDataOnly) {
        self.folder = folder
        self.contents = contents
    }

    static let suffix = ".attachments.jsonl"
    var photos: URL { folder.appendingPathComponent("photos", isDirectory: true) }
    func file(of device: String) -> URL {
        folder.appendingPathComponent(device + MirrorReplica.suffix)
    }
}

/// A change or removal of one attachment; a line in a device's file.
struct ReplicatedAttachment: Codable, Equatable {
    var id: UUID
    /// The attachment's ``Attachment/modified``, or when it was removed, in seconds since
    /// 2001-01-01 UTC.
    var modified: Double
    /// The attachment's value; nil for a removal.
    var content: Attachment.Content?
    /// When the attachment was created, in seconds since 2001-01-01 UTC; nil for a removal.
    var created: Double?
    var entry: UUID?
    var syncIdentifier: String?
    var bundle: String?

    init(_ attachment: Attachment) {
        id = attachment.id
        modified = attachment.modified.timeIntervalSinceReferenceDate
        content = attachment.content
        created = attachment.created.timeIntervalSinceReferenceDate
        entry = attachment.target.entry
        syncIdentifier = attachment.target.syncIdentifier
        bundle = attachment.target.bundleIdentifier
    }

    init(removed id: UUID, at moment: Double) {
        self.id = id
        modified = moment
    }

    /// Whether this change takes precedence over another of the same attachment.
    ///
    /// The later change takes precedence. For equal dates a removal does, else the change with the
    /// greater `sortText`. All devices therefore choose the same change.
    func takesPrecedence(over other: ReplicatedAttachment) -> Bool {
        if modified != other.modified { return modified > other.modified }
        switch (content, other.content) {
        case (nil, nil), (.some, nil): return false
        case (nil, .some): return true
        case (.some(let own), .some(let their)): return own.sortText > their.sortText
        }
    }

    /// Returns the one of two changes of an attachment that takes precedence; the first if neither
    /// does.
    static func latest(
        _ one: ReplicatedAttachment, _ other: ReplicatedAttachment
    ) -> ReplicatedAttachment { other.takesPrecedence(over: one) ? other : one }
}

extension Attachment.Content {
    fileprivate var sortText: String {
        switch self {
        case .note(let text): "note\u{0}" + text
        case .tag(let name): "tag\u{0}" + name
        case .photo(let photo): "photo\u{0}" + photo.digest + "\u{0}" + photo.name
        case .number(let name, let number, let unit):
            "number\u{0}" + name + "\u{0}\(number.bitPattern)\u{0}" + unit
        }
    }
}

private enum DeletionColumn: Int, RowColumn { case id, removed }
