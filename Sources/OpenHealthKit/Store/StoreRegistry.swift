import Foundation
import HealthStorage

/// The open stores of this process, with one connection for each file.
///
/// If a file is replaced by another one, new handles open the new file. Existing handles keep using
/// the old one.
enum StoreRegistry {
    private struct WeakConnection {
        weak var connection: StoreConnection?
        /// The identity of the opened file; nil before it is opened.
        let file: Locked<FileNumber?>
    }

    /// The device and inode number, which distinguish files that had the same path.
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

    /// Returns the connection to a file. A new connection opens or creates the file on first use.
    /// For an existing connection, `options` is ignored.
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
                let store = try opened(path)
                let number = FileNumber(path)
                file { $0 = number }
                return store
            }
            connections[path] = WeakConnection(connection: new, file: file)
            return new
        }
    }

    /// Opens or creates a file. A store that is built from a log can only be read.
    private static func opened(_ path: String) throws -> SampleStore {
        do {
            return try SampleStore(at: path, access: .creating)
        } catch let error as StoreError {
            guard case .builtFromLog = error.reason else { throw error }
            return try SampleStore(at: path, access: .reading)
        }
    }

    /// Whether the path refers to another file than the opened one. A missing file does not count
    /// as replaced, nor does a file that was not opened yet.
    private static func isReplaced(_ path: String, _ opened: FileNumber?) -> Bool {
        guard let opened, let present = FileNumber(path) else { return false }
        return opened != present
    }

    /// Returns a connection to a new in-memory store.
    static func inMemory(options: HealthStoreConfiguration) -> StoreConnection {
        StoreConnection(options: options, kind: .memory) { try SampleStore.inMemory() }
    }

    /// Returns the path without symbolic links, so that each file has a single path.
    static func resolved(_ path: String) -> String {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        return url.deletingLastPathComponent().resolvingSymlinksInPath()
            .appendingPathComponent(url.lastPathComponent).resolvingSymlinksInPath().path
    }
}
