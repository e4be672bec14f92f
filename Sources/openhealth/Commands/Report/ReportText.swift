import HealthDashboard
import HealthServer

/// The text output of `report`, in at most 80 columns.
struct ReportText {
    let page: ReportPage
    let style: TerminalStyle

    private static let width = 80
    private static let indentation = "  "
    /// The width of the labels before the values.
    private static let labelWidth = 28

    var text: String {
        var parts = [Self.lines(page.sentence, Self.width)]
        if let words = page.words {
            let rows = words.split(separator: "\n").flatMap { Self.indented(String($0)) }
            parts.append([style.strong(ReportPage.wordsTitle)] + rows)
        }
        for section in page.sections {
            let rows = page.facts(of: section).flatMap { row(of: $0) }
            parts.append([style.strong(section.kind.title)] + rows)
        }
        parts.append(
            page.method.flatMap { Self.lines($0, Self.width) }.map { style.quiet($0) })
        return parts.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    /// The label and the value side by side; one above the other if the label is long.
    private func row(of fact: ReportFact) -> [String] {
        let label = fact.label.words.printable
        let value = fact.value.map(\.words.printable).joined()
        let margin = Self.indentation.count + Self.labelWidth
        let values = Self.lines(value, Self.width - margin)
        let rest = values.map { String(repeating: " ", count: margin) + $0 }
        if label.displayWidth >= Self.labelWidth { return Self.indented(label) + rest }
        let first = Self.indentation + label.padded(to: Self.labelWidth) + (values.first ?? "")
        return [first] + rest.dropFirst()
    }

    private static func indented(_ text: String) -> [String] {
        lines(text.printable, width - indentation.count).map { indentation + $0 }
    }

    /// Breaks a text into lines at spaces, and in words that are longer than a line.
    private static func lines(_ text: String, _ width: Int) -> [String] {
        let words = text.split(separator: " ").flatMap { broken(String($0), width) }
        return words.joined(separator: " ").wrapped(to: width)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Breaks a word into parts that fit a line.
    private static func broken(_ word: String, _ width: Int) -> [String] {
        guard word.displayWidth > width else { return [word] }
        var parts = [""]
        var used = 0
        for character in word {
            let next = String(character).displayWidth
            if used + next > width {
                parts.append("")
                used = 0
            }
            parts[parts.count - 1].append(character)
            used += next
        }
        return parts
    }
}
