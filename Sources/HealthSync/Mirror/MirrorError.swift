public import Foundation
import GRDB

/// Why a mirror could not be read or written. The error contains no health value.
public enum MirrorError: Error, Hashable, Sendable {
    /// The disk is full. The transaction, photo or file that was being written was not stored; the
    /// call can be repeated when there is space.
    case diskFull
    /// Another process or connection locked the mirror's file for more than five seconds.
    case busy
    /// The mirror's file cannot be accessed: the device is locked, permission for the file or its
    /// folder is missing, or reading or writing failed. Also reported for photos and for the files
    /// of an export.
    case unavailable
    /// The mirror's file is damaged, or its journal has a record that this version cannot read. The
    /// message names tables, columns or pages, never values.
    case corrupt(String)
    /// The mirror has no entry with this UUID.
    case unknownEntry(UUID)
    /// The mirror has no attachment with this UUID.
    case unknownAttachment(UUID)
    /// An attachment is invalid: a note has no text, a tag or number has no name, or a number isn't
    /// finite. Or a photo has no digest, or the photo file of a draft cannot be read.
    case invalidAttachment
    /// The mirror's photo folder has no file of a photo with this digest.
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

/// Runs a body and translates SQLite's errors, and values of the wrong type, to ``MirrorError``. An
/// interruption of SQLite becomes `CancellationError`. Other errors are rethrown.
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
