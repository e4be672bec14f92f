package import Foundation
package import HealthDashboard

/// The import of an export: `/import`. It has the place to drop one, the progress of one, or the
/// report of the last one.
package struct ImportPage: Page, Hashable {
    package static let path = "/import"
    package static let title = "Import"
    static let cancelPath = "/import/cancel"
    static let confirmPath = "/import/confirm"
    static let undoPath = "/import/undo"

    /// What happens, or happened last.
    package enum Phase: String, Codable, Sendable {
        /// Nothing since the server began.
        case ready
        case receiving, importing, undoing
        /// The export looks like another person's: the page asks whether to import it.
        case asking
        case finished, failed, undone

        /// Whether the page changes by itself.
        var isBusy: Bool { [.receiving, .importing, .undoing].contains(self) }
    }

    /// The newest import, which can be undone.
    package struct Newest: Hashable, Sendable, Codable {
        /// Its number in the store's history.
        package var number: Int64
        /// The file's name.
        package var file: String
        /// When it was imported.
        package var importedAt: Date
        /// What an undo does, as a sentence.
        package var effect: String
    }

    package var freshness: Freshness
    /// The IANA time zone of the times on the page.
    package var timeZone: String
    package var sentence: String
    /// What happens, or happened last.
    package var phase: Phase
    /// The name of the person into whose store an export is imported; nil for the store without
    /// one.
    package var person: String?
    /// The share of the upload or of the import that is done, in percent; nil if nothing runs.
    package var percent: Int?
    /// The number of samples that were read; nil if no import runs.
    package var samplesRead: Int?
    /// Why the last upload, import or undo failed.
    package var problem: String?
    /// The result of the import that ended last.
    package var report: Report?
    /// The newest import; nil without one, and while an import runs.
    package var newest: Newest?
    /// The maximum size of a file, in bytes.
    package var maximumBytes: Int
}
