import Foundation
import GRDB

// What the journal's ends do to the mirror, each within one transaction.
extension Intent {
    /// Makes the entry of a stored sample, with what is to hang on it, and takes the wish out.
    ///
    /// - Returns: The entry; nil if the sample is proven deleted, and then nothing was done.
    func acknowledge(_ sample: HKSample, _ mirror: Mirror, _ db: Database) throws -> Entry? {
        let rows = try mirror.rows(db)
        let bundle = sample.sourceRevision.source.bundleIdentifier
        try mirror.rememberOwnBundle(bundle, db)
        guard let journalled = try journalled(db) else {
            // Another process was quicker, or the app has abandoned it.
            if let entry = try mirror.entry(sample.uuid, db) { return entry }
            if try mirror.isGone(sample.uuid, db) {
                return try mirror.ownEntry(under: identifier, type: payload.type, bundle, db)
            }
            try rows.upsert(sample)
            try hang(payload.attachments, on: sample.uuid, mirror, db)
            return try mirror.entry(sample.uuid, db)
        }
        var kept = sample.uuid
        if try mirror.isGone(sample.uuid, db) {
            // Replaced or deleted since it was read back.
            guard
                let successor = try mirror.ownEntry(
                    under: identifier, type: payload.type, bundle, db)
            else { return nil }
            kept = successor.id
        } else {
            try rows.upsert(sample)
        }
        try hang(journalled.payload.attachments, on: kept, mirror, db)
        try Intent.remove(identifier, db)
        return try mirror.entry(kept, db)
    }

    /// Takes the wish out; what was to hang on the entry is kept without one.
    func endDeleted(_ mirror: Mirror, _ db: Database) throws {
        guard let journalled = try journalled(db) else { return }
        let place = Attachment.Place(
            entry: payload.attempts.last ?? replaces ?? UUID(), type: payload.type,
            start: draft?.start, syncIdentifier: identifier,
            bundleIdentifier: try mirror.ownBundle(db))
        try put(journalled.payload.attachments, at: place, isAttached: false, mirror, db)
        try Intent.remove(identifier, db)
    }

    /// Takes the entry of a deleted sample away, and the wish with it.
    func endRemoval(_ mirror: Mirror, _ db: Database) throws {
        guard let uuid = replaces else { return try withdraw(db) }
        let attachments = AttachmentRows(db)
        if payload.leaves == .removed {
            for one in try attachments.all("WHERE uuid = ? AND is_attached = 1", [uuid]) {
                let next = Date(
                    timeIntervalSinceReferenceDate: one.modified.timeIntervalSinceReferenceDate
                        .nextUp)
                try attachments.remove(one.id, at: max(mirror.configuration.now(), next))
            }
        } else if let entry = try mirror.entry(uuid, db) {
            try hang(payload.attachments, on: entry.id, mirror, db)
        }
        try mirror.remove(
            uuid,
            provenBy: .tombstone(
                type: payload.type, syncIdentifier: nil, syncVersion: nil), db)
        try withdraw(db)
    }

    private func hang(
        _ contents: [Attachment.Content], on uuid: UUID, _ mirror: Mirror, _ db: Database
    ) throws {
        guard !contents.isEmpty, let entry = try mirror.entry(uuid, db) else { return }
        let place = Attachment.Place(
            entry: entry.id, type: entry.type, start: entry.start,
            syncIdentifier: entry.syncIdentifier, bundleIdentifier: entry.bundleIdentifier)
        try put(contents, at: place, isAttached: true, mirror, db)
    }

    private func put(
        _ contents: [Attachment.Content], at place: Attachment.Place, isAttached: Bool,
        _ mirror: Mirror, _ db: Database
    ) throws {
        let attachments = AttachmentRows(db)
        let hanging = try attachments.all("WHERE uuid = ? AND is_attached = 1", [place.entry])
        var tags = Set(hanging.map(\.content))
        let now = mirror.configuration.now()
        for content in contents {
            if case .tag = content, !tags.insert(content).inserted { continue }
            try attachments.put(
                Attachment(
                    id: UUID(), content: content, created: now, modified: now, place: place,
                    isAttached: isAttached))
        }
    }
}

extension Mirror {
    /// Whose name this app's own samples bear, as far as it was seen.
    ///
    /// It is kept beside `HKSource.default()`, so that apps of a group may share one file.
    func ownBundle(_ db: Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [Self.ownBundleKey])
    }

    func rememberOwnBundle(_ bundle: String, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO meta (key, value) VALUES (?, ?)
                ON CONFLICT DO UPDATE SET value = excluded.value
                """, arguments: [Self.ownBundleKey, bundle])
    }

    private static var ownBundleKey: String { "own:" + HKSource.default().bundleIdentifier }

    /// The latest entry of a type under a sync identifier of an app.
    func ownEntry(
        under identifier: String, type: String, _ bundle: String, _ db: Database
    ) throws -> Entry? {
        var reading = EntryReading(db)
        return try reading.all(
            """
            WHERE sync_identifier = ? AND type = (SELECT id FROM type WHERE identifier = ?)
                AND origin IN (SELECT id FROM origin WHERE bundle = ?)
            ORDER BY sync_version DESC, uuid LIMIT 1
            """, [identifier, type, bundle]
        ).first
    }
}
