extension StoreError {
    /// The cause of an error as a value, with the facts that a program needs to suggest a remedy.
    public enum Reason: Hashable, Sendable {
        /// No file exists at the path of the store.
        case noStore(at: String)
        /// The file at the path of the store has no bytes.
        case emptyFile(at: String)
        /// The path of the store is a folder.
        case folder(at: String)
        /// The path of the store is a pipe, a socket or a device; the kind is words such as "a
        /// pipe".
        case specialFile(at: String, kind: String)
        /// The path of the store is a symbolic link without a target.
        case danglingLink(at: String, to: String)
        /// The folder of a new store can't be created.
        case folderNotMade(String)
        /// The file isn't a store.
        case noStoreFile(at: String)
        /// The file is a SQLite database of another program.
        case foreignDatabase(at: String)
        /// The store has schema migrations that this version doesn't have.
        case writtenByNewerVersion(at: String)
        /// The store lacks schema migrations, and the file isn't writable.
        case writtenByOlderVersion(at: String)
        /// The schema of the file of this name was altered, or something was added to it.
        case alteredSchema(in: String, difference: String)
        /// A column, and a row if it is known, holds a value that this program never writes.
        case damagedValue(at: String)
        /// The column segments, which are derived from the samples, are damaged.
        case damagedSegments
        /// SQLite reports that the file is damaged.
        case damagedFile(at: String, detail: String)
        /// Another process is writing to the file of this name.
        case busy(file: String)
        /// The disk with the file of this name is full.
        case diskFull(file: String)
        /// Any other error of SQLite.
        case unusable(at: String, detail: String, resultCode: Int32)
        /// No type has this name.
        case unknownType(String)
        /// No source has this name; up to 12 known names, and the number of all sources.
        case unknownSource(String, known: [String], count: Int)
        /// Several sources have this name; their bundle identifiers.
        case ambiguousSource(String, identifiers: [String])
        /// The type has no statistics.
        case noStatistics(type: String)
        /// The type isn't cumulative, and only sums have an explanation.
        case notSummed(type: String)
        /// The type has no values, so there are no merged intervals.
        case nothingToMerge(type: String)
        /// More sources have data on the days of a calibration than it supports.
        case tooManySources(Int, limit: Int)
        /// A file exists that may not be replaced.
        case fileExists(at: String)
        /// The path of a new file is a folder.
        case folderExists(at: String)
        /// The path of a new file is a pipe, a socket or a device.
        case specialFileExists(at: String)
        /// The path of a new file is a store, or a file beside one (then `isWhole` is false).
        case storeExists(at: String, isWhole: Bool)
    }
}

extension StoreError.Reason {
    /// The code of the error with this reason.
    var code: StoreError.Code {
        switch self {
        case .noStore, .emptyFile: .missing
        case .folder, .specialFile, .noStoreFile, .foreignDatabase: .notAStore
        case .danglingLink, .folderNotMade, .fileExists, .folderExists, .specialFileExists,
            .storeExists:
            .notPermitted
        case .writtenByNewerVersion: .newerVersion
        case .writtenByOlderVersion, .unusable: .failed
        case .alteredSchema: .alteredSchema
        case .damagedValue, .damagedSegments, .damagedFile: .corrupt
        case .busy: .busy
        case .diskFull: .full
        case .unknownType: .unknownType
        case .unknownSource: .unknownSource
        case .ambiguousSource: .ambiguousSource
        case .noStatistics, .notSummed, .nothingToMerge, .tooManySources: .invalidArgument
        }
    }

    /// The description of the error, without a remedy.
    var sentence: String {
        switch self {
        case .noStore(let path): "There is no store at \(path) yet."
        case .emptyFile(let path): "\(path) is empty."
        case .folder(let path): "\(path) is a folder."
        case .specialFile(let path, let kind): "\(path) is \(kind), not a store."
        case .danglingLink(let path, let target):
            "\(path) is a link to \(target), which does not exist."
        case .folderNotMade(let path): "The folder \(path) can't be created."
        case .noStoreFile(let path): "\(path) is not an openhealth store."
        case .foreignDatabase(let path): "\(path) is a database of another program."
        case .writtenByNewerVersion(let path): "\(path) was written by a newer version."
        case .writtenByOlderVersion(let path):
            "\(path) was written by an older version and can't be upgraded."
        case .alteredSchema(let name, let difference):
            "The schema of \(name) was changed by another program: the \(difference)."
        case .damagedValue(let place):
            "The store is damaged at \(place): it contains a value that openhealth never writes."
        case .damagedSegments:
            "The data for fast statistics is damaged, but the samples are intact."
        case .damagedFile(let path, let detail): "\(path) is damaged (\(detail))."
        case .busy(let file): "\(file) is being written by another process."
        case .diskFull(let file): "The disk with \(file) is full. The store was not changed."
        case .unusable(let path, let detail, let resultCode):
            "\(path) can't be used: \(detail) (SQLite \(resultCode))."
        case .unknownType(let name): "Unknown type “\(name)”."
        case .unknownSource(let name, let known, let count):
            known.isEmpty
                ? "Unknown source “\(name)”. The store has no sources yet."
                : "Unknown source “\(name)”. The store has "
                    + known.map { "“\($0)”" }.joined(separator: ", ")
                    + (count > known.count ? " and more" : "") + "."
        case .ambiguousSource(let name, let identifiers):
            "Several sources are named “\(name)”: \(identifiers.joined(separator: ", "))"
        case .noStatistics(let type): "\(type) has no sums or averages."
        case .notSummed(let type): "\(type) is not summed, so it can't be explained."
        case .nothingToMerge(let type): "\(type) has no merged timeline."
        case .tooManySources(let count, let limit):
            "\(count) sources have data on these days, but at most \(limit) can be tried."
        case .fileExists(let path): "\(path) already exists."
        case .folderExists(let path): "\(path) is a folder."
        case .specialFileExists(let path): "\(path) is not a regular file."
        case .storeExists(let path, let isWhole):
            "\(path) is \(isWhole ? "" : "part of ")a store of openhealth and is never overwritten."
        }
    }
}
