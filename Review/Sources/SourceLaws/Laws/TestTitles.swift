import SwiftSyntax

extension SourceFile {
    /// Tests whose display name isn't a sentence: each `@Test` without a display name, or with one
    /// of fewer than three words.
    var namelessTests: [Violation] {
        all(AttributeSyntax.self)
            .filter { $0.attributeName.trimmedDescription == "Test" && !$0.hasSentence }
            .map { violation("a test without a sentence", at: $0) }
    }
}

extension AttributeSyntax {
    fileprivate var hasSentence: Bool {
        guard case .argumentList(let arguments)? = arguments,
            let title = arguments.first?.expression.as(StringLiteralExprSyntax.self)
        else { return false }
        return title.segments.trimmedDescription.split(separator: " ").count >= 3
    }
}
