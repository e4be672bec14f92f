#if People
    import ArgumentParser
    import Foundation
    import HealthPeople
    import HealthStorage

    extension PeopleCommand {
        /// `openhealth people place`
        struct Place: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "place",
                abstract: "Manages the databases of people: one person is in one of them.",
                discussion: """
                    The database of --people is “home”. It has the list of the others, and the \
                    keys of all people. Start nodes of this version before you add a place.
                    """,
                subcommands: [ListPlaces.self, Add.self, Remove.self],
                defaultSubcommand: ListPlaces.self)
        }

        /// The argument for a place.
        struct PlaceArgument: ParsableArguments {
            @Argument(help: ArgumentHelp("The name of the place.", valueName: "name"))
            var name: String
        }
    }

    extension PeopleCommand.Place {
        /// `openhealth people place [list]`
        struct ListPlaces: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "list", abstract: "Lists the places (the default).")

            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                let list = try places.places()
                if options.json {
                    return try Output.print(
                        JSONText.object(["places": .array(list.map(Self.json))]))
                }
                var table = Table([
                    .text("name", maximumWidth: 30), .number("people"),
                    .text("address", maximumWidth: 60),
                ])
                for place in list {
                    table.rows.append([place.name, "\(place.people)", place.address])
                }
                try Output.print(table.text)
            }

            private static func json(_ place: PeoplePlace) -> JSONText {
                .object([
                    "name": .string(place.name), "people": .integer(place.people),
                    "address": place.addedAt == nil ? .null : .string(place.address),
                    "added": .text(PeopleCommand.text(place.addedAt)),
                ])
            }
        }

        /// `openhealth people place add NAME ADDRESS`
        struct Add: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "add",
                abstract: "Adds an empty database, in which people can be.",
                discussion: """
                    Nodes that run learn of it when the first person is there. A known name with \
                    the same database gets the address.
                    """)

            @OptionGroup var place: PeopleCommand.PlaceArgument

            @Argument(
                help: ArgumentHelp(
                    "postgresql://… without a password; libpq finds it in $PGPASSFILE or "
                        + "$PGPASSWORD.",
                    valueName: "address"))
            var address: String

            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open(.created)
                defer { places.close() }
                try places.addPlace(place.name, at: address, now: PeopleCommand.now)
                try PeopleCommand.done(options, "Added.")
            }
        }

        /// `openhealth people place remove NAME`
        struct Remove: ParsableCommand {
            static let configuration = CommandConfiguration(
                commandName: "remove",
                abstract: "Removes a place that nobody is at. Its database remains.")

            @OptionGroup var place: PeopleCommand.PlaceArgument
            @OptionGroup var options: PeopleOptions

            func run() throws {
                let places = try options.open()
                defer { places.close() }
                try places.removePlace(place.name, now: PeopleCommand.now)
                try PeopleCommand.done(options, "Removed.")
            }
        }
    }
#endif
