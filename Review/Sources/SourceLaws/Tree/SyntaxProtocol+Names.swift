import SwiftSyntax

extension FunctionCallExprSyntax {
    /// The called function: "print" in `print(x)` and `Swift.print(x)`; nil for a method call.
    var freeFunction: String? {
        if let name = calledExpression.as(DeclReferenceExprSyntax.self) {
            return name.baseName.text
        }
        guard let member = calledExpression.as(MemberAccessExprSyntax.self),
            member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text == "Swift"
        else { return nil }
        return member.declName.baseName.text
    }

    /// The called method: "fetchAll" in `Row.fetchAll(db)`; nil for a free function.
    var method: String? {
        calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }

    /// Returns whether the call creates a value without arguments: `Date()`, `Date.init()`.
    func makes(_ type: String) -> Bool {
        guard arguments.isEmpty else { return false }
        if freeFunction == type { return true }
        guard let member = calledExpression.as(MemberAccessExprSyntax.self) else { return false }
        return member.path == type + ".init"
    }
}

extension MemberAccessExprSyntax {
    /// The path "Date.now" if the base is a plain name, else nil.
    var path: String? {
        guard let base = base?.as(DeclReferenceExprSyntax.self) else { return nil }
        return base.baseName.text + "." + declName.baseName.text
    }
}

extension ExprSyntax {
    /// The expression without surrounding parentheses.
    var unwrapped: ExprSyntax {
        guard let tuple = self.as(TupleExprSyntax.self), tuple.elements.count == 1,
            let only = tuple.elements.first, only.label == nil
        else { return self }
        return only.expression.unwrapped
    }
}

extension SyntaxProtocol {
    /// Returns the first non-nil result for this node and its ancestors, the innermost first.
    func nearest<Node>(_ find: (Syntax) -> Node?) -> Node? {
        var place: Syntax? = Syntax(self)
        while let current = place {
            if let found = find(current) { return found }
            place = current.parent
        }
        return nil
    }
}
