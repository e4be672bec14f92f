import Foundation

/// Colours in a terminal. A source's rank determines its colour, from the palette of Okabe and Ito,
/// which people with colour blindness can distinguish.
enum TerminalStyle {
    case plain
    case colored

    /// Returns `colored` if standard output is a terminal, unless `NO_COLOR` is set and not empty,
    /// or `TERM` is "dumb".
    static func standardOutput(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> TerminalStyle {
        if let noColor = environment["NO_COLOR"], !noColor.isEmpty { return .plain }
        if environment["TERM"] == "dumb" { return .plain }
        return isatty(STDOUT_FILENO) == 1 ? .colored : .plain
    }

    /// Blue, orange, green, pink, sky blue and vermilion in the palette of 256 colours. They repeat
    /// from rank 7 on.
    private static let palette = [25, 178, 36, 175, 74, 166]

    /// Returns text in the colour of a source's rank, counted from 1.
    func source(_ text: String, rank: Int) -> String {
        paint(text, "38;5;\(TerminalStyle.palette[max(0, rank - 1) % TerminalStyle.palette.count])")
    }

    func quiet(_ text: String) -> String { paint(text, "90") }
    func strong(_ text: String) -> String { paint(text, "1") }

    private func paint(_ text: String, _ code: String) -> String {
        self == .plain || text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
