import HealthDashboard

/// Rows of comma-separated values (RFC 4180), each ended by a line feed.
enum CSVText {
    static func row(_ cells: [String]) -> String {
        cells.map(quoted).joined(separator: ",") + "\n"
    }

    static func number(_ value: Double?) -> String {
        value.flatMap { $0.isFinite ? NumberText.shortest($0) : nil } ?? ""
    }

    private static func quoted(_ cell: String) -> String {
        let needsQuotes = cell.utf8.contains {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
        }
        return needsQuotes ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
    }
}
