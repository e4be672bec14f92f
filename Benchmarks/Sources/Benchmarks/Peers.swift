import Foundation

/// The programs from PyPI that openhealth is compared with.
struct Peers {
    private let folder: String

    /// Installs them with `Benchmarks/peers`; nil if that fails.
    init?(in package: String) {
        Progress.show("setting up healthkit-to-sqlite and duckdb")
        guard let run = try? Program("\(package)/peers").run() else { return nil }
        guard run.status == 0 else {
            Progress.clear()
            FileHandle.standardError.write(Data(run.errorOutput.utf8))
            return nil
        }
        folder = package
    }

    /// Returns a run that converts a zip into a SQLite file.
    func healthkitToSQLite(_ zip: String, to file: String) -> Program {
        Program("\(folder)/.build/peers/bin/healthkit-to-sqlite", zip, file, "--silent")
    }

    /// Returns a run of a script in `Python/`.
    func python(_ script: String, _ arguments: String...) -> Program {
        var program = Program("\(folder)/.build/peers/bin/python", "\(folder)/Python/\(script)")
        program.arguments += arguments
        return program
    }
}
