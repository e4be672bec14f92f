/// A QR code (ISO/IEC 18004) of a text, in byte mode.
///
/// ```swift
/// if let code = QRCode("https://example.org") { print(QRCodeText.terminal(code, .plain)) }
/// ```
struct QRCode {
    /// How many damaged codewords can be corrected.
    enum Level: Int {
        /// About 7 %.
        case low = 1
        /// About 15 %.
        case medium = 0
    }

    /// The version, from 1 to 40, which determines the size.
    let version: Int
    let level: Level
    /// The number of the mask pattern, from 0 to 7.
    let mask: Int
    /// The number of modules of each side.
    var size: Int { modules.size }
    private var modules: QRModules

    /// Creates the smallest code of a text.
    ///
    /// - Parameters:
    ///   - text: The text, encoded as UTF-8.
    ///   - level: The error correction.
    ///   - mask: The number of the mask; nil for the one with the fewest misleading patterns.
    /// - Returns: nil if the text is too long for version 40.
    init?(_ text: String, level: Level = .low, mask wanted: Int? = nil) {
        guard let data = QRCodewords(Array(text.utf8), level: level) else { return nil }
        version = data.version
        self.level = level
        var blank = QRModules(version: version)
        blank.draw(data.interleaved)
        var best: (mask: Int, modules: QRModules, penalty: Int)?
        for mask in wanted.map({ [$0] }) ?? Array(0..<8) {
            var modules = blank
            modules.apply(mask: mask)
            modules.drawFormat(level: level.rawValue, mask: mask)
            let penalty = wanted == nil ? modules.penalty : 0
            if best.map({ penalty < $0.penalty }) ?? true { best = (mask, modules, penalty) }
        }
        guard let best else { return nil }
        (mask, modules) = (best.mask, best.modules)
    }

    /// Returns whether a module is dark; false outside the code.
    func isDark(_ row: Int, _ column: Int) -> Bool {
        guard (0..<size).contains(row), (0..<size).contains(column) else { return false }
        return modules[row, column]
    }
}

/// Draws a code with the half blocks of a terminal: each character is two modules.
enum QRCodeText {
    /// The width of the light border that scanners need.
    private static let border = 4

    /// Returns the number of columns of a code in a terminal.
    static func width(_ code: QRCode) -> Int { code.size + 2 * border }

    /// Returns the code as lines.
    ///
    /// With colours it is black on white. Without, its light modules are drawn, which suits a dark
    /// background.
    static func terminal(_ code: QRCode, _ style: TerminalStyle) -> String {
        var text = ""
        let range = -border..<code.size + border
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            var line = ""
            for column in range {
                let isDrawn = (0...1).map { offset in
                    let isDark = code.isDark(row + offset, column)
                    // The last line can have only an upper half.
                    let isInside = row + offset < range.upperBound
                    return style == .colored ? isDark : !isDark && isInside
                }
                switch (isDrawn[0], isDrawn[1]) {
                case (true, true): line += "█"
                case (true, false): line += "▀"
                case (false, true): line += "▄"
                case (false, false): line += " "
                }
            }
            text += style == .colored ? "\u{1B}[30;107m\(line)\u{1B}[0m\n" : line + "\n"
        }
        return text
    }
}
