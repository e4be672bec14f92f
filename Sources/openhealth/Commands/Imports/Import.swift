import ArgumentParser
import Foundation
import HealthArchive
import HealthIntake
import HealthStorage
import Synchronization

/// `openhealth import PATH`
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports an Apple Health export, or JSON lines of export, into the store.",
        discussion: """
            PATH is the export.zip, its folder, or the export.xml. It can also be a file that \
            openhealth export --format jsonl wrote: its samples are added with their UUIDs, unless \
            they are stored already. A file that ends in .smart-health-card adds its signed cards. \
            If a folder contains several \
            exports, the command asks which one to import. An import changes the store completely \
            or not at all. Importing the same file again changes nothing: a zip is known by the \
            checksums in it and isn't read, unless the store has changed since or --again is given. \
            A later export adds new samples, updates changed ones and removes those that it no \
            longer contains.
            """)

    @Argument(help: ArgumentHelp("The export to import.", valueName: "path"))
    var path: String

    @Flag(help: "Exit with 0 even if a damaged file could be imported only in part.")
    var partial = false

    @Flag(help: "Wait while another import into the store is running, instead of failing.")
    var wait = false

    @Flag(help: "Read the whole export again, even if the store knows it or parts of it.")
    var again = false

    @OptionGroup var person: PersonOptions

    @OptionGroup var global: GlobalOptions

    func run() throws {
        _ = try global.explicitTimeZone
        if SmartHealthCardImporter.canRead(path) { return try runCards() }
        if JSONLinesImporter.canRead(path) { return try runLines() }
        try ExportChoice.withSelection(path) { path in
            try person.withConfirmation { confirmation in
                try afterOthers { try run(path, confirmation) }
            }
        }
    }

    /// Runs an import; with `--wait` again and again, until no other one is running.
    private func afterOthers(_ run: () throws -> Void) throws {
        guard wait else { return try run() }
        let store = try global.path
        var isAnnounced = false
        while true {
            while SampleStore.isBeingImported(into: store) {
                if !isAnnounced { Message.write("Waiting for another import into the store.") }
                isAnnounced = true
                usleep(200_000)
            }
            do {
                return try run()
            } catch let error as StoreError where error.code == .busy {
                // Another import began in between.
                guard SampleStore.isBeingImported(into: store) else { throw error }
            }
        }
    }

    private func run(_ path: String, _ person: ExportImporter.PersonConfirmation) throws {
        let interruption = Interruption()
        let bar = ProgressBar.standardError
        var importer = ExportImporter(
            path: path, store: try global.path, timeZone: global.timeZone,
            systemTimeZone: TimeZone.current.identifier,
            now: Date().timeIntervalSinceReferenceDate, person: person,
            progress: { bar?.show($0, of: $1) }, isCancelled: { interruption.isRequested })
        if again { importer.knownText = .read }
        if !again, let earlier = try importer.unchangedImport() {
            let output = try UnchangedImport(earlier, path, global)
            return try Output.print(global.json ? output.json : output.text)
        }
        let report: ImportReport
        do {
            defer {
                bar?.clear()
                interruption.end()
            }
            report = try importer.run()
        }
        if global.json {
            try Output.print(report.json + "\n")
        } else {
            let followUp = try? ImportedContents(of: global.path, report)
            try Output.print(
                ImportText.text(report, followUp, options: StoreOptions.text(global)))
        }
        if !report.isComplete {
            Message.write(ImportText.damage(report))
            if !partial { throw ExitCode(2) }
        }
    }
}

extension Import {
    /// Imports a file of JSON lines.
    private func runLines() throws {
        let interruption = Interruption()
        let bar = ProgressBar.standardError
        let importer = JSONLinesImporter(
            path: path, store: try global.path, timeZone: global.timeZone,
            systemTimeZone: TimeZone.current.identifier,
            now: Date().timeIntervalSinceReferenceDate, progress: { bar?.show($0, of: $1) },
            isCancelled: { interruption.isRequested })
        let report: JSONLinesReport
        do {
            defer {
                bar?.clear()
                interruption.end()
            }
            report = try importer.run()
        }
        try global.json
            ? Output.print(JSONLinesText.json(report)) : Output.print(JSONLinesText.text(report))
        if report.rejected > 0 {
            Message.show(JSONLinesText.rejections(report))
            if !partial { throw ExitCode(2) }
        }
    }
}

/// The option that confirms that an export is from the store's person.
struct PersonOptions: ParsableArguments {
    @Flag(help: "Confirm that the export is from the same person, although it looks different.")
    var samePerson = false

    /// Runs an import. If the export looks like another person's, asks at the terminal and runs it
    /// again as confirmed.
    ///
    /// - Throws: ``CommandError`` if the answer is no, `PersonMismatch` without a terminal, and
    ///   errors of `run`.
    func withConfirmation(_ run: (ExportImporter.PersonConfirmation) throws -> Void) throws {
        do {
            try run(samePerson ? .confirmed : .unconfirmed)
        } catch let mismatch as PersonMismatch where Prompt.isInteractive {
            let question = "\(mismatch.reason.printable) Is it from the same person?"
            guard Prompt.confirm(question) else { throw CommandError("Nothing was imported.") }
            try run(.confirmed)
        }
    }
}

/// A request to stop by Ctrl-C or SIGTERM. Commands check it between two batches, so that they end
/// without a partial result. A second signal of the same kind ends the process at once.
final class Interruption: Sendable {
    private static let requested = Atomic<Bool>(false)

    init() {
        Interruption.requested.store(false, ordering: .relaxed)
        for number in [SIGINT, SIGTERM] {
            signal(number) { number in
                Interruption.requested.store(true, ordering: .relaxed)
                signal(number, SIG_DFL)
            }
        }
    }

    var isRequested: Bool { Interruption.requested.load(ordering: .relaxed) }

    /// Restores the default signal handling.
    func end() {
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
    }
}

/// A progress bar of an import on one line of the terminal.
final class ProgressBar: Sendable {
    private static let width = 40
    private let shown = Atomic<Int>(-1)

    /// The bar on standard error; nil unless that is a terminal.
    static var standardError: ProgressBar? {
        isatty(STDERR_FILENO) == 1 ? ProgressBar() : nil
    }

    func show(_ done: Int64, of total: Int64) {
        let percent = Int(total > 0 ? min(100, done * 100 / total) : 0)
        guard shown.exchange(percent, ordering: .relaxed) != percent else { return }
        Message.show("\r" + ProgressBar.text(percent: percent))
    }

    func clear() {
        if shown.load(ordering: .relaxed) >= 0 { Message.show("\r\u{1B}[K") }
    }

    /// Returns the line, such as "importing  ████░░░░  42 %", with a bar of 40 characters.
    static func text(percent: Int) -> String {
        let full = percent * width / 100
        return "importing  " + String(repeating: "█", count: full)
            + String(repeating: "░", count: width - full) + "  \(percent) %"
    }
}

/// Selects one of several exports in a folder.
enum ExportChoice {
    /// Runs a closure with a path. If that fails because the path is a folder with several exports,
    /// asks for one of them at the terminal and runs it with that one.
    ///
    /// - Throws: `ArchiveError` with `severalExports` if there is no terminal, ``CommandError`` if
    ///   none is chosen, and other errors of `run`.
    static func withSelection(_ path: String, _ run: (String) throws -> Void) throws {
        do {
            try run(path)
        } catch let error as ArchiveError {
            var isFolder: ObjCBool = false
            guard case .severalExports(let names) = error.code, Prompt.isInteractive,
                FileManager.default.fileExists(atPath: error.name, isDirectory: &isFolder),
                isFolder.boolValue
            else { throw error }
            let question = "\(error.name.printable) contains \(names.count) exports. Which one?"
            guard let name = Prompt.choose(question, among: names) else {
                throw CommandError("Nothing was imported.")
            }
            try run(error.name + "/" + name)
        }
    }
}
