import SwiftSyntax

/// Finds the first literal whose change affects a value: a string, or an integer directly after
/// `=` or `<<`.
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
        let isOfLines = node.openingQuote.tokenKind == .multilineStringQuote
        let place =
            isOfLines
            ? node.segments.positionAfterSkippingLeadingTrivia
            : node.closingQuote.positionAfterSkippingLeadingTrivia
        let text = node.trimmedDescription
        found = SourceChange(
            range: place..<place, replacement: "X",
            summary: isOfLines ? "X before \(text.prefix(20))" : "X at the end of \(text)")
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

    private func replace(_ node: Syntax?, with number: String) {
        guard let node else { return }
        found = SourceChange(
            range: node.positionAfterSkippingLeadingTrivia..<node.endPositionBeforeTrailingTrivia,
            replacement: number, summary: "\(number) for \(node.trimmedDescription)")
    }
}
