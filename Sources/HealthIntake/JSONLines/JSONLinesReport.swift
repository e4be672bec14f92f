package import HealthStorage

/// The result of an import of JSON lines.
package struct JSONLinesReport: Sendable {
    /// A line that wasn't imported, and why. It contains no value.
    package struct Rejection: Sendable, Hashable {
        /// The number of the line, from 1.
        package var line: Int
        /// The field, or what isn't known.
        package var reason: String
    }

    /// The name of the file, without its folder.
    package var file: String
    /// The number of samples that were read.
    package var samples = 0
    /// The number of samples that are new in the store.
    package var new = 0
    /// The number of notes on days that were read.
    package var dayNotes = 0
    /// The number of notes on days that are new in the store.
    package var newDayNotes = 0
    /// The number of medications that were read.
    package var medications = 0
    /// The number of medications that are new in the store.
    package var newMedications = 0
    /// The number of attachments that the samples list. The format has no bytes of them, so they
    /// aren't imported.
    package var attachments = 0
    /// The number of lines that weren't imported.
    package var rejected = 0
    /// The first of them.
    package var rejections: [Rejection] = []
    /// The time zone of the store's days.
    package var homeZone: HomeZone
    /// The effect on exported samples.
    package var outcome = SnapshotOutcome()

    /// The number of rejections that are listed.
    static let maximumRejections = 20

    init(file: String, homeZone: HomeZone) {
        (self.file, self.homeZone) = (file, homeZone)
    }

    mutating func reject(_ line: Int, _ reason: UnreadableRecord) {
        rejected += 1
        guard rejections.count < JSONLinesReport.maximumRejections else { return }
        let text =
            switch reason {
            case .invalid(let reason, let field): field ?? reason.rawValue
            case .unknown(let name): name
            }
        rejections.append(Rejection(line: line, reason: text))
    }

    /// The report as the ledger of the import.
    package var ledger: String {
        func tally(_ tally: SnapshotOutcome.Tally) -> JSONText {
            .object([
                "read": .integer(tally.read), "new": .integer(tally.new),
                "unchanged": .integer(tally.unchanged), "changed": .integer(tally.changed),
                "repeated": .integer(tally.repeated), "quarantined": .integer(tally.quarantined),
            ])
        }
        return JSONText.object([
            "format": .string("jsonl"), "records": tally(outcome.records),
            "correlations": tally(outcome.correlations), "workouts": tally(outcome.workouts),
            "activitySummaries": tally(outcome.activitySummaries),
            "vanished": .integer(outcome.vanished), "replaced": .integer(outcome.replaced),
            "samples": .integer(samples), "newSamples": .integer(new),
            "dayNotes": .integer(newDayNotes),
            "medications": newMedications > 0 ? .integer(newMedications) : nil,
            "rejected": .integer(rejected),
            "attachments": attachments > 0 ? .integer(attachments) : nil,
        ]).text
    }
}

/// Why a file isn't an export as JSON lines.
package enum JSONLinesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A line isn't a JSON object, or the file ends in it.
    case notJSON(line: Int)
    /// The file has merged intervals instead of samples.
    case mergedIntervals(line: Int)
    /// The file can't be read.
    case unreadable(FileFault)

    package var description: String {
        switch self {
        case .notJSON(let line): "Line \(line) isn't complete JSON. Nothing was imported."
        case .mergedIntervals(let line):
            "Line \(line) is a merged interval, not a sample. Nothing was imported."
        case .unreadable(let fault): "The file can't be read: \(fault)."
        }
    }
}
