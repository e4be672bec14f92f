#if People
    import ArgumentParser
    import Foundation
    import HealthCalendar
    import HealthPeople
    import HealthStorage

    /// `openhealth people`
    struct PeopleCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "people",
            abstract: "Manages the people of a server of many people.",
            discussion: """
                Their data is in a folder or in PostgreSQL, each person's sealed with a key of its own. \
                Start the server with: openhealth serve --people WHERE
                """,
            subcommands: [
                Create.self, List.self, Device.self, Token.self, Revoke.self, Disable.self,
                Enable.self,
                Erase.self, Adopt.self, ExportStore.self, ImportExport.self, Move.self, Place.self,
                Usage.self, Contacts.self, Accesses.self, Operator.self, RotateKey.self,
                Restored.self, SchemaText.self,
            ],
            defaultSubcommand: List.self)

        /// The current time, in reference seconds.
        static var now: Double { Date.now.timeIntervalSinceReferenceDate }

        /// Returns a time for people and programs, in UTC: the server has people of many time zones.
        static func text(_ time: Double?) -> String? {
            time.map { CalendarBuckets(timeZone: .gmt).text($0) }
        }

        /// Prints a secret that can't be shown again: to a terminal, or with `--json`.
        static func requireVisibleSecret(_ options: PeopleOptions) throws {
            guard options.json || isatty(STDOUT_FILENO) == 1 else {
                throw UsageError(
                    "The token is printed only to a terminal. Add --json to print it elsewhere.")
            }
        }
    }

    /// The argument for a person.
    struct PersonArgument: ParsableArguments {
        @Argument(help: ArgumentHelp("The person's identifier.", valueName: "person"))
        var person: String
    }

    extension PeopleCommand {
        /// `openhealth people create NAME`
        struct Create: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "create",
                abstract: "Adds a person, and prints the identifier and a token for reading.")

            @Argument(
                help: ArgumentHelp("A name for lists. It is stored sealed.", valueName: "name"))
            var name: String

            @Option(
                help: ArgumentHelp(
                    "The most megabytes of the person's data.", valueName: "megabytes"))
            var quota: Int?

            @Option(
                help: ArgumentHelp(
                    "The place of the person’s data. Default: the one with the fewest people.",
                    valueName: "name"))
            var place: String?

            @OptionGroup var options: PeopleOptions

            func validate() throws {
                if let quota, !(1...1_000_000).contains(quota) {
                    throw ValidationError("--quota must be from 1 to 1,000,000 megabytes.")
                }
            }

            func run() throws {
                try PeopleCommand.requireVisibleSecret(options)
                let places = try options.open(.created)
                defer { places.close() }
                let (person, token, chosen) = try places.create(
                    named: name, quota: quota.map { Int64($0) * 1_000_000 }, at: place,
                    now: PeopleCommand.now)
                if options.json {
                    return try Output.print(
                        JSONText.object([
                            "person": .string(person), "place": .string(chosen),
                            "token": .string(token.text),
                        ]))
                }
                let line = chosen == PeoplePlaces.home ? "" : "place   \(chosen.printable)\n"
                try Output.print("person  \(person)\n\(line)token   \(token.text)\n")
                Message.write(
                    "Copy the token now: it can't be shown again. It opens the person's pages and "
                        + "reads the API. To add a phone: openhealth people device \(person) NAME")
            }
        }

        /// `openhealth people [list]`
        struct List: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list", abstract: "Lists the people (the default).")

            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                let list = try places.list()
                if options.json {
                    return try Output.print(
                        JSONText.object(["people": .array(list.map(PeopleCommand.json))]))
                }
                guard !list.isEmpty else {
                    return try Output.print(
                        "No people yet. Add one with: openhealth people create NAME\n")
                }
                // With one database, all people are at home.
                let isSpread = list.contains { $0.place != PeoplePlaces.home }
                var table = Table(
                    [
                        .text("person", maximumWidth: 32), .text("name", maximumWidth: 16),
                        .text("created"),
                        .number("changes"), .number("kilobytes"), .text("state"),
                    ] + (isSpread ? [.text("place", maximumWidth: 16)] : []))
                for person in list {
                    table.rows.append(
                        [
                            person.person, person.name ?? "unreadable",
                            String((PeopleCommand.text(person.createdAt) ?? "").prefix(10)),
                            "\(person.entries)", "\((person.bytes + 999) / 1000)",
                            person.disabledAt == nil ? "" : "disabled",
                        ] + (isSpread ? [person.place] : []))
                }
                try Output.print(table.text)
            }
        }

        static func json(_ person: People.Person) -> JSONText {
            .object([
                "person": .string(person.person), "name": .text(person.name),
                "created": .text(text(person.createdAt)),
                "disabled": .text(text(person.disabledAt)),
                "entries": .integer(Int(person.entries)), "bytes": .integer(Int(person.bytes)),
                "place": .string(person.place),
                "quota": person.quota.map { .integer(Int($0)) } ?? .null,
            ])
        }

        /// `openhealth people device PERSON NAME`
        struct Device: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "device", abstract: "Adds a phone of a person, and prints its token.")

            @OptionGroup var person: PersonArgument

            @Argument(help: ArgumentHelp("The phone's name, for lists.", valueName: "name"))
            var name: String

            @OptionGroup var options: PeopleOptions

            func run() throws {
                try PeopleCommand.requireVisibleSecret(options)
                let places = try options.open()
                defer { places.close() }
                let token = try places.addToken(
                    .device, named: name, of: person.person, at: PeopleCommand.now)
                if options.json {
                    return try Output.print(
                        JSONText.object(["device": .string(name), "token": .string(token.text)]))
                }
                try Output.print("device  \(name.printable)\ntoken   \(token.text)\n")
                Message.write("Copy the token now: it can't be shown again.")
            }
        }

        /// `openhealth people token PERSON NAME`
        struct Token: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "token",
                abstract: "Adds a token that reads the data of a person, and prints it.")

            @OptionGroup var person: PersonArgument

            @Argument(help: ArgumentHelp("A name for lists, such as “Grafana”.", valueName: "name"))
            var name: String

            @Flag(help: "Permit only sums, averages and other statistics, no single samples.")
            var aggregatedOnly = false

            @OptionGroup var options: PeopleOptions

            func run() throws {
                try PeopleCommand.requireVisibleSecret(options)
                let places = try options.open()
                defer { places.close() }
                let token = try places.addToken(
                    .reading, named: name, of: person.person,
                    ReadScope(isAggregatedOnly: aggregatedOnly), at: PeopleCommand.now)
                if options.json {
                    return try Output.print(
                        JSONText.object([
                            "id": .string(token.identifier), "token": .string(token.text),
                        ]))
                }
                try Output.print(token.text + "\n")
                Message.write("Copy the token now: it can't be shown again.")
            }
        }

        /// `openhealth people revoke PERSON TOKEN`
        struct Revoke: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "revoke",
                abstract:
                    "Revokes a token on all nodes, with the sessions of browsers that it opened.")

            @OptionGroup var person: PersonArgument

            @Argument(
                help: ArgumentHelp(
                    "The name of a phone, or a token's identifier.", valueName: "name"))
            var name: String

            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                try places.people(of: person.person).directory.revokeToken(
                    name, of: person.person, at: PeopleCommand.now)
                try PeopleCommand.done(options, "Revoked.")
            }
        }

        /// Reports success.
        static func done(_ options: PeopleOptions, _ sentence: String) throws {
            try options.json
                ? Output.print(JSONText.object(["done": .bool(true)]))
                : Output.print(sentence + "\n")
        }

        /// `openhealth people disable PERSON`
        struct Disable: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "disable",
                abstract: "Refuses all requests with a person's tokens. The data stays.")

            @OptionGroup var person: PersonArgument
            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                try places.people(of: person.person).setDisabled(
                    person.person, at: PeopleCommand.now)
                try PeopleCommand.done(
                    options, "Disabled. To undo: openhealth people enable PERSON")
            }
        }

        /// `openhealth people enable PERSON`
        struct Enable: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "enable", abstract: "Accepts requests of a disabled person again.")

            @OptionGroup var person: PersonArgument
            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                try places.people(of: person.person).setDisabled(
                    person.person, at: nil)
                try PeopleCommand.done(options, "Enabled.")
            }
        }
    }
#endif
