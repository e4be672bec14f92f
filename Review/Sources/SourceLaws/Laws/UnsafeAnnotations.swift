import SwiftSyntax

extension SourceFile {
    /// Annotations that the compiler can't check, without a comment that gives the reason:
    /// `@unchecked`, `nonisolated(unsafe)` and `unowned(unsafe)`.
    var unexplainedUnsafeAnnotations: [Violation] {
        let unchecked = all(AttributeSyntax.self)
            .filter { $0.attributeName.trimmedDescription == "unchecked" }
            .map { ("@unchecked", Syntax($0)) }
        let modifiers = all(DeclModifierSyntax.self)
            .filter { $0.detail?.detail.text == "unsafe" }
            .map { ("\($0.name.text)(unsafe)", Syntax($0)) }
        let captures = all(ClosureCaptureSpecifierSyntax.self)
            .filter { $0.detail?.text == "unsafe" }
            .map { ("\($0.specifier.text)(unsafe)", Syntax($0)) }
        return (unchecked + modifiers + captures).filter { !isExplained($0.1) }
            .map { violation("\($0.0) without a reason on the line above", at: $0.1) }
    }

    /// Returns whether a comment explains an annotation. The comment directly precedes the
    /// declaration or statement, or is between its start and the annotation.
    private func isExplained(_ annotation: Syntax) -> Bool {
        let item = annotation.nearest { node in
            node.is(CodeBlockItemSyntax.self) || node.is(MemberBlockItemSyntax.self) ? node : nil
        }
        guard let item else { return false }
        return item.tokens(viewMode: .sourceAccurate)
            .prefix { $0.position <= annotation.positionAfterSkippingLeadingTrivia }
            .contains { $0.leadingTrivia.endsWithComment }
    }
}

extension Trivia {
    /// Whether the trivia contains a comment, ordinary or doc, without a blank line after it.
    var endsWithComment: Bool {
        for piece in reversed() {
            switch piece {
            case .lineComment, .blockComment, .docLineComment, .docBlockComment: return true
            case .newlines(let count), .carriageReturnLineFeeds(let count):
                if count > 1 { return false }
            default: break
            }
        }
        return false
    }

    /// Whether the trivia contains a doc comment, without a blank line after it. Ordinary comments
    /// may follow the doc comment.
    var endsWithDocumentation: Bool {
        for piece in reversed() {
            switch piece {
            case .docLineComment, .docBlockComment: return true
            case .newlines(let count), .carriageReturnLineFeeds(let count):
                if count > 1 { return false }
            default: break
            }
        }
        return false
    }
}
