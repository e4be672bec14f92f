import ArgumentParser
import Foundation
import HealthArchive
import HealthDashboard
import HealthStorage

/// `openhealth restore FILE`
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Brings back the store and what belongs to it from a backup.",
        discussion: """
            Everything is compared with its checksum and the store is checked before anything \
            changes. An existing store is replaced only with --replace; it is kept in the folder \
            health.before-restore beside it until the next restore. Programs that read changes \
            start anew, since the backup can be older than what they know.
            """)

    @Argument(help: ArgumentHelp("The backup.", valueName: "file"))
    var file: String

    @Option(
        help: ArgumentHelp(
            "Decrypt with the passphrase in the first line of this file.", valueName: "file"))
    var passphraseFile: String?

    @Flag(help: "Replace an existing store.")
    var replace = false

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let path = try global.path
        guard FileManager.default.fileExists(atPath: file) else {
            throw UsageError("There is no file \(file.printable).")
        }
        try requireReplaceable(path)
        try createFolder(of: path)
        let work = try WorkFolder(beside: path)
        let archive = try archive(in: work)
        let folder = work.path + "/files"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let manifest = try BackupArchive.extract(archive, to: folder, named: file)
        let samples = try check(folder + "/" + BackupFiles.store)
        try requireReplaceable(path)
        try RestoredFiles(BackupFiles(path: path), folder).moveIntoPlace(manifest, named: file)
        try show(manifest, path, samples)
    }

    /// Throws unless there is no store, or it may be replaced and nobody uses it.
    private func requireReplaceable(_ path: String) throws {
        if SampleStore.isBeingImported(into: path) {
            throw CommandError(
                "An import into \(path.printable) is running. Wait until it has finished, or stop "
                    + "it. Nothing was changed.")
        }
        guard FileManager.default.fileExists(atPath: path) else { return }
        guard replace else {
            throw UsageError(
                "There is a store at \(path.printable). Replace it with --replace, or choose "
                    + "another path with --store.")
        }
        guard FileUse.isStore(path) else {
            throw UsageError("\(path.printable) isn't a store of openhealth: it isn't replaced.")
        }
        if let process = FileUse.process(using: path) {
            throw CommandError(
                "\(path.printable) is in use by process \(process). Stop that process first. "
                    + "Nothing was changed.")
        }
    }

    private func createFolder(of path: String) throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandError("The folder \(folder.printable) can't be created.")
        }
    }

    /// Returns the path of the zip archive: the file, or what is decrypted from it.
    private func archive(in work: WorkFolder) throws -> String {
        guard SealedFile.isSealed(file) else {
            if passphraseFile != nil {
                Message.write("\(file.printable) isn't encrypted: no passphrase is needed.")
            }
            return file
        }
        guard let passphraseFile else {
            throw UsageError(
                "\(file.printable) is encrypted: name the file with its passphrase "
                    + "with --passphrase-file.")
        }
        let archive = work.path + "/backup.zip"
        try SealedFile.open(file, to: archive, try Passphrase.read(passphraseFile), named: file)
        return archive
    }

    /// Checks the extracted store and gives it an identifier of its own.
    ///
    /// - Returns: The number of its samples.
    private func check(_ store: String) throws -> Int {
        let opened = try SampleStore.forChecking(at: store)
        let violations = try opened.check()
        let samples = try opened.types().reduce(0) { $0 + $1.samples }
        try opened.close()
        guard violations.isEmpty else {
            throw CommandError(
                "The store in \(file.printable) is damaged: \(violations[0].invariant). Nothing "
                    + "was restored.")
        }
        try DatabaseCopy.renewIdentifier(of: store)
        return samples
    }

    private func show(_ manifest: BackupManifest, _ path: String, _ samples: Int) throws {
        if global.json {
            return try Output.print(
                JSONText.object([
                    "store": .string(path), "created": .string(manifest.created),
                    "files": .integer(manifest.files.count), "samples": .integer(samples),
                ]))
        }
        try Output.print(
            "Restored \(counted(samples, "sample", "samples")) to \(path.printable), as they were "
                + "on \(DateText.long(String(manifest.created.prefix(10)))).\n")
    }
}

/// Moves extracted files to where they belong.
private struct RestoredFiles {
    private let files: BackupFiles
    private let folder: String

    init(_ files: BackupFiles, _ folder: String) { (self.files, self.folder) = (files, folder) }

    /// Moves the files into place, the store last. What is there is kept in the folder
    /// before-restore: a crash in between loses nothing.
    func moveIntoPlace(_ manifest: BackupManifest, named name: String) throws {
        var moves: [(from: String, to: String)] = []
        for file in manifest.files {
            guard let target = files.destination(of: file.name) else {
                throw BackupError.incomplete(name, name: file.name)
            }
            moves.append((folder + "/" + file.name, target))
        }
        guard let last = moves.firstIndex(where: { $0.to == files.path }) else {
            throw BackupError.incomplete(name, name: BackupFiles.store)
        }
        moves.append(moves.remove(at: last))
        try keepExisting()
        for (from, to) in moves {
            let parent = URL(fileURLWithPath: to).deletingLastPathComponent().path
            try? FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            // SQLite would apply what a lost database left to the restored one.
            for suffix in ["-wal", "-shm", "-journal"] { unlink(to + suffix) }
            guard rename(from, to) == 0 else { throw failure(to) }
        }
        SidecarFiles.removePageCache(of: files.path)
    }

    private func keepExisting() throws {
        guard FileManager.default.fileExists(atPath: files.path) else { return }
        let kept = files.replaced
        try? FileManager.default.removeItem(atPath: kept)
        guard mkdir(kept, 0o700) == 0 else { throw failure(kept) }
        for (name, path) in files.existingDatabases() {
            // Without this, SQLite would apply the old log to the restored file.
            try DatabaseCopy.removeWriteAheadLog(of: path)
            // A second name: the store stays at its place until the new one replaces it.
            if link(path, kept + "/" + name) != 0 {
                try DatabaseCopy.write(of: path, to: kept + "/" + name)
            }
        }
        for (name, path) in files.photos() {
            let copy = kept + "/" + name
            try? FileManager.default.createDirectory(
                atPath: URL(fileURLWithPath: copy).deletingLastPathComponent().path,
                withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard rename(path, copy) == 0 else { throw failure(copy) }
        }
        // A diary or registrations that the backup lacks don't belong to the restored store.
        for (_, path) in files.existingDatabases() where path != files.path { unlink(path) }
        for suffix in ["watch.sqlite", "push.sqlite"] {
            for end in ["", "-wal", "-shm", "-journal"] {
                unlink(SidecarFiles.path(files.path, suffix) + end)
            }
        }
    }

    private func failure(_ path: String) -> BackupError {
        .unusableFile(path, reason: String(cString: strerror(errno)))
    }
}
