import Foundation

/// Why a file can't be created, read, written, moved or removed.
public enum FileFault: Hashable, Sendable, CustomStringConvertible {
    /// The disk, or the account's quota, is full.
    case diskFull
    /// The file would exceed the size that the process may write, in bytes (`RLIMIT_FSIZE`).
    case sizeLimit(bytes: UInt64)
    /// The file would be too large for the file system.
    case tooLarge
    /// The disk is full or failing. SQLite doesn't report which.
    case diskFailing
    /// Another error of the system, by its number (`errno`).
    case system(Int32)
    /// An error of a library such as SQLite or zlib, with its message.
    case library(String)

    /// Creates the fault for an error number of the system.
    ///
    /// - Parameter errorNumber: The value of `errno`.
    package init(errorNumber: Int32) {
        self =
            switch errorNumber {
            case EFBIG: FileSizeLimit.fault ?? .tooLarge
            case ENOSPC, EDQUOT: .diskFull
            default: .system(errorNumber)
            }
    }

    /// The fault as a phrase, without a remedy: "the disk is full".
    public var description: String {
        switch self {
        case .diskFull: "the disk is full"
        case .sizeLimit(let bytes): "the file size limit is \(bytes / 1024) KB"
        case .tooLarge: "the file is too large for this file system"
        case .diskFailing: "the disk may be full or failing"
        case .system(let number): String(cString: strerror(number))
        case .library(let message): message
        }
    }
}
