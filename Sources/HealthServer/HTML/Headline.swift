import Foundation

/// A page's main result, under its title.
package enum Headline: Hashable, Sendable {
    /// A sentence.
    case sentence(String)
    /// A sentence that begins with a number, such as "8,774 steps, Wednesday 30 September". The number is
    /// drawn larger, so no card repeats it.
    case value(String)

    /// Whether a number is drawn large.
    var hasValue: Bool {
        if case .value(let text) = self { text.first?.isNumber ?? false } else { false }
    }

    /// The paragraphs. The parts of a total after its first sentence, separated by middle dots, get a
    /// smaller one, as does what follows "No steps, Saturday 19 September."
    var html: HTML {
        let (text, isValue) =
            switch self {
            case .sentence(let text): (text, false)
            case .value(let text): (text, hasValue)
            }
        guard text.contains(" · ") || text.hasPrefix("No "), let end = text.range(of: ". ") else {
            return "<p class=\"answer\">\(isValue ? Self.emphasized(text) : "\(text)")</p>"
        }
        let (total, parts) = (String(text[..<end.lowerBound]), text[end.upperBound...])
        return """
            <p class="answer">\(isValue ? Self.emphasized(total) : "\(total)")</p>
            <p class="parts">\(String(parts))</p>
            """
    }

    private static func emphasized(_ text: String) -> HTML {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return "<b>\(text)</b>" }
        return "<b>\(parts[0])</b> \(parts[1])"
    }
}
