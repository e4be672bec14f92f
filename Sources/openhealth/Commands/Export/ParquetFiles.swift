import Foundation
import HealthFormats
import HealthStorage

/// The files of a Parquet export: one file, or a folder with a file for each table. They appear
/// when all are complete.
final class ParquetFiles {
    private let path: String
    private let existing: StagedFile.Existing
    /// Whether each table has its own file, in a folder.
    let isFolder: Bool
    /// The folder that was created, to be removed if the export fails.
    private var createdFolder: String?
    private var files: [(staged: StagedFile, output: FileOutput)] = []

    /// A file that a closure can write to.
    private final class FileOutput {
        private var output: Output

        init(to path: String, named name: String) throws {
            output = try Output(to: path, named: name)
        }

        func write(_ bytes: [UInt8]) throws { try output.write(bytes) }
        func flush() throws { try output.flush() }
    }

    /// Prepares to write. A path that ends in ".parquet" is a file, any other a folder.
    init(at path: String, over existing: StagedFile.Existing) throws {
        self.path = path
        self.existing = existing
        isFolder = !path.lowercased().hasSuffix(".parquet")
        guard isFolder else { return }
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
            if isDirectory.boolValue { return }
            throw UsageError(
                "\(path.printable) is a file. Name a folder, or a file that ends in .parquet.")
        }
        guard mkdir(path, 0o700) == 0 else {
            let fault = FileFault(errorNumber: errno)
            throw CommandError("\(path.printable) can't be created: \(fault).")
        }
        createdFolder = path
    }

    deinit {
        // Only an empty folder is removed.
        if let createdFolder { rmdir(createdFolder) }
    }

    /// Returns what writes to the file of a table.
    func sink(_ table: ExportTable) throws -> ([UInt8]) throws -> Void {
        let name = isFolder ? path + "/" + table.rawValue + ".parquet" : path
        let staged = try StagedFile(at: name, over: existing)
        let output = try FileOutput(to: staged.temporaryPath, named: name.printable)
        files.append((staged, output))
        return { try output.write($0) }
    }

    /// Moves the complete files to their paths.
    func commit() throws {
        for file in files { try file.output.flush() }
        for file in files { try file.staged.commit() }
        createdFolder = nil
    }
}
