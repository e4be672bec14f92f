/// Rows of comma-separated values (RFC 4180), each ended by a line feed.
///
/// ```swift
/// CSVText.row(["Anna, \"the Watch\"", "12"])  // "\"Anna, \"\"the Watch\"\"\",12\n"
/// CSVText.row(["=cmd()", "-12"])              // "'=cmd(),-12\n"
/// ```
/// A spreadsheet runs a cell that begins like a formula, and a terminal obeys control characters. No
/// cell that isn't a number can do either: see ``row(_:)``.
public enum CSVText {
    /// One row: cells with a comma, a quote or a line's end stand in quotes, quotes doubled.
    ///
    /// Numbers stay as they are. In any other cell
    /// - an apostrophe is put before a text that begins with `=`, `+`, `-` or `@` (also behind white
    ///   space or quotes, and in full width), or with a tab or a line's end;
    /// - a control character other than a tab or a line's end within the text, and one that changes
    ///   the direction of writing, becomes U+FFFD.
    public static func row(_ cells: [String]) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { text += "," }
            append(isHarmless(cell) ? cell : neutralized(cell), to: &text)
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

// MARK: - What a spreadsheet would run

extension CSVText {
    /// Whether a cell is a number, or plain ASCII that begins with a letter, a digit or a bracket:
    /// nearly all cells are, and the test costs less than a look at their characters.
    private static func isHarmless(_ cell: String) -> Bool {
        guard let first = cell.utf8.first else { return true }
        if isNumber(cell.utf8) { return true }
        switch first {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "{"), UInt8(ascii: "["):
            return cell.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        default: return false
        }
    }

    /// "12", "-0.5", "1e-05": how numbers are written here.
    private static func isNumber(_ bytes: String.UTF8View) -> Bool {
        var rest = bytes[...]
        func digits() -> Bool {
            let count = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.count
            rest = rest.dropFirst(count)
            return count > 0
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        guard digits() else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() else { return false }
        }
        if let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
                rest = rest.dropFirst()
            }
            guard digits() else { return false }
        }
        return rest.isEmpty
    }

    private static func neutralized(_ cell: String) -> String {
        var text = String.UnicodeScalarView()
        if startsFormula(cell.unicodeScalars) { text.append("'") }
        for scalar in cell.unicodeScalars {
            text.append(isObeyed(scalar) ? "\u{FFFD}" : scalar)
        }
        return String(text)
    }

    private static func startsFormula(_ scalars: String.UnicodeScalarView) -> Bool {
        if let first = scalars.first, ["\t", "\r", "\n"].contains(first) { return true }
        let start = scalars.first {
            !$0.properties.isWhitespace && !quotes.contains($0) && !isObeyed($0)
                && $0.properties.generalCategory != .format
        }
        return start.map(formulaStarts.contains) ?? false
    }

    private static let quotes: Set<Unicode.Scalar> = ["\"", "'", "`", "‘", "’", "“", "”"]

    /// With their full-width forms, which some spreadsheets take for the same.
    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    /// Control characters that no text needs, and those that change the direction of writing.
    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: false
        case 0x00..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E,
            0x2066...0x2069:
            true
        default: false
        }
    }
}
