import Foundation
import HealthTesting

/// Python as an oracle of its own.
enum Python {
    struct Failed: Error {
        var errors: String
    }

    /// Where `Tools/setup` has put DuckDB and pandas, or any other Python that has both; nil where none
    /// has.
    static let withDataTools: String? = {
        let own = ProjectFiles.tests.deletingLastPathComponent()
            .appendingPathComponent(".build/python/bin/python3").path
        return [own, "python3"].first { python in
            (try? Python.run("import duckdb, pandas; print(1)", [], by: python)) == "1"
        }
    }()

    /// What a program prints, without the line's end.
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
