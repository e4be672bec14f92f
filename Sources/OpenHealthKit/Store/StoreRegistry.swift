import Foundation
import HealthStorage

/// The open stores of this process: one connection a file, however many handles.
///
/// Where another file has taken the place of one that is open, new handles open the new one, and old
/// ones stay with theirs, as a process does with any open file.
enum StoreRegistry {
    private struct WeakConnection {
        weak var connection: StoreConnection?
        /// Which file it has opened; nil before it has.
        let file: Locked<FileNumber?>
    }

    /// What tells two files apart that have one path after each other.
    private struct FileNumber: Equatable {
        let volume: Int
        let file: Int

        init?(_ path: String) {
            guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
                let volume = facts[.systemNumber] as? Int,
                let file = facts[.systemFileNumber] as? Int
            else { return nil }
            (self.volume, self.file) = (volume, file)
        }
    }

    private static let connections = Locked<[String: WeakConnection]>([:])

    /// The connection to a file, opened when it is first used.
    static func connection(path: String, options: HealthStoreConfiguration) -> StoreConnection {
        let path = resolved(path)
        return connections { connections in
            if let known = connections[path], let open = known.connection,
                !isReplaced(path, known.file({ $0 }))
            {
                return open
            }
            let file = Locked<FileNumber?>(nil)
            let new = StoreConnection(options: options, kind: .file) {
                let store = try SampleStore(at: path, access: .creating)
                let number = FileNumber(path)
                file { $0 = number }
                return store
            }
            connections[path] = WeakConnection(connection: new, file: file)
            return new
        }
    }

    /// Whether a path leads to another file than the one that was opened; a missing file has not
    /// been replaced.
    private static func isReplaced(_ path: String, _ opened: FileNumber?) -> Bool {
        guard let opened, let present = FileNumber(path) else { return false }
        return opened != present
    }

    /// A connection to a store of its own in memory.
    static func inMemory(options: HealthStoreConfiguration) -> StoreConnection {
        StoreConnection(options: options, kind: .memory) { try SampleStore.inMemory() }
    }

    /// The file's path without links, so that two ways to one file are one.
    static func resolved(_ path: String) -> String {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        return url.deletingLastPathComponent().resolvingSymlinksInPath()
            .appendingPathComponent(url.lastPathComponent).resolvingSymlinksInPath().path
    }
}
