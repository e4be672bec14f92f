import ArgumentParser
import Foundation
import HealthArchive
import HealthDashboard
import HealthServer
import HealthStorage

/// `openhealth backup FILE`
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Writes the store and what belongs to it into one file, also while it is in use.",
        discussion: """
            The file is a zip archive with the store, the weight diary with its photos, and the \
            registered phones and programs, each with a SHA-256 checksum. It is read back and \
            compared before the command ends. With --passphrase-file it is encrypted: nobody can \
            read it without the passphrase, you included.

            A file that is there already is kept as FILE.1, the one before as FILE.2 and so on. \
            openhealth restore FILE brings everything back, also on another computer.
            """)

    @Argument(help: ArgumentHelp("The file to write.", valueName: "file"))
    var file: String

    @Option(
        help: ArgumentHelp(
            "Encrypt with the passphrase in the first line of this file.", valueName: "file"))
    var passphraseFile: String?

    @Option(help: ArgumentHelp("The number of earlier backups to keep.", valueName: "n"))
    var keep = 3

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard (0...1000).contains(keep) else { throw ValidationError("--keep takes 0 to 1000.") }
    }

    func run() throws {
        let passphrase = try passphraseFile.map(Passphrase.read)
        let path = try global.path
        // Reports a missing or damaged store, and migrates an older one.
        try global.open().close()
        try KeptVersions.check(file)
        let work = try WorkFolder(beside: path)
        let files = try copies(of: BackupFiles(path: path), in: work)
        let archive = work.path + "/backup.zip"
        let manifest = try BackupArchive.write(
            files, to: archive, program: "openhealth " + ProgramVersion.text,
            now: Date().timeIntervalSinceReferenceDate)
        let staged = try StagedFile(at: file + ".new", over: .file)
        if let passphrase {
            try SealedFile.seal(archive, to: staged.temporaryPath, passphrase)
        } else {
            try Self.move(archive, to: staged.temporaryPath)
        }
        try verify(staged.temporaryPath, passphrase, work)
        try staged.commit()
        try KeptVersions.replace(file, with: staged.path, keeping: keep)
        try show(manifest)
    }

    /// Copies the databases, so that the archive holds one moment of each.
    private func copies(
        of files: BackupFiles, in work: WorkFolder
    ) throws -> [(name: String, path: String)] {
        try files.existingDatabases().map { name, path in
            let copy = work.path + "/" + name
            try DatabaseCopy.write(of: path, to: copy)
            return (name, copy)
        } + files.photos()
    }

    /// Reads the written file back.
    private func verify(_ path: String, _ passphrase: Passphrase?, _ work: WorkFolder) throws {
        var archive = path
        if let passphrase {
            archive = work.path + "/verified.zip"
            try SealedFile.open(path, to: archive, passphrase, named: file)
        }
        let folder = work.path + "/verified"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        _ = try BackupArchive.extract(archive, to: folder, named: file)
    }

    private static func move(_ from: String, to target: String) throws {
        if rename(from, target) == 0 { return }
        // The store and the backup are on different disks.
        unlink(target)
        do {
            try FileManager.default.copyItem(atPath: from, toPath: target)
        } catch {
            throw BackupError.unusableFile(target, reason: "it can't be written")
        }
        chmod(target, 0o600)
    }

    private func show(_ manifest: BackupManifest) throws {
        let size = (try? FileManager.default.attributesOfItem(atPath: file)[.size] as? Int) ?? nil
        if global.json {
            return try Output.print(
                JSONText.object([
                    "file": .string(file), "bytes": size.map(JSONText.integer),
                    "encrypted": .bool(passphraseFile != nil),
                    "created": .string(manifest.created),
                    "files": .array(
                        manifest.files.map {
                            .object([
                                "name": .string($0.name), "bytes": .integer(Int($0.byteCount)),
                                "sha256": .string($0.sha256),
                            ])
                        }),
                ]))
        }
        let megabytes = NumberText.grouped(Double(size ?? 0) / 1_000_000, digits: 1)
        let sealed = passphraseFile == nil ? "" : ", encrypted"
        try Output.print(
            "Wrote \(file.printable): \(counted(manifest.files.count, "file", "files")), "
                + "\(megabytes) MB\(sealed). It was read back and is complete.\n")
    }
}

/// The earlier versions of a backup: FILE.1 is the newest of them.
enum KeptVersions {
    /// - Throws: ``UsageError`` if a file at the path isn't a backup: it would be replaced.
    static func check(_ path: String) throws {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
        if isFolder.boolValue {
            throw UsageError("\(path.printable) is a folder. Name a file in it.")
        }
        guard SealedFile.isSealed(path) || BackupArchive.isBackup(path) else {
            throw UsageError("\(path.printable) exists and isn't a backup. Choose another name.")
        }
    }

    /// Moves a finished file to the path. An earlier one there is renamed.
    static func replace(_ path: String, with new: String, keeping count: Int) throws {
        if FileManager.default.fileExists(atPath: path), count > 0 {
            for number in stride(from: count - 1, through: 1, by: -1) {
                // A missing number is a gap, no error.
                rename("\(path).\(number)", "\(path).\(number + 1)")
            }
            // A second name, so that there is a backup at the path at any moment.
            unlink(path + ".1")
            if link(path, path + ".1") != 0, rename(path, path + ".1") != 0 {
                throw failure(path)
            }
        }
        guard rename(new, path) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: String) -> BackupError {
        .unusableFile(path, reason: String(cString: strerror(errno)))
    }
}
