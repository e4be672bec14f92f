import ArgumentParser
import Foundation
import HealthArchive
import HealthDashboard
import HealthStorage

/// `openhealth open PATH`
struct OpenPages: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Opens an export or a store in the browser.",
        discussion: """
            PATH is the export.zip, its folder, the export.xml, or a store's file. The default is \
            the default store. An export that is not yet in the store is imported first.
            """)

    @Argument(help: ArgumentHelp("An export or a store.", valueName: "path"))
    var path: String?

    @OptionGroup var person: PersonOptions

    @OptionGroup var serving: ServingOptions

    @OptionGroup var global: GlobalOptions

    @MainActor func run() async throws {
        try PageServing.requireServer()
        _ = try global.explicitTimeZone
        _ = try serving.goal.steps
        try await PageServing(
            store: try store(), options: serving, global: global, browser: .opened
        ).run()
    }

    /// Returns the path of the store to show. Imports the export first if that wasn't done before.
    private func store() throws -> String {
        guard let path else { return try global.path }
        if StoreHeader.isAt(path) {
            if global.store != nil || global.as != nil {
                throw UsageError("\(path.printable) is a store: omit --store and --as.")
            }
            return path
        }
        let store = try global.path
        try ExportChoice.withSelection(path) { path in
            try person.withConfirmation { try importing(path, of: $0, into: store) }
        }
        return store
    }

    private func importing(
        _ path: String, of person: ExportImporter.PersonConfirmation, into store: String
    ) throws {
        let interruption = Interruption()
        let bar = ProgressBar.standardError
        let importer = ExportImporter(
            path: path, store: store, timeZone: global.timeZone,
            systemTimeZone: TimeZone.current.identifier,
            now: Date().timeIntervalSinceReferenceDate, person: person,
            progress: { bar?.show($0, of: $1) }, isCancelled: { interruption.isRequested })
        let report: ImportReport
        do {
            defer {
                bar?.clear()
                interruption.end()
            }
            if try importer.earlierImport() != nil {
                Message.write("This export was already imported.")
                return
            }
            report = try importer.run()
        }
        Message.show(
            ImportText.text(
                report, try? ImportedContents(of: store, report),
                options: StoreOptions.text(global)))
        // The complete elements of a damaged export were imported, so the pages can be shown.
        if !report.isComplete { Message.write(ImportText.damage(report)) }
    }
}

/// Recognizes SQLite files by the 16 bytes at their beginning.
enum StoreHeader {
    static func isAt(_ path: String) -> Bool {
        guard case .file = FileKind(path), let file = FileHandle(forReadingAtPath: path) else {
            return false
        }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }
}
