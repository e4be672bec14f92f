public import Foundation
import GRDB

/// A local copy of the samples that an app can read, of the types that its watcher tracks, with
/// attachments that the app adds.
///
/// ```swift
/// let mirror = try Mirror(at: folder.appending(path: "mirror.sqlite"))
/// let weights = try await mirror.entries(of: HKQuantityType(.bodyMass), limit: 30)
/// try await mirror.attach(.note("after the holidays"), to: weights[0].id)
/// ```
/// The additions, deletions and position of a batch are stored in one transaction. No change is
/// lost or applied twice, wherever the process ends.
///
/// Notes, tags, photos and numbers are attached to a sample's UUID. When the sample is replaced by
/// a higher version of its sync identifier, they move to the new sample. When the sample is
/// deleted, they are kept unattached, unless the app deletes it with
/// ``AttachmentDeleteRule/removed``.
///
/// Only the owner can read a new file, and its folder if the mirror creates it. Photos are stored
/// in a folder beside the file. Several processes can use one file; each should open it once.
public final class Mirror: Sendable {
    /// The configuration: kept metadata, units, observation interval and the source of the current
    /// date.
    public let configuration: MirrorConfiguration
    /// The SQLite file of the mirror; nil for a mirror in memory.
    public let file: URL?
    let database: any DatabaseWriter
    let photos: MirrorPhotos
    let probe: SyncProbe

    /// Opens a mirror file, or creates it.
    ///
    /// - Parameters:
    ///   - file: The SQLite file.
    ///   - configuration: The units and metadata to keep.
    /// - Throws: ``SyncError/foreignFile``, ``SyncError/newerFile(version:)``, ``MirrorError``.
    public convenience init(
        at file: URL, configuration: MirrorConfiguration = MirrorConfiguration()
    ) throws {
        try self.init(at: file, configuration: configuration, probe: .none)
    }

    package init(
        at file: URL, configuration: MirrorConfiguration = MirrorConfiguration(), probe: SyncProbe
    ) throws {
        self.file = file
        self.configuration = configuration
        self.probe = probe
        database = try MirrorFile.open(file)
        photos = MirrorPhotos(
            folder: file.deletingPathExtension().appendingPathExtension("photos"),
            lifetime: .file)
    }

    /// Creates a mirror in memory, for tests and previews. The folder of its photos is removed when
    /// the mirror is deallocated.
    ///
    /// - Parameter configuration: The units and metadata to keep.
    /// - Returns: An empty mirror.
    /// - Throws: ``MirrorError``.
    public static func inMemory(
        configuration: MirrorConfiguration = MirrorConfiguration()
    ) throws -> Mirror {
        try inMemory(configuration: configuration, probe: .none)
    }

    package static func inMemory(
        configuration: MirrorConfiguration = MirrorConfiguration(), probe: SyncProbe
    ) throws -> Mirror {
        try Mirror(memory: configuration, probe: probe)
    }

    private init(memory configuration: MirrorConfiguration, probe: SyncProbe) throws {
        file = nil
        self.configuration = configuration
        self.probe = probe
        database = try MirrorFile.inMemory()
        photos = MirrorPhotos(
            folder: FileManager.default.temporaryDirectory.appendingPathComponent(
                "photos-" + UUID().uuidString, isDirectory: true),
            lifetime: .object)
    }
}

/// The configuration of a mirror: kept metadata, units, observation interval and the source of the
/// current date.
///
/// ```swift
/// var configuration = MirrorConfiguration()
/// configuration.metadataKeys = [HKMetadataKeyWasUserEntered, HKMetadataKeyTimeZone]
/// configuration.units[.bodyMass] = .pound()
/// ```
public struct MirrorConfiguration: Sendable {
    /// The metadata keys whose values the mirror keeps. Sync identifier and version are always
    /// kept.
    ///
    /// A stored entry keeps its metadata until its sample is read again, or until
    /// ``Mirror/reconcile(_:over:with:tombstoneLifetime:now:)`` overwrites it.
    public var metadataKeys: Set<String>
    /// The units in which the values of types are stored, instead of the default units. The
    /// defaults are, for example, kilograms for body mass, grams for nutrients and `count/min` for
    /// heart rate.
    ///
    /// A unit of the wrong dimension is ignored. A stored value keeps its unit until its sample is
    /// read again, or until ``Mirror/reconcile(_:over:with:tombstoneLifetime:now:)`` or
    /// ``Mirror/repair(_:against:)`` overwrites it.
    public var units: [HKQuantityTypeIdentifier: HKUnit]
    /// How often an observation checks for changes by other processes where the system does not
    /// report writes to the file; 200 milliseconds by default.
    public var observationInterval: Duration
    /// Returns the current date, for the dates of attachments and the age of photo files.
    public var now: @Sendable () -> Date

    /// Creates a configuration. By default, no metadata is kept except sync identifier and version,
    /// and all units are the default ones.
    ///
    /// - Parameters:
    ///   - metadataKeys: See ``metadataKeys``.
    ///   - units: See ``units``.
    ///   - observationInterval: See ``observationInterval``.
    ///   - now: See ``now``.
    public init(
        metadataKeys: Set<String> = [], units: [HKQuantityTypeIdentifier: HKUnit] = [:],
        observationInterval: Duration = .milliseconds(200),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.metadataKeys = metadataKeys
        self.units = units
        self.observationInterval = observationInterval
        self.now = now
    }
}

/// Whether a transaction must survive a power failure.
enum MirrorDurability: String {
    /// A power failure may undo the transaction, with the position in it. Its data can be read
    /// again from the health store.
    case normal = "NORMAL"
    /// The transaction is on the disk before the call returns. It may contain attachments or
    /// pending writes, which can't be read again from the health store.
    case full = "FULL"
}

extension Mirror {
    /// Writes in one transaction, which begins with incrementing the change counter.
    ///
    /// - Throws: ``MirrorError``, or the errors of the body. Nothing is stored then.
    func write<T: Sendable>(
        _ durability: MirrorDurability = .full,
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        let probe = probe
        return try await transaction(durability) { db in
            try Mirror.raiseChangeCount(db)
            let value = try body(db)
            try probe.reached(.rowsWritten)
            return value
        }
    }

    /// Reads from one snapshot of the mirror's database.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        try await translatingErrors { try await database.read(body) }
    }

    /// Returns the change counter. Every transaction that may change entries, attachments or
    /// pending writes increments it, in any process.
    func changeCount(_ db: Database) throws -> Int64 {
        try Mirror.changeCount(db)
    }

    static func changeCount(_ db: Database) throws -> Int64 {
        try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT value FROM meta WHERE key = 'change'")) ?? 0
    }

    static func raiseChangeCount(_ db: Database) throws {
        try db.cachedStatement(sql: "UPDATE meta SET value = value + 1 WHERE key = 'change'")
            .execute()
    }

    /// Writes in one transaction, without incrementing the change counter.
    func transaction<T: Sendable>(
        _ durability: MirrorDurability,
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        let probe = probe
        return try await translatingErrors {
            let value = try await database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = \(durability.rawValue)")
                var value: T?
                try db.inTransaction(.immediate) {
                    try probe.reached(.transactionBegun)
                    value = try body(db)
                    return .commit
                }
                return value
            }
            try probe.reached(.transactionCommitted)
            guard let value else { throw MirrorError.unavailable }
            return value
        }
    }
}
