import HealthDashboard

/// A text table with numbers aligned right and words aligned left.
struct Table {
    enum Alignment { case left, right }

    struct Column {
        var title: String
        var alignment: Alignment
        /// The maximum width in terminal columns. Longer cells are truncated.
        var maximumWidth: Int

        static func text(_ title: String, maximumWidth: Int = 28) -> Column {
            Column(title: title, alignment: .left, maximumWidth: maximumWidth)
        }

        static func number(_ title: String) -> Column {
            Column(title: title, alignment: .right, maximumWidth: 40)
        }
    }

    var columns: [Column]
    var rows: [[String]] = []
    private var rules: Set<Int> = []

    init(_ columns: [Column]) { self.columns = columns }

    /// Adds a line before the next row, which is a total.
    mutating func addRule() { rules.insert(rows.count) }

    /// The table with its header, one line for each row.
    var text: String {
        let cells = rows.map { row in
            zip(row, columns).map { $0.printable.cut(to: $1.maximumWidth) }
        }
        let widths = columns.indices.map { column in
            ([columns[column].title] + cells.map { $0[column] }).map(\.displayWidth).max() ?? 0
        }
        var lines = [line(columns.map(\.title), widths)]
        for (index, row) in cells.enumerated() {
            if rules.contains(index) {
                lines.append(
                    widths.map { String(repeating: "─", count: $0) }.joined(separator: "  "))
            }
            lines.append(line(row, widths))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { text += "  " }
            text += cell.padded(to: widths[index], columns[index].alignment)
        }
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}

extension String {
    /// Pads the text with spaces to a width in terminal columns.
    func padded(to width: Int, _ alignment: Table.Alignment = .left) -> String {
        let space = String(repeating: " ", count: max(0, width - displayWidth))
        return alignment == .left ? self + space : space + self
    }

    /// Truncates the text to a width in terminal columns, with "…" at the end.
    func cut(to width: Int) -> String {
        guard displayWidth > width else { return self }
        var text = ""
        var used = 0
        for character in self {
            let next = used + String(character).displayWidth
            if next > width - 1 { break }
            text.append(character)
            used = next
        }
        return text + "…"
    }

    /// The width of the text in terminal columns.
    var displayWidth: Int {
        reduce(0) { $0 + $1.cells }
    }

    /// The text in one line: characters that move the cursor or change the text direction become
    /// U+FFFD, and U+00A0 becomes a space.
    var printable: String { PrintableText.text(self) }
}

extension Character {
    /// The width in terminal columns: two for East Asian characters and emoji, none for combining
    /// marks.
    fileprivate var cells: Int {
        guard let first = unicodeScalars.first else { return 0 }
        switch first.value {
        case 0x20...0x7E: return unicodeScalars.contains { $0.value == 0xFE0F } ? 2 : 1
        case 0x300...0x36F, 0x200B...0x200F, 0xFE00...0xFE0F: return 0
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return unicodeScalars.contains { $0.value == 0xFE0F } ? 2 : 1
        }
    }
}
