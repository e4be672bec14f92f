import Foundation

/// Colour on a terminal: a colour is a source, by rank (Okabe–Ito, safe for colour-blind people).
enum Ink {
    case plain
    case colored

    /// Colour only on a terminal, and not under `NO_COLOR`.
    static func standardOutput(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Ink {
        if let noColor = environment["NO_COLOR"], !noColor.isEmpty { return .plain }
        if environment["TERM"] == "dumb" { return .plain }
        return isatty(STDOUT_FILENO) == 1 ? .colored : .plain
    }

    /// Blue, orange, green, pink, sky, vermilion in the terminal's palette of 256.
    private static let palette = [25, 178, 36, 175, 74, 166]

    /// Text in the colour of the source of a rank, 1 being the first.
    func source(_ text: String, rank: Int) -> String {
        paint(text, "38;5;\(Ink.palette[max(0, rank - 1) % Ink.palette.count])")
    }

    func quiet(_ text: String) -> String { paint(text, "90") }
    func strong(_ text: String) -> String { paint(text, "1") }

    private func paint(_ text: String, _ code: String) -> String {
        self == .plain || text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
