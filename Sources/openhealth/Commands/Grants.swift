import ArgumentParser
import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage

/// `openhealth grants`
struct Grants: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants",
        abstract: "Lists and changes the permissions of programs.",
        discussion: """
            A program that opens the store with HKHealthStore can read and save only the types \
            that are allowed here. APP is the program's bundle identifier or, on Linux, the name \
            of its executable. As in HealthKit, a program can't detect that reading is denied: it \
            gets no samples, or only its own.
            """,
        subcommands: [List.self, Allow.self, Revoke.self], defaultSubcommand: List.self)
}

extension Grants {
    /// `openhealth grants [list] [APP]`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the permissions of programs (the default).")

        @Argument(help: ArgumentHelp("The program. Default: all programs.", valueName: "app"))
        var app: String?

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open()
            try GrantList(store, app: app, try global.calendar(of: store)).print(global)
        }
    }
}

/// The options that name the types to read and to save.
struct AccessOptions: ParsableArguments {
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "The types to read, as stepCount, bloodType, a full identifier, or all.",
            valueName: "type"))
    var read: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The types to save.", valueName: "type"))
    var share: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Single objects to read, for example prescriptions, by their UUIDs.",
            valueName: "uuid"))
    var object: [String] = []

    func validate() throws {
        if read.isEmpty, share.isEmpty, object.isEmpty {
            throw ValidationError(
                "Name types with --read or --share, for example --read stepCount or --read all.")
        }
    }
}

extension Grants {
    /// `openhealth grants allow APP --read TYPE… --share TYPE…`
    struct Allow: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Allows a program to read or save types.")

        @Argument(help: ArgumentHelp("The program's bundle identifier.", valueName: "app"))
        var app: String
        @OptionGroup var accesses: AccessOptions
        @Option(
            help: ArgumentHelp(
                "Allow reading only samples that start on this day or later.", valueName: "date"))
        var since: String?
        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open(.writing)
            let calendar = try global.calendar(of: store)
            let earliest = try UsageError.checking {
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
            abstract: "Revokes a program's permission to read or save types.",
            discussion: """
                A program that is allowed to save but not to read sees only its own samples. A \
                program that is allowed neither sees no samples.
                """)

        @Argument(help: ArgumentHelp("The program's bundle identifier.", valueName: "app"))
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

/// A change of a program's permissions for some types.
struct GrantChange {
    var app: String
    var accesses: AccessOptions
    var status: AuthorizationRow.Status
    var earliest: Double?

    init(
        app: String, _ accesses: AccessOptions, _ status: AuthorizationRow.Status,
        earliest: Double?
    ) {
        self.app = app
        self.accesses = accesses
        self.status = status
        self.earliest = earliest
    }

    func apply(to store: SampleStore) throws {
        guard !app.isEmpty else { throw UsageError("The bundle identifier is empty.") }
        let reading = try GrantedType.codes(accesses.read, .read, in: store)
        let sharing = try GrantedType.codes(accesses.share, .share, in: store)
        let rows = try store.authorization(of: app)
        var changed: [Int32: AuthorizationRow] = [:]
        for code in reading {
            var row = rows[code] ?? AuthorizationRow()
            (row.read, row.earliest) = (status, earliest)
            changed[code] = row
        }
        for code in sharing {
            var row = changed[code] ?? rows[code] ?? AuthorizationRow()
            row.share = status
            changed[code] = row
        }
        let objects = try GrantedObjects(accesses.object, in: store)
        for code in objects.uuids.keys where (changed[code] ?? rows[code])?.isReadDecided != true {
            // Reading the type as a whole stays denied.
            changed[code, default: rows[code] ?? AuthorizationRow()].read = .denied
        }
        try store.setAuthorization(changed, of: app)
        for (code, uuids) in objects.uuids {
            try store.setObjectAuthorization(
                Dictionary(uniqueKeysWithValues: uuids.map { ($0, status == .granted) }),
                of: code, for: app)
        }
    }
}

extension AuthorizationRow {
    fileprivate var isReadDecided: Bool { read != .notDetermined }
}
