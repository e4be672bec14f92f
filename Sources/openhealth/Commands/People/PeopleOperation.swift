#if People
    import ArgumentParser
    import Foundation
    import HealthDashboard
    import HealthPeople
    import HealthStorage

    extension PeopleCommand {
        /// `openhealth people operator`
        struct Operator: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "operator",
                abstract: "Adds a token for the operator's API and the metrics, and prints it.")

            @OptionGroup var options: PeopleOptions

            func run() throws {
                try PeopleCommand.requireVisibleSecret(options)
                let places = try options.open(.created)
                defer { places.close() }
                let token = try places.addToken(
                    .operator, named: "operator", of: "", at: PeopleCommand.now)
                if options.json {
                    return try Output.print(JSONText.object(["token": .string(token.text)]))
                }
                try Output.print(token.text + "\n")
                Message.write("Copy the token now: it can't be shown again.")
            }
        }

        /// `openhealth people rotate-key FILE`
        struct RotateKey: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "rotate-key",
                abstract: "Wraps the people's keys with another operator key.",
                discussion: "The log isn't rewritten. Afterwards start all nodes with the new key.")

            @Argument(
                help: ArgumentHelp(
                    "The file of the new key. It is created if it doesn't exist.", valueName: "file"
                ))
            var file: String

            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                let count = try places.rewrapKeys(with: try OperatorKey.inFile(file, .created))
                try options.json
                    ? Output.print(JSONText.object(["keys": .integer(count)]))
                    : Output.print("Wrapped \(counted(count, "key", "keys")).\n")
            }
        }

        /// `openhealth people restored`
        struct Restored: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "restored",
                abstract:
                    "Gives all stores new identifiers, after a backup of the log was restored.",
                discussion: """
                    Programs that read changes then compare everything: their cursors could be from a \
                    time that the restored log doesn't have. Run it before the nodes start.
                    People who were erased after the backup have no key. Without --yes they are \
                    listed; with it they are erased again.
                    """)

            @Flag(help: "Erase the people whose keys are missing.")
            var yes = false

            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                let renewal = try places.renewIdentifiers(
                    at: PeopleCommand.now, keyless: yes ? .erased : .kept)
                if options.json {
                    try Output.print(
                        JSONText.object([
                            "renewed": .integer(renewal.renewed),
                            "erased": .integer(renewal.erased),
                            "withoutKey": .array(renewal.keyless.map(JSONText.string)),
                            "failed": .array(renewal.failed.map(JSONText.string)),
                        ]))
                } else {
                    try Output.print(
                        "New identifiers for \(counted(renewal.renewed, "person", "people")); "
                            + "\(renewal.erased) erased again.\n")
                }
                guard renewal.keyless.isEmpty else {
                    throw CommandError(
                        "These people have no key: \(renewal.keyless.joined(separator: ", ")). If "
                            + "they were erased after the backup, erase them again with --yes.")
                }
                guard renewal.failed.isEmpty else {
                    throw CommandError(
                        "These stores failed: " + renewal.failed.joined(separator: ", "))
                }
            }
        }

        /// `openhealth people schema`
        struct SchemaText: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "schema", abstract: "Prints the tables of PostgreSQL as SQL.")

            @Flag(
                help: "Print the statements that spread the tables by person with Citus. Not tried."
            )
            var citus = false

            func run() throws {
                try Output.print(citus ? PeopleSchema.citus : PeopleSchema.postgreSQL)
            }
        }
    }
#endif
