public import Foundation
import GRDB

/// Why a mirror could not be read or written. The error contains no health value.
public enum MirrorError: Error, Hashable, Sendable {
    /// The disk is full. The transaction was not stored; the call can be repeated.
    case diskFull
    /// Another process or connection locked the file for more than five seconds.
    case busy
    /// The file cannot be accessed: the device is locked, permission for the file or its folder is
    /// missing, or reading or writing failed. Also for photos and for the files of an export or a
    /// replica.
    case unavailable
    /// The file is damaged. The message names tables, columns or pages, never values.
    case corrupt(String)
    /// There is no entry with this UUID.
    case unknownEntry(UUID)
    /// There is no attachment with this UUID.
    case unknownAttachment(UUID)
    /// A note without text, a tag or number without a name, a number that isn't finite, a photo
    /// without a digest, or a photo file of a draft that cannot be read.
    case invalidAttachment
    /// The mirror has no photo with this digest.
    case unknownPhoto(digest: String)
    /// Any other SQLite error, by its extended result code.
    case failed(code: Int32)

    init(_ error: DatabaseError) {
        switch error.resultCode {
        case .SQLITE_FULL: self = .diskFull
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy
        case .SQLITE_CORRUPT: self = .corrupt(error.message ?? "damaged")
        case .SQLITE_CANTOPEN, .SQLITE_IOERR, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            self = .unavailable
        default: self = .failed(code: error.extendedResultCode.rawValue)
        }
    }
}

/// Runs a body and translates SQLite's errors, and values of the wrong type, to ``MirrorError``.
/// Other errors are rethrown.
func translatingErrors<T>(_ work: () async throws -> T) async throws -> T {
    do {
        return try await work()
    } catch let error as DatabaseError {
        throw error.translated
    } catch is RowDecodingError {
        throw MirrorError.corrupt("wrong type of a column")
    }
}

extension DatabaseError {
    /// The corresponding ``MirrorError``; an interruption by cancellation becomes
    /// `CancellationError`.
    var translated: any Error {
        resultCode == .SQLITE_INTERRUPT ? CancellationError() : MirrorError(self)
    }
}
