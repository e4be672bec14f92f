import ArgumentParser
import Foundation
import HealthDashboard
import HealthStorage

/// `openhealth delete`
struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Lists all files of openhealth and, after confirmation, deletes them.",
        discussion: """
            --everything deletes the files of all people, --as NAME those of one person: the \
            store, the weight diary and its photos, the positions of watch, caches, and temporary \
            files of interrupted commands. Exports and copies in other folders are not deleted. \
            Nothing is deleted while another process uses a file.
            """)

    @Flag(help: "Delete the store and the stores of all people (--as) in the same folder.")
    var everything = false

    @Flag(help: "Don't ask for confirmation.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if everything == (global.as != nil) {
            throw ValidationError(
                "Choose whose files to delete: --everything for all people, or --as NAME for one.")
        }
    }

    func run() throws {
        let path = try global.path
        let files = PersonFiles(store: path, others: everything ? .included : .excluded)
        if files.paths.isEmpty {
            if global.json { return try Output.print(Self.json([], [])) }
            return try Output.print("No files to delete.\n")
        }
        if !global.json {
            try Output.print(files.paths.map { $0.printable + "\n" }.joined())
        }
        try requireUnused(files)
        if !yes {
            do {
                try confirm(files)
            } catch {
                if global.json { try Output.print(Self.json([], files.paths)) }
                throw error
            }
        }
        try requireUnused(files)
        let remaining = files.paths.filter { path in
            (try? FileManager.default.removeItem(atPath: path)) == nil
                && FileManager.default.fileExists(atPath: path)
        }
        // Files for browsers that killed commands left: their tokens are invalid, but the folders
        // remain.
        BrowserHandover(
            folders: HandoverFolder.candidates(
                ProcessInfo.processInfo.environment, besideStore: path)
        ).removeLeftovers()
        removeFolder(of: path)
        let deletedCount = files.paths.count - remaining.count
        if global.json {
            try Output.print(Self.json(files.paths.filter { !remaining.contains($0) }, remaining))
        }
        guard remaining.isEmpty else {
            throw CommandError(
                "\(remaining.count) of \(files.paths.count) files could not be deleted: check the "
                    + "permissions of \(remaining[0].printable) and of its folder.")
        }
        if !global.json { try Output.print("Deleted \(counted(deletedCount, "file", "files")).\n") }
    }

    private func confirm(_ files: PersonFiles) throws {
        let what =
            "\(counted(files.paths.count, "file", "files")) of "
            + counted(files.persons, "person", "people")
        guard Prompt.isInteractive else {
            throw UsageError(
                "This deletes \(what). Confirm with --yes, or run it in a terminal.")
        }
        guard Prompt.confirm("Delete \(what)? This can't be undone.") else {
            throw CommandError("Nothing was deleted.")
        }
    }

    /// Throws if an import is running, or a process has a database open: it would continue to write
    /// to a deleted file.
    private func requireUnused(_ files: PersonFiles) throws {
        for path in files.databases {
            if SampleStore.isBeingImported(into: path) {
                throw CommandError(
                    "An import into \(path.printable) is running. Wait until it has finished, or "
                        + "stop it. Nothing was deleted.")
            }
            if let process = FileUse.process(using: path) {
                throw CommandError(
                    "\(path.printable) is in use by process \(process), perhaps openhealth serve "
                        + "or watch. Stop that process first. Nothing was deleted.")
            }
        }
    }

    /// Removes the store's folder if its name is "openhealth", like that of the default one, and it
    /// is empty.
    private func removeFolder(of path: String) {
        guard let slash = path.lastIndex(of: "/") else { return }
        let folder = String(path[..<slash])
        if folder.hasSuffix("/openhealth") { rmdir(folder) }
    }

    private static func json(_ deleted: [String], _ remaining: [String]) -> String {
        JSONText.object([
            "deleted": .array(deleted.map { .string($0) }),
            "left": .array(remaining.map { .string($0) }),
        ]).text + "\n"
    }
}
