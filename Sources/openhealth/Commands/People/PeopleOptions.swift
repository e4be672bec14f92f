#if People
    import ArgumentParser
    import Foundation
    import HealthPeople
    import HealthStorage

    /// Where the data of a server of many people is.
    struct PeopleOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "A folder, or a database such as postgresql://health@db1/health. Default: "
                    + "$OPENHEALTH_PEOPLE.",
                valueName: "where"))
        var people: String?

        @OptionGroup var keys: PeopleKeyOptions

        @Flag(help: "Print JSON.")
        var json = false

        /// Opens the people.
        ///
        /// - Throws: ``UsageError`` without a place; `PeopleError`, `SQLError`.
        func open() throws -> PeoplePlaces {
            let given = people ?? ProcessInfo.processInfo.environment["OPENHEALTH_PEOPLE"]
            guard let given, !given.isEmpty else {
                throw UsageError(
                    "Where are the people? Use --people with a folder or postgresql://…, or set "
                        + "OPENHEALTH_PEOPLE.")
            }
            return try keys.openPlaces(given)
        }
    }

    /// The options for the keys of people.
    struct PeopleKeyOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The database of the people's keys. Default: $OPENHEALTH_PEOPLE_KEYS, else the same "
                    + "as the people's.",
                valueName: "address"))
        var keys: String?

        @Option(
            help: ArgumentHelp(
                "The file with the operator key, 64 hexadecimal digits. Default: the key in "
                    + "$OPENHEALTH_OPERATOR_KEY, else operator.key in the folder or in "
                    + "~/.config/openhealth.",
                valueName: "file"))
        var operatorKey: String?

        /// Opens the people whose home is a folder or a database.
        func openPlaces(_ home: String) throws -> PeoplePlaces {
            PeoplePlaces(home: try open(home))
        }

        /// Opens the people in one folder or database.
        func open(_ place: String) throws -> People {
            let environment = ProcessInfo.processInfo.environment
            let location: PeopleLocation
            do {
                location = try PeopleLocation(
                    place, keys: keys ?? environment["OPENHEALTH_PEOPLE_KEYS"])
            } catch let error as PeopleError {
                throw UsageError(error.description)
            }
            return try People.open(location, operatorKey: try key(environment))
        }

        private func key(_ environment: [String: String]) throws -> OperatorKey? {
            if let operatorKey { return try OperatorKey.inFile(operatorKey, .refused) }
            guard let text = environment["OPENHEALTH_OPERATOR_KEY"], !text.isEmpty else {
                return nil
            }
            return try OperatorKey(text)
        }
    }

    extension PeopleError: UserFacingError {
        var sentence: String {
            switch self {
            case .unknownPerson: "\(description) For a list: openhealth people list"
            case .wrongOperatorKey: "\(description) Use --operator-key with the file of that key."
            case .invalidOperatorKey: "\(description) Make one with: openssl rand -hex 32"
            case .keyFileFailed: "\(description) Check its path and its permissions."
            case .wrongKeyDatabase: "\(description) Use --keys with its address."
            case .missingKey: "\(description) Restore the database of keys."
            case .newerVersion: "\(description) Update openhealth."
            case .notConfirmed: "\(description) Try again."
            case .unknownPlace, .samePlace:
                "\(description) For a list: openhealth people place list"
            case .placeNotEmpty: "\(description) Move them first: openhealth people move"
            case .otherMove: "\(description) Repeat it when that one has ended."
            case .cacheInUse: "\(description) Choose another one with --cache."
            default: description
            }
        }
    }

    extension SQLError: UserFacingError {}
#endif
