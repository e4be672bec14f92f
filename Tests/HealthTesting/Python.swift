public import Foundation
public import Testing

/// Python as an independent reference.
///
/// All tests use the `python3` of the search path, with the standard library and the system's time
/// zones; `Tools/setup` installs both. If it is missing, tests fail, so that no reference is lost
/// unnoticed. In the quick tier they are skipped with a message: see
/// ``Testing/Trait/comparedWithPython``.
public enum Python {
    /// A program ended with an error.
    public struct Failure: Error {
        /// Standard error.
        public var errors: String
    }

    /// Whether Python 3.9 or later is installed, with time zones.
    public static let isInstalled =
        (try? run("import zoneinfo; print(zoneinfo.ZoneInfo('Europe/Berlin'))")) == "Europe/Berlin"

    /// A Python with DuckDB and pandas: the one of `Tools/setup`, or another; nil if there is none.
    ///
    /// These need a download, so the test that uses them is skipped without them in any tier.
    public static let withDataTools: String? = interpreter(importing: "duckdb, pandas")

    /// A Python with the client of the Model Context Protocol and with JSON Schema, as
    /// ``withDataTools``; nil if there is none.
    public static let withAssistantClient: String? = interpreter(importing: "mcp, jsonschema")

    /// Returns the Python of `Tools/setup`, or that of the search path, if it has the modules.
    private static func interpreter(importing modules: String) -> String? {
        let own = ProjectFiles.tests.deletingLastPathComponent()
            .appendingPathComponent(".build/python/bin/python3").path
        return [own, "python3"].first { python in
            (try? run("import \(modules); print(1)", by: python)) == "1"
        }
    }

    /// A Python with all that reads Parquet: DuckDB, pandas, pyarrow and polars; nil if there is
    /// none. Tests that use it are skipped without it in any tier, as with ``withDataTools``.
    public static let withParquetTools: String? = {
        guard let python = withDataTools else { return nil }
        let found = try? run("import polars, pyarrow.parquet; print(1)", by: python)
        return found == "1" ? python : nil
    }()

    /// A Python with `fhir.resources`: the one of `Tools/setup`, or another; nil if there is none.
    ///
    /// It needs a download, so tests that use it are skipped without it in any tier.
    public static let withFHIR: String? = {
        let own = ProjectFiles.tests.deletingLastPathComponent()
            .appendingPathComponent(".build/python-fhir/bin/python3").path
        return [own, "python3"].first { python in
            (try? run("import fhir.resources; print(1)", by: python)) == "1"
        }
    }()

    /// Runs a program.
    ///
    /// - Parameters:
    ///   - program: The source text.
    ///   - arguments: Its arguments.
    ///   - python: The interpreter: a path, or a name to search for.
    /// - Returns: Its output without the final newline.
    /// - Throws: ``Failure`` if it ends with an error, also if Python is missing.
    public static func run(
        _ program: String, _ arguments: [String] = [], by python: String = "python3"
    ) throws -> String {
        try output([python, "-c", program] + arguments)
    }

    /// Runs a program in a file.
    ///
    /// - Parameters:
    ///   - script: The file.
    ///   - arguments: Its arguments.
    ///   - python: The interpreter: a path, or a name to search for.
    /// - Returns: Its output without the final newline.
    /// - Throws: ``Failure`` if it ends with an error, also if Python is missing.
    public static func run(
        script: URL, _ arguments: [String] = [], by python: String = "python3"
    ) throws -> String {
        try output([python, script.path] + arguments)
    }

    private static func output(_ words: [String]) throws -> String {
        let environment = ProcessInfo.processInfo.environment
            .merging(["LC_ALL": "C.UTF-8", "TZ": "UTC"]) { _, new in new }
        let run = try ProgramRun("/usr/bin/env", words, environment: environment)
        guard run.status == 0 else { throw Failure(errors: run.errors) }
        return run.output.trimmingCharacters(in: .newlines)
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test if there is no Python with DuckDB, pandas, pyarrow and polars.
    public static var comparedWithParquetReaders: Self {
        .enabled(
            if: Python.withParquetTools != nil,
            "No Python with DuckDB, pandas, pyarrow and polars: make setup installs them.")
    }

    /// Skips a test in the quick tier if Python is missing. In the other tiers it runs, and fails.
    public static var comparedWithPython: Self {
        .enabled(
            if: TestTier.current >= .all || Python.isInstalled,
            "Python 3 is missing: run make setup")
    }
}
