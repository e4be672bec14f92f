package import HealthStorage

extension StoreError {
    /// The error's message with advice, for the command and the pages.
    package var sentence: String { reason?.advised ?? description }
}

extension StoreError.Reason {
    /// The message with advice: a command, an option, or another action.
    fileprivate var advised: String? { ofFiles ?? ofContents ?? ofQuestions ?? ofWrittenFiles }

    private var ofFiles: String? {
        switch self {
        case .noStore(let path):
            "There is no store at \(path) yet. Create one: openhealth import export.zip"
        case .emptyFile(let path):
            "\(path) is empty. Import an export: openhealth import export.zip"
        case .folder(let path):
            "\(path) is a folder. Name a file in it, for example \(path)/health.sqlite."
        case .specialFile(let path, let kind):
            "\(path) is \(kind), not a store. Choose a store with --store."
        case .danglingLink(let path, let target):
            "\(path) is a link to \(target), which does not exist. Restore that file or its disk, "
                + "remove the link, or choose another store with --store."
        case .folderNotMade(let folder):
            "The folder \(folder) can't be created. Check the permissions of its parent folder, or "
                + "choose another path with --store."
        case .noStoreFile(let path):
            "\(path) is not an openhealth store. Choose a store with --store."
        case .foreignDatabase(let path):
            "\(path) is a database of another program. Choose a store with --store."
        case .writtenByNewerVersion(let path):
            "\(path) was written by a newer openhealth. Update openhealth, or choose another store "
                + "with --store."
        case .writtenByOlderVersion(let path):
            "\(path) was written by an older openhealth and can't be upgraded because it is "
                + "read-only. Make it writable, or import your newest export into another store."
        default: nil
        }
    }

    private var ofContents: String? {
        switch self {
        case .alteredSchema(let name, let difference):
            "The schema of \(name) was changed by another program: the \(difference). openhealth "
                + "doesn't use the store, because additions could run during an import. Check it "
                + "with openhealth check, then remove the additions with an SQLite tool."
        case .damagedValue(let place):
            "The store is damaged at \(place): it contains a value that openhealth never writes. "
                + "Check it with: openhealth check"
        case .damagedSegments:
            "The data for fast statistics is damaged, but the samples are intact. Rebuild it with: "
                + "openhealth check --rebuild"
        case .damagedFile(let path, let detail):
            "\(path) is damaged (\(detail)). Move it to another folder and import your newest "
                + "export again."
        case .busy(let file):
            "\(file) is being written by another process. Try again when that has finished."
        case .diskFull(let file):
            "The disk with \(file) is full. The store was not changed. Free some space and try "
                + "again."
        case .unusable(let path, let detail, let resultCode):
            "\(path) can't be used: \(detail) (SQLite \(resultCode)). "
                + "Check it with: openhealth check"
        default: nil
        }
    }

    private var ofQuestions: String? {
        switch self {
        case .unknownType(let name):
            "Unknown type “\(name)”. For a list of types, run `openhealth types`."
        case .unknownSource(let name, let known, let count) where count > known.count:
            "Unknown source “\(name)”. The store has "
                + known.map { "“\($0)”" }.joined(separator: ", ")
                + " and more (openhealth sources)."
        case .ambiguousSource(let name, let identifiers):
            "Several sources are named “\(name)”. Use one of their identifiers: "
                + identifiers.joined(separator: ", ")
        case .noStatistics(let type):
            "\(type) has no sums or averages. List its samples with: openhealth samples \(type)"
        case .notSummed(let type):
            "\(type) is not summed, so it can't be explained. List its samples with: "
                + "openhealth samples \(type)"
        case .nothingToMerge(let type):
            "\(type) has no merged timeline. Omit --merged to see its samples."
        case .tooManySources(let count, let limit):
            "\(count) sources have data on these days, too many to try. Exclude some with "
                + "openhealth sources exclude, or choose days with fewer than \(limit) sources."
        default: nil
        }
    }

    private var ofWrittenFiles: String? {
        switch self {
        case .fileExists(let path):
            "\(path) already exists. Choose another name, or overwrite it with --force."
        case .folderExists(let path): "\(path) is a folder. Name a file in it."
        case .specialFileExists(let path): "\(path) is not a regular file. Choose another name."
        case .storeExists(let path, let isWhole):
            "\(path) is \(isWhole ? "" : "part of ")a store of openhealth and is never "
                + "overwritten. Choose another name."
        default: nil
        }
    }
}
