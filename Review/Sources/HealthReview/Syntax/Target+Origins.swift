import SwiftSyntax

extension Target {
    /// Returns the expressions a value may derive from. Names, branches and the target's functions
    /// are followed.
    ///
    /// ```
    /// let id = isRun ? HKQuantityTypeIdentifier.stepCount : .heartRate
    /// origins(of: id)      // HKQuantityTypeIdentifier.stepCount, .heartRate
    /// ```
    ///
    /// An expression that can't be followed (a parameter, a call into another module) is its own
    /// origin, so the caller can detect it. Wrappers are removed (``SwiftSyntax/ExprSyntax/bare``).
    ///
    /// - Complexity: bounded: 12 steps deep, 64 expressions.
    func origins(of expression: ExprSyntax, calls: CallTreatment = .followed) -> [ExprSyntax] {
        var search = OriginSearch(target: self, calls: calls)
        search.follow(expression, depth: 0)
        return search.found
    }

    /// Returns the results of a function: of each `return`, or of its only expression.
    func results(of function: FunctionDeclSyntax) -> [ExprSyntax] {
        function.body.map { results(of: $0.statements) } ?? []
    }

    func results(of statements: CodeBlockItemListSyntax) -> [ExprSyntax] {
        if statements.count == 1, let only = statements.first,
            case .expr(let expression) = only.item,
            !expression.is(IfExprSyntax.self), !expression.is(SwitchExprSyntax.self)
        {
            return [expression]
        }
        let returns = statements.all(ReturnStmtSyntax.self)
        if returns.isEmpty, statements.count == 1,
            let branches = statements.first?.item.as(ExpressionStmtSyntax.self)?.expression
        {
            // A single `if` or `switch`: its branches are the results.
            return [branches]
        }
        let body = Syntax(statements).parent.map { Syntax($0).enclosingOrSelfBody }
        return returns.filter { $0.enclosingBody == body }.compactMap(\.expression)
    }

    /// Returns every plain assignment to a variable, from the part of the target where it is
    /// visible.
    func assignments(
        to binding: PatternBindingSyntax, _ declaration: VariableDeclSyntax
    ) -> [Assignment] {
        guard let name = binding.boundName else { return [] }
        if let type = declaration.memberOf { return index.assignmentsByType[type]?[name] ?? [] }
        guard let scope = declaration.enclosing(CodeBlockItemListSyntax.self) else { return [] }
        return (index.assignments[name] ?? []).filter { $0.node.isInside(scope) }
    }
}

extension VariableDeclSyntax {
    /// The name of the type that declares the member; nil for locals and globals.
    var memberOf: String? {
        parent?.is(MemberBlockItemSyntax.self) == true ? enclosingTypeName : nil
    }

    var isConstant: Bool { bindingSpecifier.tokenKind == .keyword(.let) }
}

extension Syntax {
    fileprivate var enclosingOrSelfBody: Syntax {
        switch kind {
        case .functionDecl, .initializerDecl, .deinitializerDecl, .accessorDecl, .closureExpr: self
        default: enclosingBody
        }
    }
}

/// How a search for origins treats a call of a function of the target.
enum CallTreatment: Sendable {
    /// The search continues with the function's results.
    case followed
    /// The call is an origin.
    case notFollowed
}

extension SequenceExprSyntax {
    /// The elements without `as? X`: `samples ?? []` for `samples as? [HKQuantitySample] ?? []`.
    fileprivate var elementsWithoutCasts: [ExprSyntax] {
        var kept: [ExprSyntax] = []
        var isBehindCast = false
        for element in elements {
            if isBehindCast {
                isBehindCast = false
            } else if element.is(UnresolvedAsExprSyntax.self) {
                isBehindCast = true
            } else {
                kept.append(element)
            }
        }
        return kept
    }
}

private struct OriginSearch {
    let target: Target
    let calls: CallTreatment
    var found: [ExprSyntax] = []
    private var visited: Set<SyntaxIdentifier> = []

    init(target: Target, calls: CallTreatment) { (self.target, self.calls) = (target, calls) }

    mutating func follow(_ expression: ExprSyntax, depth: Int) {
        let bare = expression.bare
        guard depth < 12, found.count < 64, visited.insert(bare.id).inserted else {
            if !visited.contains(bare.id) { found.append(bare) }
            return
        }
        switch bare.as(ExprSyntaxEnum.self) {
        case .sequenceExpr(let sequence): follow(sequence, depth)
        case .ifExpr, .switchExpr:
            let values = branches(of: bare)
            for value in values { follow(value, depth: depth + 1) }
            if values.isEmpty { found.append(bare) }
        case .ternaryExpr(let ternary):
            follow(ternary.thenExpression, depth: depth + 1)
            follow(ternary.elseExpression, depth: depth + 1)
        case .declReferenceExpr(let name):
            followName(name.baseName.text, at: bare, depth)
        case .memberAccessExpr(let member): follow(member, depth)
        case .functionCallExpr(let call): follow(call, depth)
        default: found.append(bare)
        }
    }

    /// Follows `a ?? b` and `a ? b : c`, which are unfolded in the tree.
    private mutating func follow(_ sequence: SequenceExprSyntax, _ depth: Int) {
        let elements = sequence.elementsWithoutCasts
        if elements.count == 1 {
            follow(elements[0], depth: depth + 1)
        } else if elements.count == 3,
            let ternary = elements[1].as(UnresolvedTernaryExprSyntax.self)
        {
            follow(ternary.thenExpression, depth: depth + 1)
            follow(elements[2], depth: depth + 1)
        } else if let place = elements.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }
        ),
            place == elements.count - 2,
            let ternary = elements[place].as(UnresolvedTernaryExprSyntax.self)
        {
            follow(ternary.thenExpression, depth: depth + 1)
            follow(elements[place + 1], depth: depth + 1)
        } else if elements.count >= 3, elements.count % 2 == 1,
            stride(from: 1, to: elements.count, by: 2).allSatisfy({
                elements[$0].as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
            })
        {
            for place in stride(from: 0, to: elements.count, by: 2) {
                follow(elements[place], depth: depth + 1)
            }
        } else {
            found.append(ExprSyntax(sequence))
        }
    }

    /// Returns the values of an `if` or `switch` expression.
    private func branches(of expression: ExprSyntax) -> [ExprSyntax] {
        if let node = expression.as(IfExprSyntax.self) {
            var values = target.results(of: node.body.statements)
            if case .codeBlock(let block) = node.elseBody {
                values += target.results(of: block.statements)
            } else if case .ifExpr(let next) = node.elseBody {
                values += branches(of: ExprSyntax(next))
            }
            return values
        }
        guard let node = expression.as(SwitchExprSyntax.self) else { return [] }
        return node.cases.flatMap { branch in
            branch.as(SwitchCaseSyntax.self).map { target.results(of: $0.statements) } ?? []
        }
    }

    private mutating func follow(_ member: MemberAccessExprSyntax, _ depth: Int) {
        let name = member.declName.baseName.text
        guard let base = member.base?.bare else {
            found.append(ExprSyntax(member))
            return
        }
        if base.isOwn {
            let type = member.enclosingTypeName
            followBinding(
                type.flatMap { target.member(name, of: $0) }, from: ExprSyntax(member), depth)
        } else if let type = base.as(DeclReferenceExprSyntax.self)?.baseName.text,
            target.binding(type, at: member) == nil, !target.types(type).isEmpty
        {
            followBinding(target.member(name, of: type), from: ExprSyntax(member), depth)
        } else {
            found.append(ExprSyntax(member))
        }
    }

    private mutating func follow(_ call: FunctionCallExprSyntax, _ depth: Int) {
        let callee = call.calledExpression.bare
        if let closure = callee.as(ClosureExprSyntax.self) {
            for value in target.results(of: closure.statements) { follow(value, depth: depth + 1) }
            return
        }
        guard calls == .followed, let name = callee.ownName,
            let binding = target.binding(name, at: call),
            case .function(let function) = binding
        else {
            found.append(ExprSyntax(call))
            return
        }
        let results = target.results(of: function)
        for result in results { follow(result, depth: depth + 1) }
        if results.isEmpty { found.append(ExprSyntax(call)) }
    }

    private mutating func followName(_ name: String, at node: ExprSyntax, _ depth: Int) {
        followBinding(target.binding(name, at: node), from: node, depth)
    }

    private mutating func followBinding(_ binding: Binding?, from node: ExprSyntax, _ depth: Int) {
        switch binding {
        case .variable(let binding, let declaration):
            var values = [binding.initializer?.value].compactMap { $0 }
            if let getter = binding.getterStatements { values += target.results(of: getter) }
            if !declaration.isConstant || values.isEmpty {
                for assignment in target.assignments(to: binding, declaration)
                where assignment.operator == .plain {
                    if let value = assignment.singleValue {
                        values.append(value)
                    } else {
                        found.append(ExprSyntax(assignment.node))
                    }
                }
            }
            for value in values { follow(value, depth: depth + 1) }
            if values.isEmpty { found.append(node) }
        case .unwrapped(let value): follow(value, depth: depth + 1)
        case .element(let sequence, _): followElement(of: sequence, from: node, depth)
        case .closureParameter(let closure, let place):
            if let collection = closure.collection(ofParameter: place) {
                followElement(of: collection, from: node, depth)
            } else {
                found.append(node)
            }
        case .parameter, .function, .elementPart, .part, .opaque, nil: found.append(node)
        }
    }

    /// Follows every element of a list literal.
    private mutating func followElement(
        of collection: ExprSyntax, from node: ExprSyntax, _ depth: Int
    ) {
        var search = self
        search.found = []
        search.follow(collection, depth: depth + 1)
        visited = search.visited
        guard search.found.count == 1, let list = search.found[0].as(ArrayExprSyntax.self),
            !list.elements.isEmpty
        else {
            found.append(node)
            return
        }
        for element in list.elements { follow(element.expression, depth: depth + 1) }
    }
}
