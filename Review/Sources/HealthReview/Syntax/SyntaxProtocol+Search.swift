import SwiftSyntax

extension SyntaxProtocol {
    /// The nearest node around this one that is of a kind.
    func enclosing<Node: SyntaxProtocol>(_ kind: Node.Type) -> Node? {
        var node = parent
        while let current = node {
            if let found = current.as(Node.self) { return found }
            node = current.parent
        }
        return nil
    }

    /// The nearest function, initializer, accessor or closure around this node; the file if there is none.
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

    /// The function, initializer or accessor around this node, beyond any closures; the member or
    /// global variable whose initial value it stands in; else the file.
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

    /// The name of the type whose declaration or extension is nearest around this node.
    var enclosingTypeName: String? { enclosingType?.name }

    var enclosingType: TypeBlock? {
        var node = parent
        while let current = node {
            if let block = TypeBlock(current) { return block }
            node = current.parent
        }
        return nil
    }

    /// Whether this node is the other one or stands inside of it.
    func isInside(_ other: some SyntaxProtocol) -> Bool {
        let outer = Syntax(other)
        var node: Syntax? = Syntax(self)
        while let current = node {
            if current == outer { return true }
            node = current.parent
        }
        return false
    }

    /// Every node of a kind inside of this one, in order.
    func all<Node: SyntaxProtocol>(_ kind: Node.Type) -> [Node] {
        Syntax(self).descendants.compactMap { $0.as(Node.self) }
    }

    /// Where a name is used as a value inside this node: `x`, `x.count`, `if let x`, `$0`; not `.x`, not
    /// the label `x:`.
    ///
    /// A local declaration of the same name inside hides nothing here.
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

    /// Whether the name is used as a value anywhere inside.
    func mentions(_ name: String) -> Bool { !references(to: name).isEmpty }

    /// The source text without comments and blanks around it; nil for more than 4,000 bytes.
    var shortText: String? {
        trimmedLength.utf8Length > 4000 ? nil : trimmedDescription
    }
}

extension ClosureExprSyntax {
    /// The name of a parameter; `$1` where closures name none, nil where it is `_` or left away.
    func parameter(_ place: Int) -> String? {
        guard signature?.parameterClause != nil else { return "$\(place)" }
        let names = parameterTokens
        guard names.indices.contains(place), names[place].text != "_" else { return nil }
        return names[place].text
    }

    /// The token of a parameter, to point at; the brace where closures name none.
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
    /// The argument with a label, trailing closures under theirs; the first trailing closure has none.
    func argument(_ label: String) -> ExprSyntax? {
        if let found = arguments.first(where: { $0.label?.text == label }) {
            return found.expression
        }
        return additionalTrailingClosures.first { $0.label.text == label }
            .map { ExprSyntax($0.closure) }
    }

    /// The argument at a place if it has no label.
    func unlabelledArgument(_ place: Int) -> ExprSyntax? {
        guard arguments.count > place else { return nil }
        let argument = arguments[arguments.index(arguments.startIndex, offsetBy: place)]
        return argument.label == nil ? argument.expression : nil
    }

    /// `execute` of `store.execute(query)`, `HKUnit` of `HKUnit(from: "m")`.
    var calledName: String? {
        let callee = calledExpression.bare
        if let member = callee.as(MemberAccessExprSyntax.self) {
            return member.declName.baseName.text
        }
        return callee.as(DeclReferenceExprSyntax.self)?.baseName.text
    }

    /// What the called member belongs to: `store` of `store.execute(query)`; nil for `.init()`
    /// and `f()`.
    var base: ExprSyntax? { calledExpression.bare.as(MemberAccessExprSyntax.self)?.base }

    /// `HKSampleQuery` of `HKSampleQuery(…)`, of `HKSampleQuery<X>(…)` and of `HKSampleQuery.init(…)`.
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

    /// The closures given to the call, in parentheses or behind it.
    var closures: [ClosureExprSyntax] {
        arguments.compactMap { $0.expression.as(ClosureExprSyntax.self) }
            + [trailingClosure].compactMap { $0 } + additionalTrailingClosures.map(\.closure)
    }
}
