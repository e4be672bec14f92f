import SwiftSyntax

extension SourceFile {
    /// Tests without a sentence as their name: `@Test` without a display name of three or more
    /// words.
    var namelessTests: [Breach] {
        all(AttributeSyntax.self)
            .filter { $0.attributeName.trimmedDescription == "Test" && !$0.hasSentence }
            .map { breach("a test without a sentence", at: $0) }
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
