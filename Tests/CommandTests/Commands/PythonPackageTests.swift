import Foundation
import HealthTesting
import Testing

/// The Python package in `Python/`, with the built command. Its own tests compare its frames with
/// the command's JSON.
@Suite(.inTestAll) struct PythonPackageTests {
    private static let package = ProjectFiles.tests.deletingLastPathComponent()
        .appendingPathComponent("Python").path

    /// Runs the tests of the package.
    private func run(by python: [String]) throws -> ProgramRun {
        // Python would leave compiled copies beside the sources.
        let environment = ProcessInfo.processInfo.environment.merging([
            "OPENHEALTH_COMMAND": CommandRun.executable.path, "PYTHONDONTWRITEBYTECODE": "1",
            "LC_ALL": "C.UTF-8", "TZ": "UTC",
        ]) { $1 }
        return try ProgramRun(
            "/usr/bin/env",
            python + [
                "-m", "unittest", "discover", "-s", Self.package + "/tests", "-t", Self.package,
            ], environment: environment)
    }

    @Test(
        "frames of pandas and polars have the numbers of the command, and the notebook runs",
        .comparedWithParquetReaders)
    func frames() throws {
        let run = try run(by: [try #require(Python.withParquetTools)])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("Ran "), "\(run.errors)")
    }

    @Test("without any other package, rows have the numbers of the command", .comparedWithPython)
    func rows() throws {
        // -S leaves out all packages that are installed.
        let run = try run(by: ["python3", "-S"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("Ran "), "\(run.errors)")
    }
}
