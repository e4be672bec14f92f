public import Foundation
import GRDB

/// A copy of what an app may see in the health store, in a file of its own, with what the app keeps
/// beside it.
///
/// ```swift
/// let mirror = try Mirror(at: folder.appending(path: "mirror.sqlite"))
/// let weights = try await mirror.entries(of: HKQuantityType(.bodyMass), limit: 30)
/// try await mirror.attach(.note("after the holidays"), to: weights[0].id)
/// ```
/// A batch of changes, its deletions and the position after it are kept in one transaction or not at
/// all, so that no change is lost and none counts twice, wherever a process dies. Notes, tags, photos
/// and numbers hang on a sample's UUID: they go over to its successor when the sample is replaced
/// (a higher version of its sync identifier) and are kept, unattached, when it is deleted.
///
/// The file is only for its owner to read, as is the folder if it is made here; photos lie in a folder
/// beside it. Several processes may use one file; each opens it once.
public final class Mirror: Sendable {
    /// What is kept.
    public let configuration: MirrorConfiguration
    /// The file; nil for a mirror in memory.
    public let file: URL?
    let database: any DatabaseWriter
    let photos: MirrorPhotos
    let probe: SyncProbe

    /// The mirror in a file, which is made if there is none.
    ///
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

    /// A mirror that is gone with its last owner, for tests and previews.
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
