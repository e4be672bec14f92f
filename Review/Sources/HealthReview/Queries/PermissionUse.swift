import SwiftSyntax

/// What a target does with a variable or a stored key that holds a request's success.
enum PermissionUse: Sendable {
    /// Nothing that the source shows.
    case unused
    /// It only decides whether data is fetched.
    case gating
    /// It decides what people see or what data means, or is passed on.
    case shown
}

extension Target {
    /// Returns what the target does with a variable, over all values with this name.
    ///
    /// - Complexity: O(files, and uses of the name).
    func permissionUse(ofVariable name: String) -> PermissionUse {
        var all = PermissionUse.unused
        for file in files {
            for node in [name, "$" + name].flatMap({ file.uses.references[$0] ?? [] }) {
                switch Syntax(node).permissionUse {
                case .shown: return .shown
                case .gating: all = .gating
                case .unused: break
                }
            }
        }
        return all
    }

    /// Returns what the target does with a value in UserDefaults, also through `@AppStorage`.
    func permissionUse(ofKey key: String) -> PermissionUse {
        var all = PermissionUse.unused
        for call in Self.readers.flatMap({ index.calls[$0] ?? [] }) {
            guard let argument = call.argument("forKey"), constantText(of: argument) == key else {
                continue
            }
            switch Syntax(call).permissionUse {
            case .shown: return .shown
            case .gating: all = .gating
            case .unused: break
            }
        }
        for file in files where file.uses.names.contains("AppStorage") {
            for (declaration, binding) in file.declarations.types.values.joined()
                .flatMap(\.variables)
            where declaration.attributes.storageKey == key {
                guard let name = binding.boundName else { continue }
                let use = permissionUse(ofVariable: name)
                if use == .shown { return .shown }
                if use == .gating { all = .gating }
            }
        }
        return all
    }

    private static let readers = ["bool", "object", "value", "string", "integer"]

}

extension Syntax {
    /// How a reference to a permission is used, by the code around it.
    fileprivate var permissionUse: PermissionUse {
        if isLogEntry { return .unused }
        var inner = self
        while let outer = inner.parent {
            switch outer.as(SyntaxEnum.self) {
            case .ifExpr(let node):
                return Syntax(node).isInView || Syntax(node.body).showsText
                    || node.elseBody.map { Syntax($0).showsText } == true ? .shown : .gating
            case .guardStmt(let node):
                return Syntax(node.body).showsText ? .shown : .gating
            case .switchExpr(let node):
                return Syntax(node).isInView || Syntax(node.cases).showsText ? .shown : .gating
            case .sequenceExpr(let node):
                if let assignment = Assignment(node) {
                    return isInside(assignment.target) ? .unused : .shown
                }
                if node.elements.contains(where: { $0.is(UnresolvedTernaryExprSyntax.self) }) {
                    return .shown
                }
            case .functionCallExpr(let call):
                if inner.id == Syntax(call.calledExpression).id { break }
                return call.calledName == "onChange" || call.calledName == "set"
                    ? .gating : .shown
            case .returnStmt, .codeBlockItem, .initializerClause, .memberBlockItem: return .gating
            default: break
            }
            inner = outer
        }
        return .unused
    }

    /// Whether the node is in a function or variable that builds a view.
    fileprivate var isInView: Bool {
        var node = self
        while let outer = node.parent {
            if let binding = outer.as(PatternBindingSyntax.self),
                binding.typeAnnotation?.type.is(SomeOrAnyTypeSyntax.self) == true
            {
                return binding.accessorBlock != nil
            }
            if let function = outer.as(FunctionDeclSyntax.self) {
                return function.signature.returnClause?.type.is(SomeOrAnyTypeSyntax.self) ?? false
            }
            // An action is no part of what a view shows.
            if outer.is(ClosureExprSyntax.self), outer.all(AwaitExprSyntax.self).first != nil {
                return false
            }
            node = outer
        }
        return false
    }

    /// Whether code sets a text that isn't a log entry, a key or an error's description.
    fileprivate var showsText: Bool {
        all(StringLiteralExprSyntax.self).contains { literal in
            if Syntax(literal).isLogEntry { return false }
            guard let call = literal.enclosing(FunctionCallExprSyntax.self),
                literal.isInside(call.arguments)
            else { return true }
            let label = literal.parent?.as(LabeledExprSyntax.self)?.label?.text
            return label != "forKey" && !PermissionVocabulary.logs.contains(call.calledName ?? "")
        }
    }
}
