#if People
    import ArgumentParser
    import Foundation
    import HealthArchive
    import HealthDashboard
    import HealthPeople
    import HealthStorage

    extension PeopleCommand {
        /// `openhealth people erase PERSON`
        struct Erase: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "erase",
                abstract: "Erases a person's data, keys and tokens, and prints a receipt.",
                discussion: """
                    Nodes remove their copies within a minute. Backups of the log can't be read without \
                    the person's key, so they are erased with the last backup of the keys.
                    """)

            @OptionGroup var person: PersonArgument

            @Flag(help: "Don't ask.")
            var yes = false

            @OptionGroup var options: PeopleOptions

            func run() throws {
                guard yes || Prompt.isInteractive else {
                    throw UsageError("This erases all data of the person. Confirm with --yes.")
                }
                if !yes, !Prompt.confirm("Erase all data of \(person.person.printable)?") {
                    throw CommandError("Nothing was erased.")
                }
                let places = try options.open()
                defer { places.close() }
                let receipt = try places.erase(person.person, at: PeopleCommand.now)
                try options.json
                    ? Output.print(PeopleCommand.json(receipt))
                    : Output.print(PeopleCommand.text(receipt))
            }
        }

        /// What can't be promised of an erasure.
        private static let limits = [
            "Nodes that are running remove their copies within 60 seconds. A node that is stopped "
                + "removes them when it starts.",
            "Backups of the log from before can't be read without the person's key. They become "
                + "unreadable when the last backup of the database of keys from before expires.",
            "PostgreSQL keeps deleted rows, sealed, until VACUUM, and in archived log segments until "
                + "these expire.",
            "The log of accesses stays, with the person's random identifier and without health values.",
        ]

        private static func json(_ receipt: ErasureReceipt) -> JSONText {
            .object([
                "person": .string(receipt.person), "erased": .text(text(receipt.erasedAt)),
                "entries": .integer(receipt.entries), "copies": .integer(receipt.copies),
                "receipts": .integer(receipt.receipts), "tokens": .integer(receipt.tokens),
                "keys": .integer(receipt.keys), "nodesWithin": .integer(receipt.nodesWithin),
                "limits": .array(limits.map(JSONText.string)),
            ])
        }

        private static func text(_ receipt: ErasureReceipt) -> String {
            """
            Erased \(receipt.person) at \(text(receipt.erasedAt) ?? "").
            Deleted: \(receipt.entries) changes, \(receipt.copies) copies of the store, \
            \(receipt.receipts) receipts, \(receipt.tokens) tokens, \(receipt.keys) keys.

            """ + limits.map { "- \($0)\n" }.joined()
        }

        /// `openhealth people adopt PERSON STORE`
        struct Adopt: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "adopt",
                abstract: "Replaces a person's data by that of a store, with its imports.",
                discussion: "The store's file isn't changed. Cursors and anchors stay valid.")

            @OptionGroup var person: PersonArgument

            @Argument(help: ArgumentHelp("The store's file.", valueName: "store"))
            var store: String

            @Flag(help: "Replace data that the person already has.")
            var yes = false

            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                guard let known = try places.list().first(where: { $0.person == person.person })
                else {
                    throw PeopleError.unknownPerson
                }
                guard yes || known.entries <= 1 else {
                    throw UsageError(
                        "The person already has data, which this replaces. Confirm with --yes.")
                }
                try places.people(at: known.place).adopt(
                    storeAt: store, as: person.person, at: PeopleCommand.now)
                try PeopleCommand.done(options, "Adopted.")
            }
        }

        /// `openhealth people export PERSON FILE`
        struct ExportStore: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "export",
                abstract: "Writes a person's data to a store of its own, for all other commands.")

            @OptionGroup var person: PersonArgument

            @Argument(help: ArgumentHelp("The path of the new store.", valueName: "file"))
            var file: String

            @OptionGroup var options: PeopleOptions

            func run() throws {
                guard !FileManager.default.fileExists(atPath: file) else {
                    throw UsageError("\(file.printable) already exists. Choose another name.")
                }
                let places = try options.open()
                defer { places.close() }
                try places.people(of: person.person).export(
                    person.person, to: file, at: PeopleCommand.now)
                try PeopleCommand.done(options, "Exported to \(file.printable).")
            }
        }

        /// `openhealth people import PERSON EXPORT`
        struct ImportExport: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "import",
                abstract: "Imports an Apple Health export into a person's data.",
                discussion:
                    """
                    If data arrives meanwhile, it begins again. After three times it stops, and \
                    nothing is imported: repeat it when the phones are silent.
                    """)

            @OptionGroup var person: PersonArgument

            @Argument(help: ArgumentHelp("The export.", valueName: "export"))
            var export: String

            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                let path = FileManager.default.temporaryDirectory
                    .appendingPathComponent("openhealth-\(UUID().uuidString).sqlite").path
                defer { for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) } }
                let people = try places.people(of: person.person)
                let report = try run(people, path)
                if options.json { return try PeopleCommand.done(options, "") }
                try Output.print(ImportText.text(report))
            }

            /// How often the import begins again because data arrived meanwhile.
            private static let maximumAttempts = 3

            private func run(_ people: People, _ path: String) throws -> ImportReport {
                for attempt in 1... {
                    for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) }
                    let now = PeopleCommand.now
                    let head = try people.export(
                        person.person, to: path, subject: "import", at: now)
                    let importer = ExportImporter(
                        path: export, store: path, timeZone: nil,
                        systemTimeZone: TimeZone.current.identifier, now: now,
                        person: .confirmed, progress: { _, _ in }, isCancelled: { false })
                    let report = try importer.run()
                    do {
                        try people.adopt(
                            storeAt: path, as: person.person, replacing: head, subject: "import",
                            at: PeopleCommand.now)
                        return report
                    } catch PeopleError.changedMeanwhile where attempt < Self.maximumAttempts {}
                }
                throw PeopleError.changedMeanwhile
            }
        }

        /// `openhealth people move PERSON`
        struct Move: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "move",
                abstract: "Moves a person to another place or database, with tokens and receipts.",
                discussion: """
                    For the places: openhealth people place list. While the person is moved, \
                    devices keep their data. Afterwards browsers log in again. The same command \
                    finishes an interrupted move; a move to where the person is abandons it.

                    In a folder or database that is no place, the person is enabled, and erased \
                    here. Devices and programs need the address of a node that serves it.
                    """)

            @OptionGroup var person: PersonArgument

            @Option(
                help: ArgumentHelp("A place, or another folder or database.", valueName: "where"))
            var to: String

            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                let names = try places.places().map(\.name)
                switch try names.contains(to) ? moved(to, places) : movedOut(places) {
                case .abandoned where options.json:
                    try Output.print(JSONText.object(["abandoned": .bool(true)]))
                case .abandoned: try Output.print("The interrupted move was abandoned.\n")
                case .moved(let size) where options.json:
                    try Output.print(
                        JSONText.object([
                            "entries": .integer(size.entries), "bytes": .integer(size.bytes),
                        ]))
                case .moved(let size):
                    try Output.print("Moved \(counted(size.entries, "change", "changes")).\n")
                }
            }

            private func moved(
                _ name: String, _ places: PeoplePlaces
            ) throws -> PeoplePlaces.MoveOutcome {
                try places.move(person.person, to: name, at: PeopleCommand.now)
            }

            private func movedOut(_ places: PeoplePlaces) throws -> PeoplePlaces.MoveOutcome {
                // A misspelt name would become a folder.
                guard try to.contains("/") || places.places().count == 1 else {
                    throw PeopleError.unknownPlace(to.printable)
                }
                let other = try options.keys.open(to)
                defer { other.close() }
                return try places.move(person.person, out: other, at: PeopleCommand.now)
            }
        }

        /// `openhealth people usage`
        struct Usage: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "usage", abstract: "Shows how much is stored, and sets quotas.")

            @Argument(help: ArgumentHelp("The person whose quota to set.", valueName: "person"))
            var person: String?

            @Option(
                help: ArgumentHelp("The most megabytes; 0 for no limit.", valueName: "megabytes"))
            var quota: Int?

            @OptionGroup var options: PeopleOptions

            func validate() throws {
                if person == nil, quota != nil {
                    throw ValidationError("Setting a quota needs a person.")
                }
                if let quota, !(0...1_000_000).contains(quota) {
                    throw ValidationError("--quota must be from 0 to 1,000,000 megabytes.")
                }
            }

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                if let person, let quota {
                    try places.people(of: person).setQuota(
                        quota == 0 ? nil : Int64(quota) * 1_000_000, of: person)
                }
                var list = try places.list()
                if let person {
                    list.removeAll { $0.person != person }
                    guard let found = list.first else { throw PeopleError.unknownPerson }
                    if !options.json { return try Output.print(PeopleCommand.usage(of: found)) }
                }
                let bytes = list.reduce(0) { $0 + $1.bytes }
                if options.json {
                    return try Output.print(
                        JSONText.object([
                            "people": .integer(list.count), "bytes": .integer(Int(bytes)),
                            "entries": .integer(Int(list.reduce(0) { $0 + $1.entries })),
                            "disabled": .integer(list.filter { $0.disabledAt != nil }.count),
                        ]))
                }
                try Output.print(
                    "\(counted(list.count, "person", "people")), \(bytes / 1_000_000) MB in the log\n"
                )
            }
        }

        /// "12 MB in the log, quota 50 MB".
        private static func usage(of person: People.Person) -> String {
            let quota = person.quota.map { "quota \($0 / 1_000_000) MB" } ?? "no quota"
            return "\(person.bytes / 1_000_000) MB in the log, \(quota)\n"
        }

        /// `openhealth people accesses PERSON`
        struct Accesses: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "accesses", abstract: "Lists who read and wrote a person's data.")

            @OptionGroup var person: PersonArgument

            @Option(
                help: ArgumentHelp("The number of lines, the newest first.", valueName: "number"))
            var limit = 100

            @OptionGroup var options: PeopleOptions

            func validate() throws {
                guard (1...100_000).contains(limit) else {
                    throw ValidationError("--limit must be from 1 to 100,000.")
                }
            }

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                let accesses = try places.people(of: person.person).accesses(
                    to: person.person, limit: limit)
                if accesses.isEmpty {
                    let isKnown = try places.list().contains { $0.person == person.person }
                    guard isKnown else { throw PeopleError.unknownPerson }
                }
                if options.json {
                    return try Output.print(
                        JSONText.object(["accesses": .array(accesses.map(\.json))]))
                }
                var table = Table([
                    .text("time"), .text("who"), .text("what"), .text("data", maximumWidth: 50),
                    .text("days", maximumWidth: 40), .text("from"), .number("status"),
                ])
                for access in accesses {
                    table.rows.append([
                        PeopleCommand.text(access.at) ?? "", access.actor, access.action.rawValue,
                        access.subject, access.days ?? "", access.origin ?? "", "\(access.result)",
                    ])
                }
                try Output.print(table.text)
            }
        }
    }

    extension AccessRecord {
        fileprivate var json: JSONText {
            .object([
                "time": .text(PeopleCommand.text(at)), "actor": .string(actor),
                "action": .string(action.rawValue), "subject": .string(subject),
                "days": .text(days),
                "origin": .text(origin), "status": .integer(result),
            ])
        }
    }
#endif
