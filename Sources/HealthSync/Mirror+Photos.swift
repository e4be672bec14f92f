public import Foundation
import GRDB

extension Mirror {
    /// Copies a photo into the mirror's folder, to be attached then.
    ///
    /// ```swift
    /// let photo = try await mirror.keepPhoto(at: url)
    /// try await mirror.attach(.photo(photo), to: meal.id)
    /// ```
    /// The same bytes are kept once, whatever they are called.
    ///
    /// - Throws: ``MirrorError/diskFull``, ``MirrorError/unavailable``, also for a pipe, a socket or a
    ///   device.
    public func keepPhoto(at file: URL) async throws -> Attachment.Photo {
        try photos.keep(at: file)
    }

    /// Keeps a photo that is in memory; otherwise as ``keepPhoto(at:)``.
    public func keepPhoto(_ bytes: Data, named name: String) async throws -> Attachment.Photo {
        try photos.keep(bytes, named: name)
    }

    /// Where a photo lies.
    public func file(of photo: Attachment.Photo) -> URL { photos.url(photo.digest) }

    /// Removes photos that hang on nothing, and says how many.
    ///
    /// - Parameter age: Younger files stay: they may be about to be attached.
    @discardableResult
    public func tidyPhotos(olderThan age: TimeInterval = 3_600) async throws -> Int {
        let moment = configuration.now().addingTimeInterval(-age)
        let photos = photos
        // In a writing transaction, so that nothing is attached between the look and the removal.
        return try await transaction(.readAgain) { db in
            photos.tidy(keeping: try Self.neededPhotos(among: photos, db), before: moment)
        }
    }

    /// Removes photos that hung on something that was removed, whatever their age, unless they hang on
    /// something else.
    package func removePhotos(_ digests: Set<String>) async throws {
        if digests.isEmpty { return }
        let photos = photos
        try await transaction(.readAgain) { db in
            let needed = try Self.neededPhotos(among: photos, db)
            for digest in digests.subtracting(needed) { photos.remove(digest) }
        }
    }

    /// Folds the log into the file and empties it, so that nothing which was removed stays in it.
    /// While somebody reads, the log is left to who closes the file last.
    package func emptyLog() async throws {
        try await translatingErrors {
            try await database.writeWithoutTransaction { db in
                _ = try? Row.fetchAll(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
    }

    private static func neededPhotos(
        among photos: MirrorPhotos, _ db: Database
    ) throws -> Set<String> {
        var needed = try Set(
            String.fetchAll(db, sql: "SELECT digest FROM attachment WHERE digest IS NOT NULL"))
        // What is being written may bring photos of its own.
        let drafts = try String.fetchAll(db, sql: "SELECT draft FROM intent")
        if !drafts.isEmpty {
            needed.formUnion(photos.names.filter { name in drafts.contains { $0.contains(name) } })
        }
        return needed
    }
}
