import ArgumentParser
import Foundation
import HealthStorage

/// `openhealth serve`
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the store as web pages, and receives data of phones.",
        discussion: """
            Prints the address on the first line and runs until Ctrl-C. The address contains a key \
            that works for one browser. Without --listen, only this computer can open the pages.

            With --people it serves many people, each with a token of their own, and receives data \
            of their phones: see openhealth people.
            """)

    @OptionGroup var serving: ServingOptions

    @OptionGroup var receiving: ReceivingOptions

    @OptionGroup var encryption: EncryptionOptions

    @OptionGroup var people: PeopleServingOptions

    @Flag(help: "Open the pages in the browser.")
    var open = false

    @OptionGroup var global: GlobalOptions

    @MainActor func run() async throws {
        if let place = try people.place(global) {
            return try await PeopleServing(
                place, options: people, serving: serving, receiving: receiving,
                encryption: encryption, global: global
            ).run()
        }
        try await PageServing(
            store: try global.path, options: serving, receiving: receiving, encryption: encryption,
            global: global, browser: open ? .opened : .unopened
        ).run()
    }
}

/// Explains a missing store by an import that is running.
enum RunningImport {
    /// Opens a store.
    ///
    /// - Throws: ``CommandError`` if the store doesn't exist yet because its first import is
    ///   running; other errors of `open`.
    static func reportingErrors<Opened>(of path: String, _ open: () throws -> Opened) throws
        -> Opened
    {
        do {
            return try open()
        } catch let error as StoreError
            where error.code == .missing && SampleStore.isBeingImported(into: path)
        {
            throw CommandError(
                "The first import into \(path.printable) is still running. Try again when it has "
                    + "finished.")
        }
    }
}
