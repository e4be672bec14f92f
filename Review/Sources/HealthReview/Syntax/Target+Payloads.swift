import SwiftSyntax

extension Target {
    /// Returns the value that a `case .success(let name)` around a node matches: `result` in
    /// `switch result`, in `if case .success(let name) = result` and in `guard case …`.
    func successSubject(of name: String, at node: some SyntaxProtocol) -> ExprSyntax? {
        var inner = Syntax(node)
        while let outer = inner.parent {
            switch outer.as(SyntaxEnum.self) {
            case .switchCase(let branch):
                if branch.label.takesSuccess(name) {
                    return branch.enclosing(SwitchExprSyntax.self)?.subject
                }
            case .ifExpr(let branch):
                if let value = branch.conditions.successSubject(of: name) { return value }
            case .codeBlockItemList(let items):
                for item in items where item.position < inner.position {
                    if let guardStatement = item.item.as(GuardStmtSyntax.self),
                        let value = guardStatement.conditions.successSubject(of: name)
                    {
                        return value
                    }
                }
            case .functionDecl, .initializerDecl: return nil
            default: break
            }
            inner = outer
        }
        return nil
    }
}

extension Target {
    /// Returns the list in `for (index, sample) in samples.enumerated()`, for the second name.
    func enumeratedList(of name: String, at node: some SyntaxProtocol) -> ExprSyntax? {
        var place = node.enclosing(ForStmtSyntax.self)
        while let loop = place {
            if let names = loop.pattern.as(TuplePatternSyntax.self)?.elements, names.count == 2,
                names.last?.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name,
                let call = loop.sequence.bare.as(FunctionCallExprSyntax.self),
                call.calledName == "enumerated"
            {
                return call.base
            }
            place = loop.enclosing(ForStmtSyntax.self)
        }
        return nil
    }

    /// Returns whether an index is a loop variable.
    func isCounter(_ index: ExprSyntax?) -> Bool {
        guard let index, let name = index.bare.ownName else { return false }
        if case .element = binding(name, at: index) { return true }
        return false
    }
}

extension ConditionElementListSyntax {
    fileprivate func successSubject(of name: String) -> ExprSyntax? {
        for element in self {
            if let matching = element.condition.as(MatchingPatternConditionSyntax.self),
                matching.pattern.takesSuccess(name)
            {
                return matching.initializer.value
            }
        }
        return nil
    }
}

extension SyntaxProtocol {
    /// Returns whether this is or contains the pattern `.success(let name)`.
    fileprivate func takesSuccess(_ name: String) -> Bool {
        let nodes = Syntax(self).descendants
        return nodes.contains { $0.as(IdentifierPatternSyntax.self)?.identifier.text == name }
            && nodes.contains {
                $0.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "success"
            }
    }
}
