import SwiftParser
import SwiftSyntax

extension ExprSyntax {
    /// `anchor` of `anchor`, `self.anchor`, `self?.anchor` and `Self.anchor`.
    var ownName: String? {
        if let name = self.as(DeclReferenceExprSyntax.self) { return name.baseName.text }
        if let member = self.as(MemberAccessExprSyntax.self), let base = member.base,
            base.bare.isOwn
        {
            return member.declName.baseName.text
        }
        return nil
    }

    /// `store` of `manager.store`, of `.store` and of `store`.
    var lastName: String? {
        self.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? self.as(DeclReferenceExprSyntax.self)?.baseName.text
    }

    /// The text of a string literal without interpolations.
    var plainString: String? {
        self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }

    /// `self` or `Self`.
    var isOwn: Bool {
        guard let name = self.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind else {
            return false
        }
        return name == .keyword(.self) || name == .keyword(.Self)
    }

    /// Without `try`, `await`, parentheses, `!`, `?` and casts around it.
    var bare: ExprSyntax {
        var expression = self
        while let inner = expression.wrapped { expression = inner }
        return expression
    }

    private var wrapped: ExprSyntax? {
        switch self.as(ExprSyntaxEnum.self) {
        case .tryExpr(let node): return node.expression
        case .awaitExpr(let node): return node.expression
        case .forceUnwrapExpr(let node): return node.expression
        case .optionalChainingExpr(let node): return node.expression
        case .asExpr(let node): return node.expression
        case .tupleExpr(let node):
            guard node.elements.count == 1, let only = node.elements.first, only.label == nil
            else { return nil }
            return only.expression
        case .sequenceExpr(let node):
            // `x as? Y`: the tree is unfolded.
            let elements = Array(node.elements)
            guard elements.count == 3, elements[1].is(UnresolvedAsExprSyntax.self) else {
                return nil
            }
            return elements[0]
        default: return nil
        }
    }
}
