import HealthDashboard
import HealthEngine
import HealthStorage

/// What went out, by type, and what could not.
struct ExportReport {
    /// Something the format has no place for.
    struct Loss {
        /// Its name in JSON.
        var what: String
        /// What stands behind the count.
        var description: String
        var count: Int
        var names: [String] = []
    }

    /// What files of rows don't hold.
    enum RowLoss: String {
        case routePoints, files, rawElements

        var description: String {
            switch self {
            case .routePoints: "routes point by point; jsonl, sqlite and apple do"
            case .files: "electrocardiograms, clinical records and attachments; apple does"
            case .rawElements: "elements kept as they stood in an import; apple does"
            }
        }
    }

    /// By identifier.
    var types: [String: Int] = [:]
    var losses: [Loss] = []
    var unit = "sample"
    var units = "samples"

    mutating func count(_ exported: ExportedBatch) {
        types[exported.type.identifier, default: 0] += exported.batch.samples.count
    }

    mutating func add(_ loss: RowLoss, _ count: Int) {
        if count == 0 { return }
        losses.append(
            Loss(what: loss.rawValue, description: loss.description, count: count))
    }

    func text(file: String) -> String {
        let count = types.values.reduce(0, +)
        let sentence =
            count == 0
            ? "\(file) is empty: nothing was recorded in that time."
            : "\(counted(count, unit, units)) of \(counted(types.count, "type", "types")) "
                + (count == 1 ? "is" : "are") + " in \(file)."
        return sentence + "\n" + lossText
    }

    /// What the format doesn't hold, line by line; empty if it holds everything.
    var lossText: String {
        if losses.isEmpty { return "" }
        let lines = losses.map { loss in
            "  \(NumberText.grouped(Double(loss.count))) \(loss.description)"
                + (loss.names.isEmpty ? "" : " (\(list(loss.names)))")
        }
        return "The format does not hold:\n" + lines.joined(separator: "\n") + "\n"
    }

    /// The first few, on one line.
    private func list(_ names: [String]) -> String {
        let few = names.prefix(5).map(\.printable).joined(separator: ", ")
        return names.count > 5 ? "\(few), …" : few
    }

    func json(file: String, format: ExportFormat) -> JSONText {
        .object([
            "file": .string(file), "format": .string(format.rawValue),
            units: .integer(types.values.reduce(0, +)), "types": .counts(types),
            "notHeld": .array(losses.map(json)),
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
