/// Sanitizes names for one line of text.
package enum PrintableText {
    /// Replaces control characters, format characters, and line and paragraph separators with
    /// U+FFFD, and U+00A0 with a space. The joiners U+200C and U+200D are kept.
    package static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isUnprintable($0) || $0.value == 0xA0 }) else {
            return text
        }
        var printable = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            printable.append(
                scalar.value == 0xA0 ? " " : isUnprintable(scalar) ? "\u{FFFD}" : scalar)
        }
        return String(printable)
    }

    /// Returns a printable name of at most 60 characters: a longer one is cut and ends with "…".
    /// The result is "unnamed source" for a name without visible characters.
    package static func name(_ name: String) -> String {
        let printable = text(name)
        if printable.allSatisfy({ $0.isWhitespace || $0 == "\u{FFFD}" }) {
            return "unnamed source"
        }
        return printable.count <= 60 ? printable : printable.prefix(59) + "…"
    }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        case .format: !(scalar.value == 0x200D || scalar.value == 0x200C)
        default: false
        }
    }
}
