import HealthServer
import HealthStorage

extension StoreError: UserFacingError {
    /// The description, and what to do with the command's options and subcommands.
    var sentence: String { description.followed(by: reason.advice) }
}

extension StoreError.Reason {
    /// What to do about the error, with subcommands and options; nil if there is no advice.
    var advice: String? { forFiles ?? forContents ?? forArguments }

    private var forFiles: String? {
        switch self {
        case .noStore: "Create one: openhealth import export.zip"
        case .emptyFile: "Import an export: openhealth import export.zip"
        case .folder(let path): "Name a file in it, for example \(path)/health.sqlite."
        case .specialFile, .noStoreFile, .foreignDatabase: "Choose a store with --store."
        case .specialFileBeside: "Remove it."
        case .danglingLink:
            "Restore that file or its disk, remove the link, or choose another store with --store."
        case .folderNotCreated:
            "Check the permissions of its parent folder, or choose another path with --store."
        case .notAccessible(_, .read), .notAccessible(_, .write): "Check its permissions."
        case .notAccessible(_, .open): "Check the permissions of the file and of its folder."
        case .writtenByNewerVersion: "Update openhealth, or choose another store with --store."
        case .writtenByOlderVersion:
            "Make it writable, or import your newest export into another store."
        case .fileExists: "Choose another name, or overwrite it with --force."
        case .folderExists: "Name a file in it."
        case .specialFileExists, .storeExists: "Choose another name."
        case .diskFull: FileFault.diskFull.advice
        case .fileFailed(_, _, let fault): fault.advice
        default: nil
        }
    }

    private var forContents: String? {
        switch self {
        case .alteredSchema:
            "openhealth doesn't use the store, because additions could run during an import. "
                + "Check it with openhealth check, then remove the additions with an SQLite tool."
        case .damagedValue, .missingRow, .unusable: "Check it with: openhealth check"
        case .damagedSegments: "Rebuild it with: openhealth check --rebuild"
        case .damagedFile: "Move it to another folder and import your newest export again."
        case .busy, .importRunning: "Try again when that has finished."
        case .storeAppeared: "Try again."
        case .sqliteTooOld: "Update SQLite."
        default: nil
        }
    }

    private var forArguments: String? {
        switch self {
        case .unknownType: "For a list of types, run `openhealth types`."
        case .unknownSource(_, let known, let count) where count > known.count:
            "For a list of sources, run `openhealth sources`."
        case .ambiguousSource: pageAdvice
        case .noStatistics(let type), .notSummed(let type):
            "List its samples with: openhealth samples \(type)"
        case .nothingToMerge: "Omit --merged to see its samples."
        case .noDefaultUnit: "Choose one with --unit."
        case .tooManySources:
            "Exclude some with openhealth sources exclude, or choose days with fewer sources."
        case .invalidBundleIdentifier: "Use one without spaces, for example com.example.app."
        case .unknownTimeZone: "Use an IANA name such as Europe/Berlin."
        default: nil
        }
    }
}

extension FileFault {
    /// What to do about a file that can't be written; nil if there is no advice.
    var advice: String? {
        switch self {
        case .diskFull: "Free some space and try again."
        case .sizeLimit: "Raise the limit (ulimit -f) and try again."
        case .tooLarge, .diskFailing, .system, .library: nil
        }
    }
}

extension String {
    /// Returns the sentence followed by advice, if there is any.
    func followed(by advice: String?) -> String { advice.map { "\(self) \($0)" } ?? self }
}
