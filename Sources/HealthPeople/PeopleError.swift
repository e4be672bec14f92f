/// An error of a server of many people. It contains no health value and no name.
package enum PeopleError: Error, Hashable, Sendable {
    /// The text isn't an address of a server's data.
    case invalidAddress
    /// No person has the identifier, or the person was erased: the two can't be told apart.
    case unknownPerson
    /// The person is disabled or being moved: nothing is stored or shown now.
    case suspended
    /// No device of the person has the name, or its token was revoked.
    case unknownDevice
    /// A device of the person has the name.
    case deviceNameTaken
    /// A name is empty, too long, or contains control characters.
    case invalidName
    /// A key isn't 64 hexadecimal digits.
    case invalidOperatorKey
    /// The persons' keys were wrapped with another operator key.
    case wrongOperatorKey
    /// The file with the operator key can't be read or created.
    case keyFileFailed(String)
    /// The database of keys isn't the one with which the people were created.
    case wrongKeyDatabase
    /// A person's key is missing, so the data can't be read.
    case missingKey
    /// An entry or a snapshot isn't what was written: its hash, seal or content is wrong.
    case damagedLog
    /// Entries or tables were written by a newer version.
    case newerVersion
    /// There isn't enough memory, or the content is too large.
    case sealingFailed
    /// Whether the change was stored is unknown, or other nodes were faster too often. The same
    /// request can be sent again.
    case notConfirmed
    /// The person's stored data would exceed the quota.
    case quotaExceeded
    /// The two places belong together, have the same database of keys, or the person was at the
    /// other one.
    case sharedPlaces
    /// The person is at that place already.
    case samePlace(String)
    /// No place has the name.
    case unknownPlace(String)
    /// A place can't have the name.
    case invalidPlaceName
    /// The address of a place has a password, or is the path of a folder while home is PostgreSQL.
    case invalidPlaceAddress
    /// The database is home, a place with another name, or has people already.
    case placeInUse
    /// People are at the place, or are being moved.
    case placeNotEmpty(String)
    /// At the address of a place is another database than the one that was added.
    case otherDatabase(String)
    /// The database of a place failed.
    case placeFailed(String, SQLError)
    /// Others changed the person's data meanwhile, so nothing was stored.
    case changedMeanwhile
    /// Another move of the person has begun.
    case otherMove
    /// Another process uses the folder with the copies of the stores.
    case cacheInUse(String)
    /// A file of the folder with the copies of the stores can't be read or written.
    case cacheFailed(String)
    /// A file or folder can't be created or written.
    case fileFailed(String)
}

extension PeopleError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidAddress: "The address is neither a folder nor postgresql://…"
        case .unknownPerson: "There is no such person."
        case .suspended: "The person is disabled or being moved."
        case .unknownDevice: "The person has no such device."
        case .deviceNameTaken: "The person already has a device with this name."
        case .invalidName:
            "The name is empty, contains control characters, or has more than 100 bytes."
        case .invalidOperatorKey: "The operator key isn't 64 hexadecimal digits."
        case .wrongOperatorKey: "The people's keys were wrapped with another operator key."
        case .keyFileFailed(let path): "The operator key can't be read from \(path)."
        case .wrongKeyDatabase: "The people's keys are in another database."
        case .missingKey: "The person's key is missing."
        case .damagedLog: "The person's log is damaged."
        case .newerVersion: "The people's data was written by a newer version."
        case .sealingFailed: "The data is too large to be stored."
        case .notConfirmed: "It is unknown whether the change was stored."
        case .changedMeanwhile: "The person's data changed meanwhile. Nothing was stored."
        case .quotaExceeded: "The person's quota is used up."
        case .sharedPlaces:
            "The other place has, or had, data of the person. Move it to another one."
        case .samePlace(let name): "The person is at \(name) already."
        case .unknownPlace(let name): "There is no place \(name)."
        case .invalidPlaceName:
            "A place's name has up to 60 letters, digits, dots, hyphens and underscores, and isn't"
                + " “home”."
        case .invalidPlaceAddress:
            "A place's address is postgresql://… without a password: libpq finds it in"
                + " $PGPASSFILE or $PGPASSWORD."
        case .placeInUse: "The database has people already, or is home or another place."
        case .placeNotEmpty(let name): "People are at \(name), or are being moved to or from it."
        case .otherDatabase(let name):
            "At the address of \(name) is another database than the one that was added."
        case .placeFailed(let name, let error): "The place \(name) failed: \(error.description)"
        case .otherMove: "Another move of the person has begun."
        case .cacheInUse(let path): "Another process uses the cache \(path)."
        case .cacheFailed(let path): "The cache \(path) can't be read or written."
        case .fileFailed(let path): "\(path) can't be created or written."
        }
    }
}
