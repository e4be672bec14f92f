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
    /// The two places have the same database of keys, or parts of the person's data.
    case sharedPlaces
    /// Another process uses the folder with the copies of the stores.
    case cacheInUse(String)
    /// A file of the folder with the copies of the stores can't be read or written.
    case cacheFailed(String)
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
        case .missingKey: "The person's key is missing."
        case .damagedLog: "The person's log is damaged."
        case .newerVersion: "The people's data was written by a newer version."
        case .sealingFailed: "The data is too large to be stored."
        case .notConfirmed: "It is unknown whether the change was stored."
        case .quotaExceeded: "The person's quota is used up."
        case .sharedPlaces: "The two places share data of the person."
        case .cacheInUse(let path): "Another process uses the cache \(path)."
        case .cacheFailed(let path): "The cache \(path) can't be read or written."
        }
    }
}
