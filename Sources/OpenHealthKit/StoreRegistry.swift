import Foundation
import HealthStorage

/// The open stores of this process: one connection a file, however many handles.
enum StoreRegistry {
    private struct WeakConnection {
        weak var connection: StoreConnection?
    }

    private static let connections = Locked<[String: WeakConnection]>([:])

    /// The connection to a file, opened when it is first used.
    static func connection(path: String, options: HealthStoreConfiguration) -> StoreConnection {
        let path = resolved(path)
        return connections { connections in
            if let open = connections[path]?.connection { return open }
            let new = StoreConnection(options: options, kind: .file) {
                try SampleStore(at: path, access: .creating)
            }
            connections[path] = WeakConnection(connection: new)
            return new
        }
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
