import Foundation

/// The programs from PyPI that openhealth is measured against.
struct Peers {
    private let folder: String

    /// Sets them up by `Benchmarks/peers`; nil where that can't be done.
    init?(in package: String) {
        Progress.show("setting up healthkit-to-sqlite and duckdb")
        guard let run = try? Program("\(package)/peers").run() else { return nil }
        guard run.status == 0 else {
            Progress.clear()
            FileHandle.standardError.write(Data(run.complaint.utf8))
            return nil
        }
        folder = package
    }

    /// Converts a zip into a SQLite file.
    func healthkitToSQLite(_ zip: String, to file: String) -> Program {
        Program("\(folder)/.build/peers/bin/healthkit-to-sqlite", zip, file, "--silent")
    }

    /// One of the scripts in `Python/`.
    func python(_ script: String, _ arguments: String...) -> Program {
        var program = Program("\(folder)/.build/peers/bin/python", "\(folder)/Python/\(script)")
        program.arguments += arguments
        return program
    }
}
