import SwiftParser
import SwiftSyntax

extension ExprSyntax {
    /// The name of a value or own member: `anchor` in `anchor`, `self.anchor`, `self?.anchor` and
    /// `Self.anchor`.
    var ownName: String? {
        if let name = self.as(DeclReferenceExprSyntax.self) { return name.baseName.text }
        if let member = self.as(MemberAccessExprSyntax.self), let base = member.base,
            base.bare.isOwn
        {
            return member.declName.baseName.text
        }
        return nil
    }

    /// The last name in a chain: `store` in `manager.store`, `.store` and `store`.
    var lastName: String? {
        self.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? self.as(DeclReferenceExprSyntax.self)?.baseName.text
    }

    /// The text of a string literal without interpolations.
    var plainString: String? {
        self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }

    /// Whether the expression is `self` or `Self`.
    var isOwn: Bool {
        guard let name = self.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind else {
            return false
        }
        return name == .keyword(.self) || name == .keyword(.Self)
    }

    /// The expression without the surrounding `try`, `await`, parentheses, `!`, `?` and casts.
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
            // `x as? Y`: operators are unfolded in the tree.
            let elements = Array(node.elements)
            guard elements.count == 3, elements[1].is(UnresolvedAsExprSyntax.self) else {
                return nil
            }
            return elements[0]
        default: return nil
        }
    }
}
