/// An error from opening, reading or writing a store. Contains no health values.
public struct StoreError: Error, Hashable, CustomStringConvertible {
    /// The category of an error.
    public enum Code: Hashable, Sendable {
        /// No store exists at the path, or the file is empty.
        case missing
        /// The path isn't a store of this program, but for example a folder or another file.
        case notAStore
        /// The file was written by a later version.
        case newerVersion
        /// Another process or connection is writing or importing, or has just created a store at
        /// the path.
        case busy
        /// The disk is full, or the file would be too large.
        case full
        /// The file isn't accessible, or may not be created or replaced.
        case notPermitted
        /// The file is damaged.
        case corrupt
        /// The schema was altered, or something was added to it.
        case alteredSchema
        /// No source has this name, or several have.
        case unknownSource, ambiguousSource
        /// No type has this name or code.
        case unknownType
        /// No sample, or no attachment of the sample, with this UUID is stored.
        case unknownSample
        /// Another source saved the sample.
        case notOwner
        /// An invalid argument.
        case invalidArgument
        /// The operation was cancelled.
        case cancelled
        /// Any other error, for example of SQLite.
        case failed
    }

    /// The cause as a value, with the facts that a program needs to suggest a remedy.
    public let reason: Reason

    /// Creates an error from its reason, from which its code and description follow.
    ///
    /// - Parameter reason: The cause.
    package init(_ reason: Reason) { self.reason = reason }

    /// The category.
    public var code: Code { reason.code }

    /// One or two sentences for people: what is wrong and where, without a remedy.
    public var description: String { reason.description }
}
