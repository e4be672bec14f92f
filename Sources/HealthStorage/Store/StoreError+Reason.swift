public import HealthEngine

extension StoreError {
    /// The cause of an error as a value, with the facts that a program needs to suggest a remedy.
    public enum Reason: Hashable, Sendable {
        // MARK: The path of a store

        /// No file exists at the path of the store.
        case noStore(at: String)
        /// The file at the path of the store has no bytes, or is a database without tables.
        case emptyFile(at: String)
        /// The path of the store is a folder.
        case folder(at: String)
        /// The path of the store is a pipe, a socket or a device; the kind is words such as "a
        /// pipe".
        case specialFile(at: String, kind: String)
        /// A path that SQLite keeps beside the store is a folder, a pipe, a socket or a device.
        case specialFileBeside(at: String, kind: String)
        /// The path of the store is a symbolic link without a target.
        case danglingLink(at: String, to: String)
        /// The folder of a new store can't be created.
        case folderNotCreated(String)
        /// The file can't be opened as needed, probably because of its permissions.
        case notAccessible(at: String, FileAccess)
        /// The file isn't a store.
        case noStoreFile(at: String)
        /// The file is a SQLite database of another program.
        case foreignDatabase(at: String)
        /// The store has schema migrations that this version doesn't have.
        case writtenByNewerVersion(at: String)
        /// The store lacks schema migrations, and the file isn't writable.
        case writtenByOlderVersion(at: String)
        /// The store is built from the log of a server of many people, and only that writes to it.
        case builtFromLog(at: String)

        // MARK: The content of a store

        /// The schema of the file of this name was altered, or something was added to it.
        case alteredSchema(in: String, difference: String)
        /// A column, and a row if it is known, holds a value that this library never writes.
        case damagedValue(at: String)
        /// A row is missing that others refer to; the text names its table and number.
        case missingRow(at: String)
        /// The column segments, which are derived from the samples, are damaged.
        case damagedSegments
        /// SQLite reports that the file is damaged.
        case damagedFile(at: String, detail: String)

        // MARK: Reading and writing

        /// Another process or connection is writing to the file of this name.
        case busy(file: String)
        /// Another import into the store at the path is running.
        case importRunning(into: String)
        /// Another process created a store at the path during the first import.
        case storeAppeared(at: String)
        /// The disk with the file of this name is full.
        case diskFull(file: String)
        /// A file can't be created, read, written, moved or removed.
        case fileFailed(FileOperation, at: String, FileFault)
        /// The version of SQLite lacks a necessary feature.
        case sqliteTooOld(version: String)
        /// The store has been closed.
        case closed
        /// Any other error of SQLite.
        case unusable(at: String, detail: String, resultCode: Int32)
        /// SQLite rejects a value for a column, because it is too large or memory is exhausted.
        case valueRejected(at: String, detail: String, resultCode: Int32)
        /// The columns or parameters of a statement aren't the expected ones: a programming error.
        case invalidStatement(StatementFault, sql: String)
        /// The operation was cancelled.
        case cancelled
        /// The steps of an import were not in order: a programming error.
        case invalidImport(ImportFault)

        // MARK: Arguments

        /// No type has this name.
        case unknownType(String)
        /// The store has no type with this code.
        case unknownTypeCode(Int32)
        /// No source has this name; up to 12 known names, and the number of all sources.
        case unknownSource(String, known: [String], count: Int)
        /// Several sources have this name; their bundle identifiers.
        case ambiguousSource(String, identifiers: [String])
        /// A source order names a source twice; the names in the order.
        case repeatedSource([String])
        /// A bundle identifier is empty or contains white space.
        case invalidBundleIdentifier(String)
        /// Another source, given by its name, has this bundle identifier.
        case bundleIdentifierTaken(String, by: String)
        /// The system has no time zone with this identifier.
        case unknownTimeZone(String)
        /// A preference is longer than it may be.
        case preferenceTooLong
        /// A note on a day that can't be saved.
        case invalidNote(NoteFault)
        /// No sample with this UUID is stored.
        case unknownSample(SampleUUID)
        /// Another source than the one with this bundle identifier saved the sample.
        case notOwner(SampleUUID, bundleIdentifier: String)
        /// No attachment with this UUID is stored with the sample.
        case unknownAttachment(SampleUUID)
        /// An attachment that can't be stored.
        case invalidAttachment(AttachmentFault)
        /// The store has not assigned this sequence number yet, or it is negative.
        case unknownChange(Int64)
        /// Samples that can't be saved or deleted.
        case invalidBatch(BatchFault)
        /// The type has no statistics.
        case noStatistics(type: String)
        /// The type isn't cumulative, and only sums have an explanation.
        case notSummed(type: String)
        /// The type has no merged intervals: it is neither a quantity nor a category type, or it
        /// isn't cumulative where amounts are required.
        case nothingToMerge(type: String)
        /// The type isn't a category type, and only these have durations.
        case noDurations(type: String)
        /// The type has no default unit, so its values can't be converted.
        case noDefaultUnit(type: String)
        /// The unit is unknown or doesn't fit the type; the detail is the reason as a phrase.
        case unitMismatch(type: String, unit: String, detail: String)
        /// More sources have data on the days of a calibration than it supports.
        case tooManySources(Int, limit: Int)

        // MARK: New files

        /// A file exists that may not be replaced.
        case fileExists(at: String)
        /// The path of a new file is a folder.
        case folderExists(at: String)
        /// The path of a new file is a pipe, a socket or a device.
        case specialFileExists(at: String)
        /// The path of a new file is a store, or a file beside one (then `isMainFile` is false).
        case storeExists(at: String, isMainFile: Bool)
    }
}

extension StoreError.Reason {
    /// The code of the error with this reason.
    var code: StoreError.Code {
        switch self {
        case .noStore, .emptyFile: .missing
        case .folder, .specialFile, .specialFileBeside, .noStoreFile, .foreignDatabase: .notAStore
        case .danglingLink, .folderNotCreated, .notAccessible, .fileExists, .folderExists,
            .specialFileExists, .storeExists, .builtFromLog:
            .notPermitted
        case .fileFailed(let operation, _, let fault): fault.code ?? operation.code
        case .writtenByNewerVersion: .newerVersion
        case .writtenByOlderVersion, .unusable, .valueRejected, .sqliteTooOld, .closed,
            .invalidStatement:
            .failed
        case .alteredSchema: .alteredSchema
        case .damagedValue, .missingRow, .damagedSegments, .damagedFile: .corrupt
        case .busy, .importRunning, .storeAppeared: .busy
        case .diskFull: .full
        case .cancelled: .cancelled
        case .invalidImport(let fault): fault == .alreadyFinished ? .invalidArgument : .failed
        case .unknownType, .unknownTypeCode: .unknownType
        case .unknownSource: .unknownSource
        case .ambiguousSource: .ambiguousSource
        case .unknownSample, .unknownAttachment: .unknownSample
        case .notOwner: .notOwner
        case .noStatistics, .notSummed, .nothingToMerge, .noDurations, .noDefaultUnit,
            .unitMismatch, .tooManySources, .repeatedSource, .invalidBundleIdentifier,
            .bundleIdentifierTaken, .unknownTimeZone, .preferenceTooLong, .invalidNote,
            .unknownChange, .invalidBatch, .invalidAttachment:
            .invalidArgument
        }
    }
}

extension FileFault {
    /// The code of the fault; nil if it depends on the operation.
    fileprivate var code: StoreError.Code? {
        switch self {
        case .diskFull, .sizeLimit, .tooLarge: .full
        case .diskFailing, .library: .failed
        case .system: nil
        }
    }
}

extension StoreError.FileOperation {
    /// The code if the operation fails with an error number of the system other than a full disk.
    fileprivate var code: StoreError.Code {
        switch self {
        case .create, .write, .readOrWrite, .move, .removeLeftover: .notPermitted
        case .synchronize: .failed
        }
    }
}
