import ArgumentParser
import Foundation
import HealthStorage

extension Devices {
    /// `openhealth devices test NAME`
    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Waits for one request of a device, and explains what came.",
            discussion: """
                Start openhealth serve --receive before, then run the export in the phone's app.
                """)

        /// The time between two looks at the directory.
        private static let interval = Duration.milliseconds(250)

        @Argument(help: ArgumentHelp("The device's name.", valueName: "name"))
        var name: String

        @Option(
            help: ArgumentHelp("How long to wait, from 1 to 86400.", valueName: "seconds"))
        var timeout = 300

        @OptionGroup var global: GlobalOptions

        func validate() throws {
            guard (1...86_400).contains(timeout) else {
                throw ValidationError("--timeout must be from 1 to 86400.")
            }
        }

        @MainActor func run() async throws {
            let clock = try DeviceClock(global)
            let path = try global.path
            guard let directory = try AccessDirectory.openIfPresent(besideStore: path) else {
                throw CommandError(AccessError.unknownDevice(name).description.printable)
            }
            let before = try requests(directory)
            Message.write(
                "Waiting for a request of \(name.printable). Run the export in the app now.")
            let end = ContinuousClock.now + .seconds(timeout)
            while ContinuousClock.now < end {
                let device = try device(directory)
                let new = device.contacts.first {
                    $0.requests > before[$0.dialect] ?? 0
                }
                if let new { return try show(new, clock) }
                try await Task.sleep(for: Test.interval)
            }
            throw CommandError(
                "No request arrived within \(timeout) seconds. Check that openhealth serve "
                    + "--receive is running, and the address and the token in the app.")
        }

        private func device(_ directory: AccessDirectory) throws -> ReceivingDevice {
            let wanted = name.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
            let device = try directory.devices().first {
                $0.revokedAt == nil && $0.name.lowercased() == wanted
            }
            guard let device else {
                throw CommandError(AccessError.unknownDevice(name).description.printable)
            }
            return device
        }

        private func requests(_ directory: AccessDirectory) throws -> [String: Int] {
            Dictionary(
                try device(directory).contacts.map { ($0.dialect, $0.requests) },
                uniquingKeysWith: { first, _ in first })
        }

        private func show(_ contact: ReceivingDevice.Contact, _ clock: DeviceClock) throws {
            if global.json {
                return try Output.print(
                    JSONText.object([
                        "format": .string(contact.dialect),
                        "time": .string(clock.full(contact.contactedAt)),
                        "status": .integer(contact.status),
                        "receipt": .text(contact.outcome.receipt),
                        "counts": .counts(contact.outcome.counts),
                        "problem": .text(contact.outcome.problem),
                    ]))
            }
            try Output.print(ContactText.text(contact, clock))
        }
    }
}

/// An explanation of a request for people.
enum ContactText {
    private static let results: [(name: String, meaning: String)] = [
        ("accepted", "stored as new samples"),
        ("provisional", "stored as points without an end, until a sample with one arrives"),
        ("changed", "replaced stored samples"),
        ("duplicate", "stored before"),
        ("deleted", "deletions"),
        ("total", "totals of Apple's framework, kept apart from samples"),
        ("unknown", "not understood, kept as they were sent"),
        ("rejected", "invalid, kept as they were sent"),
    ]

    static func text(_ contact: ReceivingDevice.Contact, _ clock: DeviceClock) -> String {
        let time = clock.minute(contact.contactedAt)
        if let problem = contact.outcome.problem {
            return "\(time): a request in the format \(contact.dialect) was refused "
                + "(\(contact.status)). \(problem.printable)\n"
        }
        let total = contact.outcome.counts.values.reduce(0, +)
        var text =
            "\(time): a request in the format \(contact.dialect) was stored: "
            + "\(total) records.\n"
        for (name, meaning) in results {
            if let count = contact.outcome.counts[name], count > 0 {
                text += "  \(count) \(meaning)\n"
            }
        }
        if contact.status >= 400 {
            text +=
                "The answer was \(contact.status), as this format wants it for invalid records. The "
                + "app may report an error.\n"
        }
        if total == 0 {
            text += "The request had no records. Check which data the app may read.\n"
        }
        if let end = contact.lastSampleEnd {
            text += "The newest sample ends at \(clock.minute(end)).\n"
        }
        return text
    }
}
