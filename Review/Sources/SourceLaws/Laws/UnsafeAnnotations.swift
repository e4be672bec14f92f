import SwiftSyntax

extension SourceFile {
    /// Concurrency claims that the compiler can't check, without a comment above that justifies
    /// them.
    var unexplainedClaims: [Breach] {
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
            .map { breach("\($0.0) without a reason on the line above", at: $0.1) }
    }

    /// Returns whether a comment directly precedes the declaration or statement with the claim, or
    /// is among the attributes before it.
    private func isExplained(_ claim: Syntax) -> Bool {
        let item = claim.nearest { node in
            node.is(CodeBlockItemSyntax.self) || node.is(MemberBlockItemSyntax.self) ? node : nil
        }
        guard let item else { return false }
        return item.tokens(viewMode: .sourceAccurate)
            .prefix { $0.position <= claim.positionAfterSkippingLeadingTrivia }
            .contains { $0.leadingTrivia.endsWithComment }
    }
}

extension Trivia {
    /// Whether the trivia ends with a comment, without a blank line after it.
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

    /// Whether the trivia ends with a doc comment. Ordinary comments after it are ignored.
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
