import Foundation

/// Which store `HKHealthStore()` opens.
///
/// `$OPENHEALTH_STORE`, if set; else, in a process that runs tests, one store in memory for the
/// whole process, so that no test ever meets a person's data; else the file that the `openhealth`
/// command uses.
enum DefaultStore: Equatable {
    case file(String)
    case memory

    /// The rules above, from what they depend on.
    static func choice(
        environment: [String: String], isTesting: Bool, home: @autoclosure () -> String
    ) -> DefaultStore {
        if let path = environment["OPENHEALTH_STORE"], !path.isEmpty { return .file(path) }
        if isTesting { return .memory }
        return .file(folder(environment, home: home()) + "/health.sqlite")
    }

    /// The XDG specification has relative paths ignored.
    private static func folder(_ environment: [String: String], home: String) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return data + "/openhealth"
        }
        if let folder = environment["HOME"], !folder.isEmpty {
            return folder + "/.local/share/openhealth"
        }
        return home + "/.local/share/openhealth"
    }

    static var current: DefaultStore {
        choice(
            environment: ProcessInfo.processInfo.environment, isTesting: TestRunner.isPresent,
            home: FileManager.default.homeDirectoryForCurrentUser.path)
    }

    /// The configuration of default stores; nil for the default of each kind.
    static let configuration = Locked<HealthStoreConfiguration?>(nil)

    static func connection() -> StoreConnection {
        let given = configuration { $0 }
        switch current {
        case .file(let path):
            return StoreRegistry.connection(
                path: path, options: given ?? HealthStoreConfiguration(authorization: .stored))
        case .memory:
            return shared { memory in
                if let memory { return memory }
                let new = StoreRegistry.inMemory(options: given ?? HealthStoreConfiguration())
                memory = new
                return new
            }
        }
    }

    /// Forgets the store in memory: the next handle gets a new one.
    static func forgetMemory() { shared { $0 = nil } }

    private static let shared = Locked<StoreConnection?>(nil)

    /// Whether the default store is there or could be made, found out without making it.
    static var isAvailable: Bool {
        guard (configuration { $0 })?.availability ?? .available == .available else { return false }
        guard case .file(let path) = current else { return true }
        let files = FileManager.default
        if files.fileExists(atPath: path) {
            return
                (try? StoreRegistry.connection(
                    path: path,
                    options: configuration { $0 }
                        ?? HealthStoreConfiguration(authorization: .stored)
                ).store) != nil
        }
        var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        while !files.fileExists(atPath: folder.path), folder.path != "/" {
            folder.deleteLastPathComponent()
        }
        return files.isWritableFile(atPath: folder.path)
    }
}
