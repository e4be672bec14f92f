public import Foundation
import GRDB

/// Why the mirror's file could not be read or written. Holds no health value.
public enum MirrorError: Error, Hashable, Sendable {
    /// The disk is full: nothing was kept, and the same call works once there is room.
    case diskFull
    /// Another process kept the file longer than the mirror waits, five seconds.
    case busy
    /// The file can't be reached now: the device is locked, or the file or its folder may not be
    /// used.
    case unavailable
    /// The file is damaged; what SQLite says of it names tables and pages, never values.
    case corrupt(String)
    /// No entry of this UUID is kept.
    case unknownEntry(UUID)
    /// No attachment of this UUID is kept.
    case unknownAttachment(UUID)
    /// A note without a word, a tag or number without a name, a number that isn't finite.
    case invalidAttachment
    /// No photo of this digest is kept.
    case unknownPhoto(digest: String)
    /// Anything else that SQLite reports, by its extended result code.
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

/// Runs work on the file; SQLite's errors become the mirror's, and all others pass.
func translatingErrors<T>(_ work: () async throws -> T) async throws -> T {
    do {
        return try await work()
    } catch let error as DatabaseError {
        throw error.translated
    } catch is RowDecodingError {
        throw MirrorError.corrupt("a column of another type")
    }
}

extension DatabaseError {
    /// The mirror's word for it; a cancelled task's interruption stays a cancellation.
    var translated: any Error {
        resultCode == .SQLITE_INTERRUPT ? CancellationError() : MirrorError(self)
    }
}
