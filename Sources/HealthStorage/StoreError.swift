/// Why a store could not be opened, read or written. Holds no health value.
public struct StoreError: Error, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: Hashable, Sendable {
        /// No file where a store was expected.
        case missing
        /// The file is not a store of this program.
        case notAStore
        /// The file was written by a later version.
        case newerVersion
        /// Somebody else is writing.
        case busy
        /// The disk is full.
        case full
        /// The file may not be read or written, or its folder may not be made.
        case notPermitted
        /// The file is damaged.
        case corrupt
        /// Something was added to the file's tables, or they were altered.
        case alteredSchema
        /// A name fits no source, or several.
        case unknownSource, ambiguousSource
        /// A type nobody has heard of.
        case unknownType
        /// A UUID of which no sample is stored.
        case unknownSample
        /// A sample that another source saved.
        case notOwner
        /// An argument that cannot be acted on.
        case invalidArgument
        /// Somebody asked to stop.
        case cancelled
        /// Anything else SQLite reports.
        case failed
    }

    public var code: Code
    /// A sentence for a person: what is wrong, where, and what helps.
    public var description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
