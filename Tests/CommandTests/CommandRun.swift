import Foundation
import HealthTesting

/// The built command, run as a process of its own in surroundings that are the same everywhere.
struct CommandRun {
    var output: String
    var errors: String
    var status: Int32

    /// - Parameter environment: Added to the surroundings: UTC, German, nobody's home.
    init(
        _ arguments: [String], of program: String = CommandRun.executable.path,
        store: String? = nil, environment: [String: String] = [:]
    ) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        var surroundings = [
            "TZ": "UTC", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "HOME": "/nonexistent",
        ]
        surroundings["OPENHEALTH_STORE"] = store
        process.environment = surroundings.merging(environment) { _, new in new }
        // Files, since a full pipe would stop a long answer.
        let folder = try TemporaryFolder()
        let (outputPath, errorPath) = (folder.path + "/output", folder.path + "/errors")
        for path in [outputPath, errorPath] {
            _ = FileManager.default.createFile(atPath: path, contents: nil)
        }
        process.standardOutput = FileHandle(forWritingAtPath: outputPath)
        process.standardError = FileHandle(forWritingAtPath: errorPath)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        output = try String(contentsOfFile: outputPath, encoding: .utf8)
        errors = try String(contentsOfFile: errorPath, encoding: .utf8)
        status = process.terminationStatus
    }

    /// The command lies beside the tests.
    static let executable: URL = {
        let own = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        var folder = own.deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent("openhealth")
            if FileManager.default.isExecutableFile(atPath: candidate.path),
                (try? candidate.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == false
            {
                return candidate
            }
            folder.deleteLastPathComponent()
        }
        return own
    }()

    /// The answer as JSON, for looking into.
    var object: [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any]
    }
}

/// A folder of its own for a test, removed with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("CommandTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A store of the export in the fixtures: Anna's Watch, iPhone, scale and an app of day totals, on
/// two days in Berlin, the second one an hour short.
final class AnnasStore: Sendable {
    static let export = ProjectFiles.fixtures.appendingPathComponent("command/export.xml").path
    /// For tests that only read.
    static let shared = Result { try AnnasStore() }

    private let folder: TemporaryFolder
    var path: String { folder.path + "/health.sqlite" }

    init() throws {
        folder = try TemporaryFolder()
        let run = try CommandRun(["import", AnnasStore.export], store: path)
        guard run.status == 0 else { throw ImportFailed(errors: run.errors) }
    }

    struct ImportFailed: Error {
        var errors: String
    }
}
