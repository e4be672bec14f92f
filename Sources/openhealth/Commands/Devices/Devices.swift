import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthStorage

/// `openhealth devices`
struct Devices: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Lists, adds, tests and removes phones that send data.",
        discussion: """
            A phone sends data with an app to openhealth serve --receive. Each phone has a token \
            of its own. The file health.devices.sqlite beside the store has only the digests of \
            tokens.
            """,
        subcommands: [List.self, Add.self, Test.self, Restore.self, Remove.self],
        defaultSubcommand: List.self)
}

extension Devices {
    /// `openhealth devices [list]`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the devices, what they sent last and what is missing (the default).")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let zone = try DeviceClock(global)
            let devices = try AccessDirectory.openIfPresent(besideStore: global.path)?.devices()
            let store = try? SampleStore(at: global.path, access: .reading)
            let list = DeviceList(
                devices ?? [], store, clock: zone, now: Date.now.timeIntervalSinceReferenceDate)
            try global.json ? Output.print(list.json) : Output.print(list.text)
        }
    }

    /// `openhealth devices add NAME`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds a device, and prints its token and what the phone's app needs.",
            discussion: """
                The token can't be shown again. It is printed only to a terminal, or with --json.
                """)

        @Argument(
            help: ArgumentHelp("A name for lists, such as “Anna's iPhone”.", valueName: "name"))
        var name: String

        @Option(
            help: ArgumentHelp(
                "The address at which the phone reaches this computer, for example "
                    + "https://health.example.org. Default: this computer's address in its network.",
                valueName: "url"))
        var address: String?

        @OptionGroup var global: GlobalOptions

        func run() throws {
            guard global.json || isatty(STDOUT_FILENO) == 1 else {
                throw UsageError(
                    "The token is printed only to a terminal. Add --json to print it elsewhere.")
            }
            let addresses = try DeviceSetup.addresses(address)
            let path = try global.path
            let token = try AccessError.reported {
                try AccessDirectory.open(besideStore: path)
                    .addDevice(name, at: Date.now.timeIntervalSinceReferenceDate)
            }
            let shown = name.trimmingCharacters(in: .whitespacesAndNewlines)
            if global.json {
                let json = JSONText.object([
                    "device": .string(shown), "token": .string(token.text),
                ])
                return try Output.print(json)
            }
            let setup = DeviceSetup(name: shown, token: token.text, addresses: addresses)
            try Output.print(StoreOptions.completed(setup.text(.standardOutput())))
            Message.write(
                "Copy the token now: it can't be shown again. A program that has it can add data "
                    + "to this store, and read the number and dates of its samples. The links and QR "
                    + "codes contain it.")
        }
    }

    /// `openhealth devices remove NAME`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Revokes a device's token. What the device sent stays in the store.")

        @Argument(help: ArgumentHelp("The device's name.", valueName: "name"))
        var name: String

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let path = try global.path
            try AccessError.reported {
                guard let directory = try AccessDirectory.openIfPresent(besideStore: path) else {
                    throw AccessError.unknownDevice(name)
                }
                try directory.removeDevice(name, at: Date.now.timeIntervalSinceReferenceDate)
            }
            global.json
                ? try Output.print(JSONText.object(["removed": .string(name)]))
                : Message.write("Revoked the token of \(name.printable).")
        }
    }
}

/// The time zone of times in lists of devices: that of the option, of the store, or of the system.
struct DeviceClock {
    private let calendar: CalendarBuckets

    init(_ global: GlobalOptions) throws {
        // Devices can be added before there is a store.
        let store = try? SampleStore(at: try global.path, access: .reading)
        let home = try? store?.homeZone?.timeZone
        calendar = CalendarBuckets(timeZone: try global.explicitTimeZone ?? home ?? .current)
    }

    /// Formats a time, as in "2024-03-10 08:30".
    func minute(_ time: Double) -> String { DateText.minute(time, calendar) }

    /// Formats a time in ISO 8601 with the offset of the zone.
    func full(_ time: Double) -> String { calendar.text(time) }
}
