package import HealthEngine

/// What a person wrote about a day.
package struct DayNote: Hashable, Sendable {
    /// The maximum number of characters of a note, counted as Unicode scalars.
    package static let maximumLength = 2_000
    /// The maximum number of notes in a store.
    package static let maximumCount = 20_000

    /// The day, a date without a time zone.
    package var day: CivilDate
    /// The text, which is never empty. Its lines are separated by line feeds.
    package var text: String
    /// When the text was written, in seconds since 2001-01-01T00:00:00Z.
    package var modified: Double

    /// Creates a note.
    ///
    /// - Parameters:
    ///   - day: The day, a date without a time zone.
    ///   - text: The text.
    ///   - modified: When the text was written, in seconds since 2001-01-01T00:00:00Z.
    package init(day: CivilDate, text: String, modified: Double) {
        self.day = day
        self.text = text
        self.modified = modified
    }

    /// Returns a text in the form in which it is stored: with line feeds as the only line ends,
    /// without other control characters except tabs, and without white space at both ends. SQLite
    /// and other programs end a text at a NUL.
    static func normalized(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            // Forms end lines with CR LF.
            case "\n" where isAfterReturn: break
            case "\r", "\n", "\u{85}", "\u{2028}", "\u{2029}": scalars.append("\n")
            case "\t": scalars.append(scalar)
            default:
                if scalar.properties.generalCategory != .control { scalars.append(scalar) }
            }
            isAfterReturn = scalar == "\r"
        }
        let rest = scalars.drop { $0.properties.isWhitespace }
        guard let last = rest.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(rest[...last])
    }
}
