import Foundation

/// The store that `HKHealthStore()` opens.
///
/// This is the file `$OPENHEALTH_STORE` if that is set and not empty. Otherwise, in a test process,
/// it is one in-memory store for the whole process, so that tests never access personal data.
/// Otherwise it is the file that the `openhealth` command uses by default.
enum DefaultStore: Equatable {
    case file(String)
    case memory

    /// Returns the store for an environment.
    ///
    /// - Parameters:
    ///   - environment: The environment variables.
    ///   - isTesting: Whether the process runs tests.
    ///   - home: The home folder, used if `$HOME` is not set or empty.
    static func selected(
        environment: [String: String], isTesting: Bool, home: @autoclosure () -> String
    ) -> DefaultStore {
        if let path = environment["OPENHEALTH_STORE"], !path.isEmpty { return .file(path) }
        if isTesting { return .memory }
        return .file(folder(environment, home: home()) + "/health.sqlite")
    }

    /// Returns the folder of the default file: `openhealth` in `$XDG_DATA_HOME`, otherwise in
    /// `.local/share` of the home folder. The XDG specification requires relative paths to be
    /// ignored.
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
        selected(
            environment: ProcessInfo.processInfo.environment, isTesting: TestRunner.isPresent,
            home: FileManager.default.homeDirectoryForCurrentUser.path)
    }

    /// The configuration of default stores; nil for the default configuration, which for a file
    /// uses stored permissions.
    static let configuration = Locked<HealthStoreConfiguration?>(nil)

    static func connection() -> StoreConnection {
        let custom = configuration { $0 }
        switch current {
        case .file(let path):
            return StoreRegistry.connection(
                path: path, options: custom ?? HealthStoreConfiguration(authorization: .stored))
        case .memory:
            return shared { memory in
                if let memory { return memory }
                let new = StoreRegistry.inMemory(options: custom ?? HealthStoreConfiguration())
                memory = new
                return new
            }
        }
    }

    /// Releases the in-memory store, so that the next handle of the default store gets a new one.
    static func releaseMemory() { shared { $0 = nil } }

    private static let shared = Locked<StoreConnection?>(nil)

    /// Whether the file of the default store can be opened if it exists, or created if it does not.
    ///
    /// An in-memory store is always available. If the configuration makes health data unavailable,
    /// this is false in any case. Does not create the file.
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

/// Detects whether this process runs tests.
enum TestRunner {
    /// Whether this process runs tests. Computed once, at the first access, from its arguments,
    /// environment and executable.
    static let isPresent = isPresent(
        arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment,
        executable: Bundle.main.executablePath)

    /// Returns whether the arguments, the environment or the executable are those of a test run.
    /// XCTest and Swift Testing run an executable test bundle (`….xctest`) or a helper that loads
    /// one. Xcode and SwiftPM set environment variables.
    static func isPresent(
        arguments: [String], environment: [String: String], executable: String?
    ) -> Bool {
        if environmentVariables.contains(where: { environment[$0] != nil }) { return true }
        let program = executable ?? arguments.first ?? ""
        if isRunner(program) || arguments.first.map(isRunner) == true { return true }
        return arguments.dropFirst().contains { argument in
            flags.contains(argument) || argument.contains(".xctest/")
                || argument.hasSuffix(".xctest")
        }
    }

    private static let environmentVariables = [
        "XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier",
        "SWIFT_TESTING_ENABLED", "XCInjectBundleInto",
    ]
    private static let flags: Set<String> = ["--testing-library", "--test-bundle-path"]
    private static let executableNames: Set<String> = [
        "xctest", "swiftpm-testing-helper", "swiftpm-xctest-helper",
    ]

    private static func isRunner(_ program: String) -> Bool {
        let name = program.split(separator: "/").last.map(String.init) ?? program
        return executableNames.contains(name) || name.hasSuffix(".xctest")
            || program.contains(".xctest/")
    }
}
