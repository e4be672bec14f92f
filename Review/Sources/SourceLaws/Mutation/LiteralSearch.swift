import SwiftSyntax

/// Finds the first literal whose change affects a value: a string, or an integer directly after
/// `=` or `<<`. Strings with spaces are messages, which describe an error and aren't a value.
final class LiteralSearch: SyntaxVisitor {
    private var found: SourceChange?

    static func edit(in node: some SyntaxProtocol) -> SourceChange? {
        let search = LiteralSearch(viewMode: .sourceAccurate)
        search.walk(node)
        return search.found
    }

    /// Literals in attributes aren't values.
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard found == nil else { return .skipChildren }
        let text = node.trimmedDescription
        if text.contains(" ") { return .skipChildren }
        if node.openingQuote.tokenKind == .multilineStringQuote {
            let place = node.segments.positionAfterSkippingLeadingTrivia
            found = SourceChange(
                range: place..<place, replacement: "X", summary: "X before \(text.prefix(20))")
        } else {
            let close = node.closingQuote.trimmedDescription
            replace(
                Syntax(node), with: text.dropLast(close.count) + "X" + close,
                summary: "X at the end of \(text)")
        }
        return .skipChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        guard found == nil else { return .skipChildren }
        let value =
            node.parent?.is(PrefixOperatorExprSyntax.self) == true ? node.parent : Syntax(node)
        let before = value?.previousToken(viewMode: .sourceAccurate)
        switch before?.text {
        case "=": replace(value, with: "91234")
        case "<<": replace(Syntax(node), with: "21")
        default: break
        }
        return .skipChildren
    }

    private func replace(
        _ node: Syntax?, with literal: some StringProtocol, summary: String? = nil
    ) {
        guard let node else { return }
        let text = node.trimmedDescription
        let range = node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia
        let switched = "(\(SwitchedChange.condition) ? \(literal) : \(text))"
        found = SourceChange(
            range: range, replacement: String(literal),
            summary: summary ?? "\(literal) for \(text)",
            switched: SwitchedChange(range: range, replacement: switched))
    }
}
