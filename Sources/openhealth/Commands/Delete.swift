import ArgumentParser
import Foundation
import HealthDashboard
import HealthStorage

/// `openhealth delete`
struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Lists every file that openhealth keeps, and deletes them if you say so.",
        discussion: """
            With --everything those of all persons beside each other, with --as NAME those of one: \
            the store, the weight diary with its photos, the place of watch, kept answers, and what \
            killed commands have left. Exports and copies that you wrote elsewhere stay where they \
            are. Nothing is deleted while another process uses a file.
            """)

    @Flag(help: "The files of everyone: the store and those of --as beside it.")
    var everything = false

    @Flag(help: "Don't ask.")
    var yes = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if everything == (global.as != nil) {
            throw ValidationError(
                "Say whose files: --everything for everyone's, or --as NAME for one person's.")
        }
    }

    func run() throws {
        let path = try global.path
        let files = KeptFiles(store: path, others: everything ? .included : .left)
        if files.paths.isEmpty {
            if global.json { return try Output.print(Self.json([], [])) }
            return try Output.print("There is nothing to delete.\n")
        }
        if !global.json {
            try Output.print(files.paths.map { $0.printable + "\n" }.joined())
        }
        try refuseUsed(files)
        if !yes, try !isConfirmed(files) { throw NotDone("Nothing was deleted.") }
        try refuseUsed(files)
        let left = files.paths.filter { path in
            (try? FileManager.default.removeItem(atPath: path)) == nil
                && FileManager.default.fileExists(atPath: path)
        }
        // Of commands that were killed: their tokens are void, but a folder that holds them stays.
        BrowserHandover(
            folders: HandoverFolder.candidates(
                ProcessInfo.processInfo.environment, besideStore: path)
        ).removeLeftovers()
        removeFolder(of: path)
        let gone = files.paths.count - left.count
        if global.json {
            try Output.print(Self.json(files.paths.filter { !left.contains($0) }, left))
        }
        guard left.isEmpty else {
            throw NotDone(
                "\(left.count) of \(files.paths.count) can't be deleted: check the permissions of "
                    + "\(left[0].printable) and of its folder.")
        }
        if !global.json { try Output.print("Deleted \(counted(gone, "file", "files")).\n") }
    }

    private func isConfirmed(_ files: KeptFiles) throws -> Bool {
        let what =
            "\(counted(files.paths.count, "file", "files")) of "
            + counted(files.persons, "person", "persons")
        guard Question.canBeAsked else {
            throw WrongUsage(
                "This deletes \(what). Confirm with --yes, or run it in a terminal.")
        }
        return Question.ask("Delete \(what)? They can't be brought back.")
    }

    /// Whoever has a file open would go on writing what nobody can see any more.
    private func refuseUsed(_ files: KeptFiles) throws {
        for path in files.databases {
            if SampleStore.isBeingImported(into: path) {
                throw NotDone(
                    "An import into \(path.printable) is running: wait until it is done, or end it. "
                        + "Nothing was deleted.")
            }
            if let process = FileUse.process(using: path) {
                throw NotDone(
                    "\(path.printable) is in use by process \(process), perhaps openhealth serve or "
                        + "watch: end it first. Nothing was deleted.")
            }
        }
    }

    /// The folder that a store makes by itself goes with the last file in it.
    private func removeFolder(of path: String) {
        guard let slash = path.lastIndex(of: "/") else { return }
        let folder = String(path[..<slash])
        if folder.hasSuffix("/openhealth") { rmdir(folder) }
    }

    private static func json(_ deleted: [String], _ left: [String]) -> String {
        JSONText.object([
            "deleted": .array(deleted.map { .string($0) }),
            "left": .array(left.map { .string($0) }),
        ]).text + "\n"
    }
}
