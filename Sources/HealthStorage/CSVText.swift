/// Rows of comma-separated values (RFC 4180), each ended by a line feed.
///
/// ```swift
/// CSVText.row(["Anna, \"the Watch\"", "12"])  // "\"Anna, \"\"the Watch\"\"\",12\n"
/// ```
public enum CSVText {
    /// One row: cells with a comma, a quote or a line's end stand in quotes, quotes doubled.
    public static func row(_ cells: [String]) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { text += "," }
            append(cell, to: &text)
        }
        text += "\n"
        return text
    }

    private static func append(_ cell: String, to text: inout String) {
        let needsQuotes = cell.utf8.contains {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 0x0A || $0 == 0x0D
        }
        if !needsQuotes {
            text += cell
            return
        }
        text += "\""
        for scalar in cell.unicodeScalars {
            if scalar == "\"" { text += "\"" }
            text.unicodeScalars.append(scalar)
        }
        text += "\""
    }
}
