extension StoreError.Reason: CustomStringConvertible {
    /// What is wrong and where, in one or two sentences without a remedy.
    public var description: String {
        ofPaths ?? ofContents ?? ofProcesses ?? ofNames ?? ofTypes ?? "The operation failed."
    }

    private var ofPaths: String? {
        switch self {
        case .noStore(let path): "There is no store at \(path) yet."
        case .emptyFile(let path): "\(path) is empty."
        case .folder(let path), .folderExists(let path): "\(path) is a folder."
        case .specialFile(let path, let kind): "\(path) is \(kind), not a store."
        case .specialFileBeside(let path, let kind):
            "\(path), which SQLite keeps beside the store, is \(kind)."
        case .danglingLink(let path, let target):
            "\(path) is a link to \(target), which does not exist."
        case .folderNotCreated(let path): "The folder \(path) can't be created."
        case .notAccessible(let path, let access): "\(path) \(access)."
        case .noStoreFile(let path): "\(path) is not a health store."
        case .foreignDatabase(let path): "\(path) is a database of another program."
        case .builtFromLog(let path):
            "\(path) is built from the log of a server of many people, which alone writes to it."
        case .writtenByNewerVersion(let path): "\(path) was written by a newer version."
        case .writtenByOlderVersion(let path):
            "\(path) was written by an older version and can't be upgraded because it is "
                + "read-only."
        case .fileExists(let path): "\(path) already exists."
        case .specialFileExists(let path): "\(path) is not a regular file."
        case .storeExists(let path, let isMainFile):
            "\(path) is \(isMainFile ? "" : "part of ")a health store and is never overwritten."
        default: nil
        }
    }

    private var ofContents: String? {
        switch self {
        case .alteredSchema(let name, let difference):
            "The schema of \(name) was changed by another program: the \(difference)."
        case .damagedValue(let place):
            "The store is damaged at \(place): it contains an invalid value."
        case .missingRow(let place): "The store is damaged: \(place) is missing."
        case .damagedSegments:
            "The data for fast statistics is damaged, but the samples are intact."
        case .damagedFile(let path, let detail): "\(path) is damaged (\(detail))."
        default: nil
        }
    }

    private var ofProcesses: String? {
        switch self {
        case .busy(let file): "\(file) is being written by another process."
        case .importRunning(let path): "Another import into \(path) is running."
        case .storeAppeared(let path): "Another process has created a store at \(path)."
        case .diskFull(let file): "The disk with \(file) is full. The store was not changed."
        case .fileFailed(let operation, let path, let fault): "\(path) \(operation): \(fault)."
        case .sqliteTooOld(let version):
            "SQLite \(version) is too old: 3.26 or later is required."
        case .closed: "The store has been closed."
        case .unusable(let path, let detail, let resultCode):
            "\(path) can't be used: \(detail) (SQLite \(resultCode))."
        case .valueRejected(let place, let detail, let resultCode):
            "\(place) can't be bound: \(detail) (SQLite \(resultCode))."
        case .invalidStatement(let fault, let sql): "\(fault): \(sql)."
        case .cancelled: "Stopped. The store was not changed."
        case .invalidImport(let fault): "\(fault)"
        default: nil
        }
    }

    private var ofNames: String? {
        switch self {
        case .unknownType(let name): "Unknown type “\(name)”."
        case .unknownTypeCode(let code): "The store has no type with the code \(code)."
        case .unknownSource(let name, let known, let count):
            known.isEmpty
                ? "Unknown source “\(name)”. The store has no sources yet."
                : "Unknown source “\(name)”. The store has "
                    + known.map { "“\($0)”" }.joined(separator: ", ")
                    + (count > known.count ? " and more" : "") + "."
        case .ambiguousSource(let name, let identifiers):
            "Several sources are named “\(name)”: \(identifiers.joined(separator: ", "))."
        case .repeatedSource(let names):
            "A source is listed twice: \(names.joined(separator: ", "))."
        case .invalidBundleIdentifier(let text): "Invalid bundle identifier “\(text)”."
        case .bundleIdentifierTaken(let identifier, let name):
            "“\(name)” already has the identifier \(identifier)."
        case .preferenceTooLong: "The setting is too long."
        case .invalidNote(let fault): "\(fault)"
        case .unknownTimeZone(let name): "Unknown time zone “\(name)”."
        default: nil
        }
    }

    private var ofTypes: String? {
        switch self {
        case .unknownSample(let uuid): "No sample with the UUID \(uuid) is stored."
        case .notOwner(let uuid, let identifier):
            "The sample \(uuid) was not saved by \(identifier)."
        case .unknownAttachment(let uuid): "No attachment with the UUID \(uuid) is stored."
        case .invalidAttachment(let fault): "\(fault)"
        case .unknownChange(let number): "The store has no change \(number)."
        case .invalidBatch(let fault): "\(fault)"
        case .noStatistics(let type): "\(type) has no sums or averages."
        case .notSummed(let type): "\(type) is not summed, so it can't be explained."
        case .nothingToMerge(let type): "\(type) has no merged timeline."
        case .noDurations(let type):
            "\(type) is not a category type, so it has no durations."
        case .noDefaultUnit(let type): "\(type) has no default unit."
        case .unitMismatch(let type, let unit, let detail):
            "\(type) can't be converted to “\(unit)”: \(detail)."
        case .tooManySources(let count, let limit):
            "\(count) sources have data on these days, but at most \(limit) can be tried."
        default: nil
        }
    }
}
