import SwiftSyntax
import Synchronization

/// What a name refers to at its use.
enum Binding: Sendable {
    /// `let x = value`, with or without a value, including members and globals.
    case variable(PatternBindingSyntax, VariableDeclSyntax)
    /// `if let x = value`, `guard let x = value`.
    case unwrapped(ExprSyntax)
    /// `for x in sequence`.
    case element(of: ExprSyntax, ForStmtSyntax)
    /// A part of an element: `x` in `for (_, x) in sequence`.
    case elementPart(of: ExprSyntax, Int)
    /// A part of a tuple: `b` in `let (a, b) = value`, where the value isn't a tuple literal.
    case part(of: ExprSyntax, Int)
    case parameter(FunctionParameterSyntax)
    /// The parameter of a closure at a position.
    case closureParameter(ClosureExprSyntax, Int)
    case function(FunctionDeclSyntax)
    /// Bound by a `case` pattern, a `catch` or a key, without a value to follow.
    case opaque
}

extension Target {
    /// Returns what a name refers to at a node: the nearest visible declaration, then the type's
    /// members, then the target's globals. The result is nil for names from other modules.
    ///
    /// - Complexity: O(ancestors of the node and their siblings), the first time.
    func binding(_ name: String, at node: some SyntaxProtocol) -> Binding? {
        let use = NameUse(name: name, node: node.id)
        if let known = analyses.bindings.withLock({ $0[use] }) { return known }
        let found = search(name, from: Syntax(node))
        analyses.bindings.withLock { $0[use] = .some(found) }
        return found
    }

    private func search(_ name: String, from node: Syntax) -> Binding? {
        var inner = node
        var isInType = false
        while let outer = inner.parent {
            if let found = local(name, in: outer, from: inner) { return found }
            if !isInType, let block = TypeBlock(outer) {
                if let found = member(name, of: block.name) { return found }
                isInType = true
            } else if isInType, let block = TypeBlock(outer),
                let found = member(name, of: block.name)
            {
                return found
            }
            inner = outer
        }
        return global(name)
    }

    /// Returns a member of a type, static or not, from any declaration or extension in the target.
    func member(_ name: String, of type: String) -> Binding? {
        guard let members = typeMembers(type) else { return nil }
        if let (binding, declaration) = members.variables[name] {
            return .variable(binding, declaration)
        }
        return members.functions[name].map { .function($0) }
    }

    private func global(_ name: String) -> Binding? {
        if let binding = index.globals[name],
            let declaration = binding.enclosing(VariableDeclSyntax.self)
        {
            return .variable(binding, declaration)
        }
        let free = index.freeFunctions[name] ?? []
        return free.count == 1 ? .function(free[0]) : nil
    }

    private func local(_ name: String, in outer: Syntax, from inner: Syntax) -> Binding? {
        switch outer.as(SyntaxEnum.self) {
        case .codeBlockItemList(let items): statement(name, in: items, before: inner)
        case .ifExpr(let node):
            inner.id == Syntax(node.body).id
                ? condition(name, in: node.conditions, from: inner) : nil
        case .whileStmt(let node):
            inner.id == Syntax(node.body).id
                ? condition(name, in: node.conditions, from: inner) : nil
        case .conditionElementList(let conditions): condition(name, in: conditions, from: inner)
        case .forStmt(let node):
            inner.id != Syntax(node.sequence).id ? element(name, of: node) : nil
        case .closureExpr(let node): parameter(name, of: node)
        case .functionDecl(let node): parameter(name, of: node.signature.parameterClause)
        case .initializerDecl(let node): parameter(name, of: node.signature.parameterClause)
        case .switchCase(let node): node.label.bindsName(name) ? .opaque : nil
        case .catchClause(let node):
            name == "error" && node.catchItems.isEmpty || node.catchItems.bindsName(name)
                ? .opaque : nil
        case .accessorDecl(let node):
            node.parameters?.name.text == name || ["newValue", "oldValue"].contains(name)
                ? .opaque : nil
        default: nil
        }
    }

    private func statement(
        _ name: String, in items: CodeBlockItemListSyntax, before inner: Syntax
    ) -> Binding? {
        var found: Binding?
        for item in items {
            if case .decl(let decl) = item.item, let function = decl.as(FunctionDeclSyntax.self),
                function.name.text == name
            {
                found = .function(function)
            }
            guard item.position < inner.position else { continue }
            let node = Syntax(item.item)
            if let variable = node.as(VariableDeclSyntax.self) {
                for binding in variable.bindings where binding.pattern.binds(name) {
                    found =
                        binding.boundName == name
                        ? .variable(binding, variable) : part(name, of: binding)
                }
            } else if let guardStatement = node.as(GuardStmtSyntax.self),
                let bound = condition(name, in: guardStatement.conditions, from: nil)
            {
                found = bound
            }
        }
        return found
    }

    private func condition(
        _ name: String, in conditions: ConditionElementListSyntax, from inner: Syntax?
    ) -> Binding? {
        var found: Binding?
        for element in conditions {
            if let inner, inner.position >= element.position,
                inner.endPosition <= element.endPosition
            {
                break
            }
            switch element.condition {
            case .optionalBinding(let binding) where binding.pattern.binds(name):
                if let value = binding.initializer?.value {
                    found = .unwrapped(value)
                } else if let outer = self.binding(name, at: conditions.outside) {
                    // `if let x`: the outer x.
                    found = outer
                }
            case .matchingPattern(let pattern) where pattern.pattern.bindsName(name):
                found = .opaque
            default: break
            }
        }
        return found
    }

    private func element(_ name: String, of loop: ForStmtSyntax) -> Binding? {
        guard loop.pattern.bindsName(name) else { return nil }
        if loop.pattern.isWholeElement { return .element(of: loop.sequence, loop) }
        let call = loop.sequence.bare.as(FunctionCallExprSyntax.self)
        guard !["enumerated", "zip"].contains(call?.calledName),
            let place = loop.pattern.as(TuplePatternSyntax.self)?.place(of: name)
        else { return .opaque }
        return .elementPart(of: loop.sequence, place)
    }

    /// Returns what a name in `let (a, b) = (x, y)` or `let (a, b) = value` refers to.
    private func part(_ name: String, of binding: PatternBindingSyntax) -> Binding {
        guard let place = binding.pattern.as(TuplePatternSyntax.self)?.place(of: name),
            let value = binding.initializer?.value
        else { return .opaque }
        guard let tuple = value.bare.as(TupleExprSyntax.self) else {
            return .part(of: value, place)
        }
        let elements = Array(tuple.elements)
        return elements.indices.contains(place) ? .unwrapped(elements[place].expression) : .opaque
    }

    private func parameter(_ name: String, of closure: ClosureExprSyntax) -> Binding? {
        for item in closure.signature?.capture?.items ?? [] where item.name.text == name {
            if let value = item.initializer?.value { return .unwrapped(value) }
        }
        if name.hasPrefix("$"), let place = Int(name.dropFirst()) {
            return closure.signature?.parameterClause == nil
                ? .closureParameter(closure, place) : nil
        }
        for place in 0..<8 where closure.parameter(place) == name {
            return .closureParameter(closure, place)
        }
        return nil
    }

    private func parameter(_ name: String, of clause: FunctionParameterClauseSyntax) -> Binding? {
        clause.parameters.first { $0.ownName == name }.map { .parameter($0) }
    }
}

extension PatternBindingSyntax {
    var boundName: String? { pattern.as(IdentifierPatternSyntax.self)?.identifier.text }

    /// The statements of a computed property's getter; nil for stored properties.
    var getterStatements: CodeBlockItemListSyntax? {
        guard let accessorBlock else { return nil }
        if case .getter(let statements) = accessorBlock.accessors { return statements }
        guard case .accessors(let list) = accessorBlock.accessors else { return nil }
        return list.first { $0.accessorSpecifier.tokenKind == .keyword(.get) }?.body?.statements
    }
}

extension TuplePatternSyntax {
    /// Returns the position of a name that binds a whole part of the tuple.
    fileprivate func place(of name: String) -> Int? {
        Array(elements).firstIndex {
            $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == name
        }
    }
}

extension PatternSyntax {
    /// Whether the pattern's only name binds the whole value: `x`, `case let x as Sample`,
    /// `case let x?`.
    fileprivate var isWholeElement: Bool {
        if self.is(IdentifierPatternSyntax.self) { return true }
        var names = 0
        for node in Syntax(self).descendants {
            switch node.kind {
            case .identifierPattern: names += 1
            case .functionCallExpr, .tupleExpr, .tuplePattern: return false
            default: break
            }
        }
        return names == 1
    }

    func binds(_ name: String) -> Bool {
        if let only = self.as(IdentifierPatternSyntax.self) { return only.identifier.text == name }
        return bindsName(name)
    }
}

extension SyntaxProtocol {
    /// Returns whether the pattern binds the name anywhere inside.
    fileprivate func bindsName(_ name: String) -> Bool {
        Syntax(self).descendants.contains {
            $0.as(IdentifierPatternSyntax.self)?.identifier.text == name
        }
    }

    /// A node outside the conditions' statement, to continue the lookup from.
    fileprivate var outside: Syntax { parent?.parent ?? Syntax(self) }
}
