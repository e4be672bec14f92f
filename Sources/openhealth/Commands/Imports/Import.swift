import ArgumentParser
import Foundation
import HealthArchive
import HealthStorage
import Synchronization

/// `openhealth import PATH`
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Brings an Apple Health export into the store.",
        discussion: """
            PATH is the export.zip, its folder, or the export.xml; in a folder with several exports \
            you are asked for one. The store is changed wholly or \
            not at all. The same file again changes nothing; a later export adds what is new, \
            takes over what changed and removes what is gone.
            """)

    @Argument(help: ArgumentHelp("The export.", valueName: "path"))
    var path: String

    @Flag(help: "Exit with 0 also if the file was cut short and only its whole elements came in.")
    var partial = false

    @OptionGroup var person: PersonOptions

    @OptionGroup var global: GlobalOptions

    func run() throws {
        _ = try global.givenZone
        try ExportChoice.asking(path) { path in try person.asking { try run(path, $0) } }
    }

    private func run(_ path: String, _ person: ExportImporter.Person) throws {
        let interruption = Interruption()
        let bar = ProgressBar.standardError
        let importer = ExportImporter(
            path: path, store: try global.path, timeZone: global.timeZone,
            systemTimeZone: TimeZone.current.identifier,
            now: Date().timeIntervalSinceReferenceDate, person: person,
            progress: { bar?.show($0, of: $1) }, isCancelled: { interruption.isRequested })
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
                ImportText.text(report, followUp, options: StoreOptions.words(global)))
        }
        if !report.isWhole {
            Message.write(ImportText.damage(report))
            if !partial { throw ExitCode(2) }
        }
    }
}

/// Whose export it is, where it looks like another person's than the store's.
struct PersonOptions: ParsableArguments {
    @Flag(help: "The export is the store's person's, though it looks like another one's.")
    var samePerson = false

    /// Imports; if whose export it is comes into doubt, asks whoever sits at the terminal.
    func asking(_ run: (ExportImporter.Person) throws -> Void) throws {
        do {
            try run(samePerson ? .confirmed : .unconfirmed)
        } catch let doubt as PersonDoubt where Question.canBeAsked {
            let question = "\(doubt.reason.printable) Is it the same person's all the same?"
            guard Question.ask(question) else { throw NotDone("Nothing was imported.") }
            try run(.confirmed)
        }
    }
}

/// Ctrl-C, noticed between two batches, so that the store stays as it was; a second one ends the
/// process at once.
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

    /// Leaves signals to the system again.
    func end() {
        signal(SIGINT, SIG_DFL)
        signal(SIGTERM, SIG_DFL)
    }
}

/// How far an import is, on one line that is written over.
final class ProgressBar: Sendable {
    private static let width = 40
    private let shown = Atomic<Int>(-1)

    /// The bar of standard error; nil unless that is a terminal.
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

    /// "importing  ████░░░░  42 %"
    static func text(percent: Int) -> String {
        let full = percent * width / 100
        return "importing  " + String(repeating: "█", count: full)
            + String(repeating: "░", count: width - full) + "  \(percent) %"
    }
}
