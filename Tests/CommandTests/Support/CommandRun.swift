import Foundation
import HealthTesting

/// A run of the built command as a process, in a fixed environment.
struct CommandRun {
    var output: String
    var errors: String
    var status: Int32

    /// Runs a command to its end.
    ///
    /// - Parameter environment: Variables in addition to the fixed ones: UTC, German, an empty
    ///   home.
    init(
        _ arguments: [String], of program: String = CommandRun.executable.path,
        store: String? = nil, environment: [String: String] = [:]
    ) throws {
        var surroundings = [
            "TZ": "UTC", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "HOME": "/nonexistent",
        ]
        surroundings["OPENHEALTH_STORE"] = store
        let run = try ProgramRun(
            program, arguments, environment: surroundings.merging(environment) { _, new in new })
        (output, errors, status) = (run.output, run.errors, run.status)
    }

    /// The built command, in the folder of the tests.
    static let executable = URL(fileURLWithPath: ProgramRun.built("openhealth") ?? "openhealth")

    /// The output parsed as JSON.
    var object: [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any]
    }
}

/// A store of the fixture export: Anna's Watch, iPhone, scale and an app with day totals, on two
/// days in Berlin. The second day is an hour short.
final class AnnasStore: Sendable {
    static let export = ProjectFiles.fixtures.appendingPathComponent("command/export.xml").path
    /// A shared instance for tests that only read.
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
