import SwiftSyntax

extension SyntaxProtocol {
    /// Returns the nearest enclosing node of a kind.
    func enclosing<Node: SyntaxProtocol>(_ kind: Node.Type) -> Node? {
        var node = parent
        while let current = node {
            if let found = current.as(Node.self) { return found }
            node = current.parent
        }
        return nil
    }

    /// The nearest function, initializer, accessor or closure around this node, or else the file.
    var enclosingBody: Syntax {
        var node = Syntax(self)
        while let parent = node.parent {
            switch parent.kind {
            case .functionDecl, .initializerDecl, .deinitializerDecl, .accessorDecl, .closureExpr,
                .sourceFile:
                return parent
            default: node = parent
            }
        }
        return node
    }

    /// The function, initializer or accessor around this node, outside closures; or the member or
    /// global variable whose initial value contains it; or else the file.
    var enclosingFunction: Syntax {
        var node = Syntax(self)
        while let parent = node.parent {
            switch parent.kind {
            case .functionDecl, .initializerDecl, .deinitializerDecl, .accessorDecl, .sourceFile,
                .memberBlockItem:
                return parent
            default: node = parent
            }
        }
        return node
    }

    /// The name of the type in the nearest enclosing declaration or extension.
    var enclosingTypeName: String? { enclosingType?.name }

    var enclosingType: TypeBlock? {
        var node = parent
        while let current = node {
            if let block = TypeBlock(current) { return block }
            node = current.parent
        }
        return nil
    }

    /// Returns whether this node is the other one or is inside it.
    func isInside(_ other: some SyntaxProtocol) -> Bool {
        let outer = Syntax(other)
        var node: Syntax? = Syntax(self)
        while let current = node {
            if current == outer { return true }
            node = current.parent
        }
        return false
    }

    /// Returns the nodes of a kind inside this one, in source order.
    func all<Node: SyntaxProtocol>(_ kind: Node.Type) -> [Node] {
        Syntax(self).descendants.compactMap { $0.as(Node.self) }
    }

    /// Returns the uses of a name as a value inside this node: `x`, `x.count`, `if let x`, `$0`;
    /// not `.x`, and not the label `x:`.
    ///
    /// A local declaration with the same name doesn't shadow it here.
    func references(to name: String) -> [Syntax] {
        Syntax(self).descendants.filter { node in
            switch node.as(SyntaxEnum.self) {
            case .declReferenceExpr(let reference):
                return reference.baseName.text == name
                    && reference.keyPathInParent
                        != \MemberAccessExprSyntax.declName
            case .optionalBindingCondition(let condition):
                return condition.initializer == nil
                    && condition.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name
            default: return false
            }
        }
    }

    /// Returns whether the name is used as a value anywhere inside.
    func mentions(_ name: String) -> Bool { !references(to: name).isEmpty }

    /// The source text without surrounding comments and whitespace; nil above 4,000 bytes.
    var shortText: String? {
        trimmedLength.utf8Length > 4000 ? nil : trimmedDescription
    }
}

extension ClosureExprSyntax {
    /// Returns the name of a parameter, `$1` for a closure without names, or nil for `_` or a
    /// missing one.
    func parameter(_ place: Int) -> String? {
        guard signature?.parameterClause != nil else { return "$\(place)" }
        let names = parameterTokens
        guard names.indices.contains(place), names[place].text != "_" else { return nil }
        return names[place].text
    }

    /// Returns the token of a parameter for a location, or the brace for a closure without names.
    func parameterToken(_ place: Int) -> TokenSyntax {
        let names = parameterTokens
        return names.indices.contains(place) ? names[place] : leftBrace
    }

    private var parameterTokens: [TokenSyntax] {
        let clause = signature?.parameterClause
        if case .simpleInput(let list) = clause { return list.map(\.name) }
        guard case .parameterClause(let clause) = clause else { return [] }
        return clause.parameters.map { $0.secondName ?? $0.firstName }
    }

    /// Whether the capture list has `[weak self]` or `[unowned self]`.
    var capturesSelfWeakly: Bool {
        signature?.capture?.items.contains { item in
            item.name.text == "self"
                && ["weak", "unowned"].contains(item.specifier?.specifier.text ?? "")
        } ?? false
    }
}

extension FunctionCallExprSyntax {
    /// Returns the argument with a label, including labelled trailing closures. The first trailing
    /// closure has no label.
    func argument(_ label: String) -> ExprSyntax? {
        if let found = arguments.first(where: { $0.label?.text == label }) {
            return found.expression
        }
        return additionalTrailingClosures.first { $0.label.text == label }
            .map { ExprSyntax($0.closure) }
    }

    /// Returns the argument at a position if it has no label.
    func unlabelledArgument(_ place: Int) -> ExprSyntax? {
        guard arguments.count > place else { return nil }
        let argument = arguments[arguments.index(arguments.startIndex, offsetBy: place)]
        return argument.label == nil ? argument.expression : nil
    }

    /// The name that is called: `execute` in `store.execute(query)`, `HKUnit` in
    /// `HKUnit(from: "m")`.
    var calledName: String? {
        let callee = calledExpression.bare
        if let member = callee.as(MemberAccessExprSyntax.self) {
            return member.declName.baseName.text
        }
        return callee.as(DeclReferenceExprSyntax.self)?.baseName.text
    }

    /// The base of the called member: `store` in `store.execute(query)`; nil for `.init()` and
    /// `f()`.
    var base: ExprSyntax? { calledExpression.bare.as(MemberAccessExprSyntax.self)?.base }

    /// The constructed type: `HKSampleQuery` in `HKSampleQuery(…)`, `HKSampleQuery<X>(…)` and
    /// `HKSampleQuery.init(…)`.
    var constructedName: String? {
        var callee = calledExpression.bare
        if let generic = callee.as(GenericSpecializationExprSyntax.self) {
            callee = generic.expression
        }
        if let name = callee.as(DeclReferenceExprSyntax.self)?.baseName.text { return name }
        guard let member = callee.as(MemberAccessExprSyntax.self),
            member.declName.baseName.tokenKind == .keyword(.`init`)
                || member.declName.baseName.text == "init"
        else { return nil }
        return member.base?.as(DeclReferenceExprSyntax.self)?.baseName.text
    }

    /// The closures passed to the call, inside or after the parentheses.
    var closures: [ClosureExprSyntax] {
        arguments.compactMap { $0.expression.as(ClosureExprSyntax.self) }
            + [trailingClosure].compactMap { $0 } + additionalTrailingClosures.map(\.closure)
    }
}
