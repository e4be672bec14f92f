import ArgumentParser
import Foundation
import HealthEngine
import HealthStorage

/// `openhealth grants`
struct Grants: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants",
        abstract: "Lists what programs may do with a store, and changes it.",
        discussion: """
            A program that opens the store with HKHealthStore sees and saves what is allowed here. \
            An APP is its bundle identifier, on Linux the name of its executable. One that may not \
            read isn't told so: it sees no data, or only its own.
            """,
        subcommands: [List.self, Allow.self, Revoke.self], defaultSubcommand: List.self)
}

extension Grants {
    /// `openhealth grants [list] [APP]`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists what programs may do (the default).")

        @Argument(help: ArgumentHelp("One program; all if left out.", valueName: "app"))
        var app: String?

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open()
            try GrantList(store, app: app, try global.calendar(of: store)).print(global)
        }
    }
}

/// Which accesses a change of grants is about.
struct AccessOptions: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Types it reads: stepCount, bloodType, a full identifier, or all.", valueName: "type"))
    var read: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Types it saves.", valueName: "type"))
    var share: [String] = []

    func validate() throws {
        if read.isEmpty, share.isEmpty {
            throw ValidationError("Say what: --read stepCount, --share bodyMass, or --read all.")
        }
    }
}

extension Grants {
    /// `openhealth grants allow APP --read TYPE… --share TYPE…`
    struct Allow: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Allows a program to read or save types.")

        @Argument(help: ArgumentHelp("Its bundle identifier.", valueName: "app"))
        var app: String
        @OptionGroup var accesses: AccessOptions
        @Option(
            help: ArgumentHelp("Hides from it what started before that day.", valueName: "date"))
        var since: String?
        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open(.writing)
            let calendar = try global.calendar(of: store)
            let earliest = try WrongUsage.checking {
                try since.map { try calendar.time($0) }
            }
            try GrantChange(app: app, accesses, .granted, earliest: earliest).apply(to: store)
            try GrantList(store, app: app, calendar).print(global)
        }
    }

    /// `openhealth grants revoke APP --read TYPE… --share TYPE…`
    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Takes back what a program may read or save.",
            discussion: """
                A program that may save but not read sees its own samples; one that may do neither \
                sees nothing.
                """)

        @Argument(help: ArgumentHelp("Its bundle identifier.", valueName: "app"))
        var app: String
        @OptionGroup var accesses: AccessOptions
        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open(.writing)
            let calendar = try global.calendar(of: store)
            try GrantChange(app: app, accesses, .denied, earliest: nil).apply(to: store)
            try GrantList(store, app: app, calendar).print(global)
        }
    }
}

/// An answer about some types, for one program.
struct GrantChange {
    var app: String
    var accesses: AccessOptions
    var answer: AuthorizationRow.Answer
    var earliest: Double?

    init(
        app: String, _ accesses: AccessOptions, _ answer: AuthorizationRow.Answer,
        earliest: Double?
    ) {
        self.app = app
        self.accesses = accesses
        self.answer = answer
        self.earliest = earliest
    }

    func apply(to store: SampleStore) throws {
        guard !app.isEmpty else { throw WrongUsage("A program needs a bundle identifier.") }
        let reading = try GrantedType.codes(accesses.read, .read, in: store)
        let sharing = try GrantedType.codes(accesses.share, .share, in: store)
        let rows = try store.authorization(of: app)
        var changed: [Int32: AuthorizationRow] = [:]
        for code in reading {
            var row = rows[code] ?? AuthorizationRow()
            (row.read, row.earliest) = (answer, earliest)
            changed[code] = row
        }
        for code in sharing {
            var row = changed[code] ?? rows[code] ?? AuthorizationRow()
            row.share = answer
            changed[code] = row
        }
        try store.setAuthorization(changed, of: app)
    }
}
