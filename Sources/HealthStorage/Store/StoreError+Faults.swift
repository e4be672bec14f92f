public import HealthEngine

// Details of a reason. Each description is a sentence or phrase in the description of
// `StoreError.Reason`.
extension StoreError {
    /// The access to a file that isn't possible.
    public enum FileAccess: Hashable, Sendable {
        /// The file can't be read.
        case read
        /// The file can be read, but not written.
        case write
        /// The file can't be opened, or not be written; SQLite doesn't report which.
        case open
    }

    /// An operation on a file that failed.
    public enum FileOperation: Hashable, Sendable {
        /// Creating an empty file.
        case create
        /// Writing a file, or creating or moving a file that is written under a temporary name.
        case write
        /// Reading or writing; SQLite doesn't report which.
        case readOrWrite
        /// Writing the file's data from memory to the disk.
        case synchronize
        /// Moving a finished file to its path.
        case move
        /// Removing a file that an earlier import has left.
        case removeLeftover
    }

    /// A mistake in the text of a statement.
    public enum StatementFault: Hashable, Sendable {
        /// The statement doesn't read the column of this name.
        case missingColumn(String)
        /// The statement reads none or several columns instead of one.
        case notOneColumn
        /// The statement has another number of columns than are named, or more parameters.
        case mismatchedNames
    }

    /// A step of an import that was not in order.
    public enum ImportFault: Hashable, Sendable {
        /// The import ended without a call that finishes it.
        case unfinished
        /// The import was already finished.
        case alreadyFinished
        /// The store gave the type with this identifier another code than expected.
        case otherTypeCode(type: String)
    }

    /// Why samples can't be saved or deleted. An index is that of a sample in the batch.
    public enum BatchFault: Hashable, Sendable {
        /// There are no samples.
        case empty
        /// The number of UUIDs differs from the number of samples.
        case uuidCount(samples: Int, uuids: Int)
        /// The batch violates an invariant.
        case violation(SampleBatchViolation)
        /// A sample ends before it starts.
        case endsBeforeStart(sample: Int)
        /// An origin of the batch has no source, or a source has no bundle identifier.
        case noBundleIdentifier
        /// A text that describes a source, a device or a unit contains a NUL character, at which
        /// SQLite would cut it off.
        case nulCharacter
        /// Two samples of the batch have this UUID.
        case repeatedUUID(SampleUUID)
        /// A sample with this UUID is already stored.
        case storedUUID(SampleUUID)
    }

    /// Why a note on a day can't be saved.
    public enum NoteFault: Hashable, Sendable {
        /// The text has more characters than a note may have.
        case tooLong
        /// The store has as many notes as it may have.
        case tooMany
        /// The date doesn't exist, or is out of the supported range.
        case noSuchDay
    }

    /// Why an attachment can't be stored.
    public enum AttachmentFault: Hashable, Sendable {
        /// The name or the type is empty, too long, or contains control characters.
        case invalidName
        /// The metadata is too long.
        case metadataTooLong
        /// An attachment with this UUID is already stored.
        case storedUUID
        /// Bytes follow a chunk that is not full: a programming error.
        case unevenChunk
    }
}

extension StoreError.FileAccess: CustomStringConvertible {
    /// The phrase after the file's path: "can't be read".
    public var description: String {
        switch self {
        case .read: "can't be read"
        case .write: "can be read but not written"
        case .open: "can't be opened or written"
        }
    }
}

extension StoreError.FileOperation: CustomStringConvertible {
    /// The phrase after the file's path: "can't be written".
    public var description: String {
        switch self {
        case .create: "can't be created"
        case .write: "can't be written"
        case .readOrWrite: "can't be read or written"
        case .synchronize: "can't be synchronized to the disk"
        case .move: "can't be moved into place"
        case .removeLeftover: "is left over from an earlier import and can't be removed"
        }
    }
}

extension StoreError.StatementFault: CustomStringConvertible {
    /// The start of the sentence, which continues with the statement.
    public var description: String {
        switch self {
        case .missingColumn(let name): "A statement doesn't read \(name)"
        case .notOneColumn: "A statement reads other than one column"
        case .mismatchedNames: "A statement has unnamed columns or parameters"
        }
    }
}

extension StoreError.ImportFault: CustomStringConvertible {
    /// The fault as a sentence.
    public var description: String {
        switch self {
        case .unfinished: "The import did not finish."
        case .alreadyFinished: "The import is already finished."
        case .otherTypeCode(let type): "The code of the type \(type) changed during the import."
        }
    }
}

extension StoreError.BatchFault: CustomStringConvertible {
    /// The fault as a sentence.
    public var description: String {
        switch self {
        case .empty: "The list of samples is empty."
        case .uuidCount(let samples, let uuids):
            "Each sample needs one UUID, but there are \(samples) samples and \(uuids) UUIDs."
        case .violation(let violation): "\(violation)"
        case .endsBeforeStart(let index): "Sample \(index) of the batch ends before it starts."
        case .noBundleIdentifier: "The source needs a bundle identifier."
        case .nulCharacter: "The name of a source or device contains a NUL character."
        case .repeatedUUID(let uuid): "Two samples have the UUID \(uuid)."
        case .storedUUID(let uuid): "A sample with the UUID \(uuid) already exists."
        }
    }
}

extension StoreError.NoteFault: CustomStringConvertible {
    /// The fault as a sentence.
    public var description: String {
        switch self {
        case .tooLong: "The note is too long: at most \(DayNote.maximumLength) characters fit."
        case .tooMany: "The store has \(DayNote.maximumCount) notes, the most that it keeps."
        case .noSuchDay: "There is no such day for a note."
        }
    }
}

extension StoreError.AttachmentFault: CustomStringConvertible {
    /// The fault as a sentence.
    public var description: String {
        switch self {
        case .invalidName:
            "The name or type of an attachment is empty, too long or has control characters."
        case .metadataTooLong: "The metadata of an attachment is too long."
        case .storedUUID: "An attachment with this UUID already exists."
        case .unevenChunk: "Bytes of an attachment follow a chunk that is not full."
        }
    }
}
