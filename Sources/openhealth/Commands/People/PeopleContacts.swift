#if People
    import ArgumentParser
    import HealthPeople
    import HealthStorage

    extension PeopleCommand {
        /// `openhealth people contacts [PERSON]`
        struct Contacts: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "contacts",
                abstract: "Lists each phone's last request, and why it was refused.")

            @Argument(
                help: ArgumentHelp(
                    "The person's identifier. Default: all people.", valueName: "person"))
            var person: String?

            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                let contacts = try places.contacts(of: person)
                if options.json {
                    return try Output.print(
                        JSONText.object(["contacts": .array(contacts.map(\.json))]))
                }
                guard !contacts.isEmpty else {
                    return try Output.print(
                        "No phones yet. Add one with: openhealth people device PERSON NAME\n")
                }
                var table = Table([
                    .text("person", maximumWidth: 32), .text("device", maximumWidth: 24),
                    .text("format"), .number("requests"), .text("last contact, UTC"),
                    .number("status"), .text("latest sample, UTC"),
                    .text("problem", maximumWidth: 40),
                ])
                table.rows = contacts.map(\.cells)
                try Output.print(table.text)
            }
        }
    }

    extension PersonContact {
        fileprivate var json: JSONText {
            .object([
                "person": .string(person), "device": .string(device),
                "format": .text(last?.dialect), "requests": .integer(last?.requests ?? 0),
                "lastContact": .text(PeopleCommand.text(last?.contactedAt)),
                "status": last.map { .integer($0.status) } ?? .null,
                "problem": .text(last?.problem),
                "latestSample": .text(PeopleCommand.text(last?.lastSampleEnd)),
            ])
        }

        /// A time for the table, such as "2026-03-01 08:20".
        private static func minute(_ time: Double?) -> String? {
            PeopleCommand.text(time).map { String($0.prefix(16)).replacing("T", with: " ") }
        }

        fileprivate var cells: [String] {
            guard let last else { return [person, device, "", "0", "never", "", "none", ""] }
            return [
                person, device, last.dialect, "\(last.requests)",
                PersonContact.minute(last.contactedAt) ?? "", "\(last.status)",
                PersonContact.minute(last.lastSampleEnd) ?? "none", last.problem ?? "",
            ]
        }
    }
#endif
