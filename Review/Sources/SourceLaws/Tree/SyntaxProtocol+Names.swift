import SwiftSyntax

extension FunctionCallExprSyntax {
    /// The called name, if it has no base or the base `Swift`: "print" for `print(x)` and
    /// `Swift.print(x)`, "Date" for `Date()`. Nil for other calls, such as `list.sort()`.
    var freeFunction: String? {
        if let name = calledExpression.as(DeclReferenceExprSyntax.self) {
            return name.baseName.text
        }
        guard let member = calledExpression.as(MemberAccessExprSyntax.self),
            member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text == "Swift"
        else { return nil }
        return member.declName.baseName.text
    }

    /// The name after the dot: "fetchAll" for `Row.fetchAll(db)`, "random" for `.random()`. Nil for
    /// calls without a dot, such as `print(x)`.
    var method: String? {
        calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }

    /// Returns whether the call creates a value of a type without arguments: `Date()` or
    /// `Date.init()` for "Date".
    func makes(_ type: String) -> Bool {
        guard arguments.isEmpty else { return false }
        if freeFunction == type { return true }
        guard let member = calledExpression.as(MemberAccessExprSyntax.self) else { return false }
        return member.path == type + ".init"
    }
}

extension MemberAccessExprSyntax {
    /// The base and the member, joined by a dot: "Date.now". Nil if the base isn't a plain
    /// name, as in `a.b.c`, or is missing, as in `.now`.
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
