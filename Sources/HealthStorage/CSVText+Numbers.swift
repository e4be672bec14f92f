// Cells as programs that guess a column's type from its first rows (DuckDB, pandas) must find them.
extension CSVText {
    /// A number that may have a fraction, always with a decimal point: "842.0", "0.1", "1.0e+21".
    ///
    /// Without the point a column whose first rows are whole numbers is taken for one of integers,
    /// and later fractions are rounded or refused. The digits are the shortest that read back as the
    /// same double. Empty for what is not finite.
    public static func decimal(_ value: Double) -> String {
        guard value.isFinite else { return "" }
        let text: String = JSONText.number(value)
        if text.utf8.contains(UInt8(ascii: ".")) { return text }
        guard let mark = text.firstIndex(of: "e") else { return text + ".0" }
        return text[..<mark] + ".0" + text[mark...]
    }

    /// A version behind an apostrophe, the sign for text in spreadsheets: "'10.10".
    ///
    /// Quotes do not help: a reader that guesses types takes "10.10" in quotes for the number 10.1 as
    /// well.
    public static func version(_ text: String) -> String { text.isEmpty ? "" : "'" + text }
}
