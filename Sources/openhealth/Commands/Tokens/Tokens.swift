import ArgumentParser
import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage

/// `openhealth tokens`
struct Tokens: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Lists, adds and removes tokens of programs that read through openhealth serve.",
        discussion: """
            A program sends its token as “Authorization: Bearer TOKEN” to the addresses under /v1. \
            The file health.devices.sqlite beside the store has only the digests of tokens.
            """,
        subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)
}

extension Tokens {
    /// `openhealth tokens [list]`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the tokens (the default).")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open()
            let directory = try AccessDirectory.openIfPresent(besideStore: store.path)
            let list = TokenList(
                tokens: try directory?.readTokens() ?? [], store: store,
                calendar: try global.calendar(of: store))
            try global.json ? Output.print(list.json) : Output.print(list.text)
        }
    }

    /// `openhealth tokens add NAME`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds a token and prints it. It can't be shown again.")

        @Argument(help: ArgumentHelp("A name for the list, such as “Grafana”.", valueName: "name"))
        var name: String

        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp(
                "The types that can be read, separated by commas: stepCount,heartRate. Default: "
                    + "all types.",
                valueName: "types"))
        var types: [String] = []

        @Option(
            help: ArgumentHelp(
                "Permit only samples that start on this day or later.", valueName: "date"))
        var since: String?

        @Flag(help: "Permit only sums, averages and other statistics, no single samples.")
        var aggregatedOnly = false

        @OptionGroup var global: GlobalOptions

        func run() throws {
            guard global.json || isatty(STDOUT_FILENO) == 1 else {
                throw UsageError(
                    "The token is printed only to a terminal. Add --json to print it elsewhere.")
            }
            let path = try global.path
            let scope = try scope(ofStoreAt: path)
            let token = try AccessError.reported {
                try AccessDirectory.open(besideStore: path)
                    .addToken(name, scope, at: Date.now.timeIntervalSinceReferenceDate)
            }
            if global.json {
                let json = JSONText.object([
                    "id": .string(token.identifier), "token": .string(token.text),
                ])
                return try Output.print(json)
            }
            try Output.print(token.text + "\n")
            Message.write(
                "Copy the token now: it can't be shown again. Anyone who has it can read "
                    + "\(types.isEmpty ? "your health data" : "these types") through openhealth "
                    + "serve. To remove it: openhealth tokens remove \(token.identifier)")
        }

        /// Returns what the token permits. Without limits, the store need not exist yet, as with
        /// `devices add`.
        private func scope(ofStoreAt path: String) throws -> ReadScope {
            if types.isEmpty, since == nil, !FileManager.default.fileExists(atPath: path) {
                return ReadScope(types: nil, earliest: nil, isAggregatedOnly: aggregatedOnly)
            }
            let store = try global.open()
            let names = types.flatMap { $0.split(separator: ",") }
                .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            if names.isEmpty, !types.isEmpty {
                throw UsageError("--types needs names, for example stepCount,heartRate.")
            }
            let identifiers = try names.map { try global.type($0, in: store).identifier }
            let calendar = try global.calendar(of: store)
            let earliest = try UsageError.checking { try since.map { try calendar.time($0) } }
            return ReadScope(
                types: names.isEmpty ? nil : Set(identifiers), earliest: earliest,
                isAggregatedOnly: aggregatedOnly)
        }
    }

    /// `openhealth tokens remove ID`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a token, which is then no longer valid.")

        @Argument(help: ArgumentHelp("The token's id in the list.", valueName: "id"))
        var identifier: String

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open()
            try AccessError.reported {
                guard let directory = try AccessDirectory.openIfPresent(besideStore: store.path)
                else { throw AccessError.unknownToken(identifier) }
                try directory.removeToken(
                    identifier, at: Date.now.timeIntervalSinceReferenceDate)
            }
            global.json
                ? try Output.print(JSONText.object(["removed": .string(identifier)]))
                : Message.write("Removed the token \(identifier.printable).")
        }
    }
}

extension AccessError {
    /// Returns the result of a closure.
    ///
    /// - Throws: An ``AccessError`` of `body` as ``UsageError`` for an invalid name, otherwise as
    ///   ``CommandError``; other errors unchanged.
    static func reported<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch AccessError.invalidName {
            throw UsageError(AccessError.invalidName.description)
        } catch let error as AccessError {
            throw CommandError(error.description.printable)
        }
    }
}
