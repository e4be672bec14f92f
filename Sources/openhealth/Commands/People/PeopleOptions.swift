#if People
    import ArgumentParser
    import Foundation
    import HealthDashboard
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

        /// Whether a missing folder is created. A misspelt one would be a server without people.
        enum Folder { case existing, created }

        /// Opens the people.
        ///
        /// - Throws: ``UsageError`` without a place, or for a missing folder; `PeopleError`,
        ///   `SQLError`.
        func open(_ folder: Folder = .existing) throws -> PeoplePlaces {
            let given = people ?? ProcessInfo.processInfo.environment["OPENHEALTH_PEOPLE"]
            guard let given, !given.isEmpty else {
                throw UsageError(
                    "Where are the people? Use --people with a folder or postgresql://…, or set "
                        + "OPENHEALTH_PEOPLE.")
            }
            if folder == .existing, try !keys.location(given).exists {
                throw UsageError(
                    "There are no people at \(given.printable). Add the first one: openhealth people "
                        + "create NAME --people \(ShellWord.quoted(given))")
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

        /// Reads a folder's path or a database's address.
        func location(_ place: String) throws -> PeopleLocation {
            let environment = ProcessInfo.processInfo.environment
            do {
                return try PeopleLocation(
                    place, keys: keys ?? environment["OPENHEALTH_PEOPLE_KEYS"])
            } catch let error as PeopleError {
                throw UsageError(error.description)
            }
        }

        /// Opens the people in one folder or database.
        func open(_ place: String) throws -> People {
            try People.open(
                location(place), operatorKey: key(ProcessInfo.processInfo.environment))
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
            case .changedMeanwhile: "\(description) Repeat it when no data arrives."
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
