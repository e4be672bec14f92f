/// Rows of comma-separated values (RFC 4180), each ended by a line feed.
///
/// ```swift
/// CSVText.row(["Anna, \"the Watch\"", "12"])  // "\"Anna, \"\"the Watch\"\"\",12\n"
/// CSVText.row(["=cmd()", "-12"])              // "'=cmd(),-12\n"
/// ```
/// Spreadsheets evaluate cells that look like formulas, and terminals interpret control characters.
/// Cells other than numbers are escaped accordingly, see ``row(_:)``.
package enum CSVText {
    /// Returns one row. Cells with a comma, a quote or a line break are quoted, with quotes
    /// doubled.
    ///
    /// Numbers don't change. In all other cells:
    /// - an apostrophe is inserted before a text that begins with a tab or a line break, or with
    ///   `=`, `+`, `-`, `@` or one of their full-width forms. Leading white space, quotes, control
    ///   characters and format characters are skipped before these signs;
    /// - control characters other than tabs and line breaks, the separators U+2028 and U+2029, and
    ///   characters that change the writing direction are replaced with U+FFFD.
    ///
    /// - Parameter cells: The unescaped cells.
    /// - Returns: The row with a final line feed.
    package static func row(_ cells: [String]) -> String {
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

// MARK: - Formula injection

extension CSVText {
    /// Returns whether a cell needs no apostrophe or replacement: an empty one, a number, or
    /// printable ASCII that begins with a letter, a digit, `{` or `[`. This is a fast path for
    /// nearly all cells.
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

    /// Returns whether a text is a decimal number, such as "12", "-0.5" or "1e-05".
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
            text.append(isInterpreted(scalar) ? "\u{FFFD}" : scalar)
        }
        return String(text)
    }

    private static func startsFormula(_ scalars: String.UnicodeScalarView) -> Bool {
        if let first = scalars.first, ["\t", "\r", "\n"].contains(first) { return true }
        let start = scalars.first {
            !$0.properties.isWhitespace && !quotes.contains($0) && !isInterpreted($0)
                && $0.properties.generalCategory != .format
        }
        return start.map(formulaStarts.contains) ?? false
    }

    private static let quotes: Set<Unicode.Scalar> = ["\"", "'", "`", "‘", "’", "“", "”"]

    /// Characters that begin a formula, with the full-width forms that some spreadsheets accept.
    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]

    /// Returns whether a scalar is a control character, except tabs and line breaks, is the line or
    /// paragraph separator (U+2028, U+2029), or changes the writing direction.
    private static func isInterpreted(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: false
        case 0x00..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E,
            0x2066...0x2069:
            true
        default: false
        }
    }
}

// Cells for programs that infer the type of a column from its first rows, such as DuckDB and
// pandas.
extension CSVText {
    /// Returns a number with a decimal point: "842.0", "0.1", "1.0e+21".
    ///
    /// Without the point, a column that starts with whole numbers is read as integers, and later
    /// fractions are rounded or rejected. The digits are the shortest that parse to the same
    /// double.
    ///
    /// - Parameter value: The number.
    /// - Returns: The text; empty for a number that isn't finite.
    package static func decimal(_ value: Double) -> String {
        guard value.isFinite else { return "" }
        let text: String = JSONText.number(value)
        if text.utf8.contains(UInt8(ascii: ".")) { return text }
        guard let mark = text.firstIndex(of: "e") else { return text + ".0" }
        return text[..<mark] + ".0" + text[mark...]
    }

    /// Returns ``decimal(_:)`` of a number; empty for nil.
    package static func number(_ value: Double?) -> String { value.map(decimal) ?? "" }

    /// Returns a version with an apostrophe, with which spreadsheets mark text: "'10.10".
    ///
    /// Quotes don't help: a reader that infers types reads "10.10" in quotes as the number 10.1,
    /// too.
    ///
    /// - Parameter text: The version.
    /// - Returns: The text with an apostrophe; empty for an empty version.
    package static func version(_ text: String) -> String { text.isEmpty ? "" : "'" + text }
}
