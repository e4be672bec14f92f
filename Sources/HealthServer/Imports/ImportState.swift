import HealthArchive
import HealthEngine
import HealthStorage

/// The state of the imports that pages start into one store.
enum ImportState: Sendable {
    /// No import was started since the server began.
    case idle
    /// A file is being uploaded.
    case receiving
    case importing
    case undoing
    /// The export looks like another person's. Its file is kept until someone decides.
    case asking(UploadedExport, PersonMismatch)
    case finished(ImportReport)
    /// The last upload, import or undo failed; the text is a sentence.
    case failed(String)
    /// An import with this number was undone.
    case undone(Int64, ImportUndoOutcome)

    /// Whether no other import can begin.
    var isBusy: Bool {
        switch self {
        case .receiving, .importing, .undoing: true
        case .idle, .asking, .finished, .failed, .undone: false
        }
    }
}

/// How far an upload or an import is.
struct ImportProgress: Hashable, Sendable {
    /// The bytes that were received, or read of the XML.
    var done: Int64 = 0
    /// The bytes of the upload or of the XML; 0 if unknown.
    var total: Int64 = 0
    /// The number of samples that were read.
    var samples = 0

    /// The share of the bytes in whole percent, at most 100.
    var percent: Int {
        guard total > 0, done > 0 else { return 0 }
        return Int(clamping: min(1, Double(done) / Double(total)) * 100)
    }
}
