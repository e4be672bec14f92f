import HealthArchive
import HealthStorage

/// Sentences about imports that failed. They contain no health value.
enum ImportFailureText {
    /// The name of every uploaded export.
    static let fileName = "export.zip"

    /// Returns what happened and what to do.
    ///
    /// - Parameters:
    ///   - error: The error of an import or an undo.
    ///   - path: The path of the uploaded file, which is replaced by ``fileName``; nil for none.
    static func sentence(_ error: any Error, at path: String?) -> String {
        switch error {
        case let error as UploadRefusal: error.sentence
        case let error as ArchiveError: archive(error, path)
        case let error as PersonMismatch: error.description
        case let error as ImportUndoError: error.description
        case let error as StoreError: store(error)
        default: "The import failed (\(type(of: error))). The store was not changed."
        }
    }

    private static func archive(_ error: ArchiveError, _ path: String?) -> String {
        var error = error
        if let path { error.name = error.name.replacing(path, with: fileName) }
        let advice =
            switch error.code {
            case .notAnExport, .notAZip, .empty, .severalExports, .unsupportedEncoding:
                "Choose the export.zip that the Health app made."
            case .noDirectory, .damagedDirectory, .checksumMismatch, .damagedData, .truncatedData,
                .sizeMismatch:
                "Copy it from the phone again."
            default: "Export again on the phone and import the new file."
            }
        return "\(error.description). \(advice)"
    }

    private static func store(_ error: StoreError) -> String {
        switch error.reason {
        case .cancelled: UploadRefusal.cancelled.sentence
        case .importRunning, .storeAppeared: UploadRefusal.busyElsewhere.sentence
        case .busy: "Another program is writing to the store. Try again in a moment."
        case .diskFull: "\(error.description) Free some space and try again."
        default: error.description
        }
    }
}
