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

/// Python as an independent reference.
enum Python {
    struct Failed: Error {
        var errors: String
    }

    /// A Python with DuckDB and pandas: the one of `Tools/setup`, or another; nil if there is none.
    static let withDataTools: String? = {
        let own = ProjectFiles.tests.deletingLastPathComponent()
            .appendingPathComponent(".build/python/bin/python3").path
        return [own, "python3"].first { python in
            (try? Python.run("import duckdb, pandas; print(1)", [], by: python)) == "1"
        }
    }()

    /// Runs a program and returns its output without the final newline.
    static func run(
        _ program: String, _ arguments: [String], by python: String = "python3"
    ) throws -> String {
        let run = try CommandRun(
            [python, "-c", program] + arguments, of: "/usr/bin/env",
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
        guard run.status == 0 else { throw Failed(errors: run.errors) }
        return run.output.trimmingCharacters(in: .newlines)
    }
}
