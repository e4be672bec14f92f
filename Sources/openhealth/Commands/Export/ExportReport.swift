import HealthDashboard
import HealthEngine
import HealthStorage

/// The result of an export: the counts by type, and what the format can't hold.
struct ExportReport {
    /// Data that the format can't hold.
    struct Loss {
        /// The kind of data, as in the JSON output.
        var what: String
        /// The words after the count.
        var description: String
        var count: Int
        var names: [String] = []
    }

    /// What an export contains. The raw value is the key of the total in JSON.
    enum Content: String {
        case samples
        case intervals = "stretches"
        case days
        case observations
    }

    /// Data that CSV, JSON lines, SQLite and Parquet exports don't contain. Points of routes and
    /// notes are missing only in CSV and in a single Parquet file.
    enum RowLoss: String {
        case routePoints, workoutParts, dayNotes, medications, files, documents, rawElements

        var description: String {
            switch self {
            case .routePoints: "routes with their points; use jsonl, sqlite or apple"
            case .workoutParts:
                "workouts with statistics, events or routes; write parquet to a folder"
            case .dayNotes: "notes on days; use jsonl or sqlite"
            case .medications: "medications; use jsonl"
            case .files: "electrocardiograms, clinical records and attachments; use apple"
            case .documents: "clinical records and attachments; use apple"
            case .rawElements: "elements kept as text from an import; use apple"
            }
        }
    }

    /// The number of exported items by type identifier; of days, by column.
    var types: [String: Int] = [:]
    /// The number of exported days.
    var dayCount = 0
    /// The number of exported notes on days.
    var dayNotes = 0
    /// The number of exported medications.
    var medications = 0
    var losses: [Loss] = []
    /// Data that is in the export, but without a code of the format's standards.
    var unmapped: [Loss] = []
    var content = Content.samples

    /// Whether samples as recorded were exported whose sum would count twice what two sources
    /// recorded.
    var isRawAmounts: Bool {
        content == .samples
            && types.keys.contains {
                Catalogue.type(identifier: $0)?.aggregation == .cumulative
                    || $0 == Metric.sleep.identifier
            }
    }

    mutating func count(_ exported: ExportedBatch) {
        types[exported.type.identifier, default: 0] += exported.batch.samples.count
    }

    mutating func add(_ loss: RowLoss, _ count: Int) {
        if count == 0 { return }
        losses.append(
            Loss(what: loss.rawValue, description: loss.description, count: count))
    }

    func text(file: String) -> String {
        if content == .days { return daysText(file: file) }
        let count = types.values.reduce(0, +)
        var parts: [String] = []
        if count > 0 {
            parts.append("\(countText(count)) of \(counted(types.count, "type", "types"))")
        }
        if dayNotes > 0 { parts.append(counted(dayNotes, "note on a day", "notes on days")) }
        if medications > 0 { parts.append(counted(medications, "medication", "medications")) }
        let sentence =
            parts.isEmpty
            ? "Wrote \(file) without data: nothing was recorded in that period."
            : "Wrote \(parts.joined(separator: " and ")) to \(file)."
        return sentence + "\n" + lossText
    }

    private func daysText(file: String) -> String {
        dayCount == 0
            ? "Wrote \(file) without data: nothing was recorded in that period.\n"
            : "Wrote \(counted(dayCount, "day", "days")) to \(file).\n"
    }

    private func countText(_ count: Int) -> String {
        switch content {
        case .samples: counted(count, "sample", "samples")
        case .intervals: counted(count, "merged interval", "merged intervals")
        case .days: counted(count, "day", "days")
        case .observations: counted(count, "observation", "observations")
        }
    }

    /// A list of the data that the format can't hold, one line for each kind; empty if there is
    /// none.
    var lossText: String {
        text("Not included, because the format can't hold it", losses)
            + text("Included, but without a standard code", unmapped)
    }

    private func text(_ heading: String, _ losses: [Loss]) -> String {
        if losses.isEmpty { return "" }
        let lines = losses.map { loss in
            "  \(NumberText.grouped(Double(loss.count))) \(loss.description)"
                + (loss.names.isEmpty ? "" : " (\(list(loss.names)))")
        }
        return heading + ":\n" + lines.joined(separator: "\n") + "\n"
    }

    /// Returns the first five names on one line, with "…" if there are more.
    private func list(_ names: [String]) -> String {
        let few = names.prefix(5).map(\.printable).joined(separator: ", ")
        return names.count > 5 ? "\(few), …" : few
    }

    func json(file: String, format: ExportFormat) -> JSONText {
        .object([
            "file": .string(file), "format": .string(format.rawValue),
            content.rawValue: .integer(
                content == .days ? dayCount : types.values.reduce(0, +)),
            content == .days ? "columns" : "types": .counts(types),
            "dayNotes": dayNotes > 0 ? .integer(dayNotes) : nil,
            "medications": medications > 0 ? .integer(medications) : nil,
            "notHeld": .array(losses.map(json)),
            "notMapped": unmapped.isEmpty ? nil : .array(unmapped.map(json)),
        ])
    }

    private func json(_ loss: Loss) -> JSONText {
        .object([
            "what": .string(loss.what), "count": .integer(loss.count),
            "description": .string(loss.description),
            "names": loss.names.isEmpty ? nil : .array(loss.names.map(JSONText.string)),
        ])
    }
}
