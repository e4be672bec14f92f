import SwiftSyntax

/// Follows a number from its reading to the places where it is shown or compared, as long as
/// nothing is calculated with it: through names, functions, completion handlers and members.
///
/// ```
/// let value = quantity.doubleValue(for: .percent())
/// show(value)        // func show(_ number: Double) { label.text = "\(number) %" }
/// ```
///
/// - Complexity: bounded: 200 steps.
struct NumberFlow {
    /// What becomes of a number.
    enum Use {
        /// It is shown before a text that begins with this word: `%`, `ms`.
        case label(String)
        /// It is used as if it were between 0 and 100; the verb for a message: `compares`.
        case percentage(String)
    }

    let target: Target
    private(set) var uses: [(node: Syntax, use: Use)] = []
    private var pending: [(node: Syntax, calls: [KnownCall])] = []
    private var visited: Set<SyntaxIdentifier> = []
    private var members = 0

    private init(_ target: Target) { self.target = target }

    static func uses(
        of reading: FunctionCallExprSyntax, in calls: [KnownCall] = [], _ target: Target
    ) -> [(node: Syntax, use: Use)] {
        var flow = NumberFlow(target)
        flow.push(reading, calls)
        var steps = 0
        while let (node, calls) = flow.pending.popLast(), steps < 200 {
            steps += 1
            flow.climb(node, calls)
        }
        return flow.uses
    }

    mutating func push(_ node: some SyntaxProtocol, _ calls: [KnownCall]) {
        if visited.insert(node.id).inserted { pending.append((Syntax(node), calls)) }
    }

    mutating func add(_ use: Use, at node: some SyntaxProtocol) { uses.append((Syntax(node), use)) }

    // MARK: - Upwards

    private mutating func climb(_ start: Syntax, _ calls: [KnownCall]) {
        var node = start
        while let outer = node.parent {
            let isPassed: Bool
            switch outer.as(SyntaxEnum.self) {
            case .labeledExpr, .labeledExprList, .sequenceExpr, .tryExpr, .awaitExpr, .asExpr,
                .optionalChainingExpr, .forceUnwrapExpr, .unresolvedTernaryExpr:
                isPassed = true
            case .tupleExpr(let tuple): isPassed = tuple.elements.count == 1
            case .exprList(let list): isPassed = pass(node, Array(list), calls)
            case .memberAccessExpr(let member): isPassed = member.keepsNumber
            case .expressionSegment(let segment): return shown(in: segment, calls)
            case .functionCallExpr(let call):
                isPassed =
                    node.id == Syntax(call.calledExpression).id || pass(node, to: call, calls)
            case .initializerClause(let clause): return named(by: clause, calls)
            case .returnStmt: return returned(at: outer, calls)
            case .codeBlockItem(let item):
                if item.isOnlyStatement { returned(at: outer, calls) }
                return
            case .dictionaryElement(let element):
                if element.value.id == node.as(ExprSyntax.self)?.id { entered(element) }
                return
            case .switchExpr(let choice):
                if choice.subject.id == node.as(ExprSyntax.self)?.id, choice.comparesAboveOne {
                    add(.percentage("compares"), at: choice.subject)
                }
                return
            default: return
            }
            guard isPassed else { return }
            node = outer
        }
    }

    /// Follows a part of an operator expression; returns whether the whole is the same number.
    private mutating func pass(
        _ node: Syntax, _ parts: [ExprSyntax], _ calls: [KnownCall]
    ) -> Bool {
        guard let place = parts.firstIndex(where: { Syntax($0).id == node.id }) else {
            return false
        }
        func sign(_ place: Int) -> String? {
            parts.indices.contains(place)
                ? parts[place].as(BinaryOperatorExprSyntax.self)?.operator.text : nil
        }
        if parts.comparesWithPercentage(place) {
            add(.percentage("compares"), at: node)
            return false
        }
        if sign(place + 1) == "+", let text = parts[place + 2].bare.plainString {
            add(.label(text), at: node)
            return false
        }
        if sign(place + 1) == "/", parts.count == place + 3 {
            let divisor = parts[place + 2]
            if ["100", "100.0"].contains(divisor.bare.trimmedDescription), place == 0 {
                add(.percentage("divides"), at: node)
            }
            return place == 0 && Syntax(divisor).mentionsName("count")
        }
        if parts.count > 2, place >= 2, parts[1].is(AssignmentExprSyntax.self) {
            let isPlain = parts.indices.allSatisfy { $0 < 2 || sign($0) == nil || sign($0) == "??" }
            if isPlain { assigned(to: parts[0], calls) }
            return false
        }
        let choice = parts.firstIndex { $0.is(UnresolvedTernaryExprSyntax.self) }
        let kept = choice.map { place >= $0 } ?? true
        let signs = parts.indices.compactMap { choice == nil || $0 > choice ?? 0 ? sign($0) : nil }
        return kept && signs.allSatisfy { $0 == "??" }
    }

    /// Follows an argument; returns whether the call returns the same number.
    private mutating func pass(
        _ node: Syntax, to call: FunctionCallExprSyntax, _ calls: [KnownCall]
    ) -> Bool {
        let place = call.arguments.first {
            $0.position <= start(node) && start(node) < $0.endPosition
        }
        guard let argument = place else { return false }
        let others = Array(call.arguments).filter { $0.id != argument.id }
        let name = call.calledName ?? ""
        if name == "String", let format = call.argument("format") {
            let values = others.filter { $0.label == nil && $0.position < argument.position }
            let labels = format.bare.plainString?.formatLabels ?? []
            guard labels.indices.contains(values.count) else { return false }
            if labels == [""] { return true }
            add(.label(labels[values.count]), at: call)
            return false
        }
        if Self.wrappers.contains(name) { return true }
        if ["min", "max"].contains(name), call.base == nil {
            let isLimited = others.contains { $0.expression.trimmedDescription == "100" }
            if isLimited { add(.percentage("limits"), at: call) }
            return !isLimited
        }
        if ["Gauge", "ProgressView"].contains(name) {
            if others.contains(where: { $0.expression.mentionsHundred }) {
                add(.percentage("shows"), at: call)
            }
            return false
        }
        if name == "contains", let range = call.base, Syntax(range).mentionsNumberAboveOne {
            add(.percentage("compares"), at: call)
            return false
        }
        if name == "resume", argument.label?.text == "returning" {
            returned(at: Syntax(call), calls, over: .continuations)
            return false
        }
        handOver(argument, of: call, others, calls)
        return false
    }

    private func start(_ node: Syntax) -> AbsolutePosition {
        node.positionAfterSkippingLeadingTrivia
    }

    private static let wrappers: Set<String> = [
        "Int", "Double", "Float", "CGFloat", "NSNumber", "String", "round", "floor", "ceil",
        "lround", "Decimal",
    ]

    private mutating func handOver(
        _ argument: LabeledExprSyntax, of call: FunctionCallExprSyntax,
        _ others: [LabeledExprSyntax],
        _ calls: [KnownCall]
    ) {
        if let parameter = target.calledParameter(of: call) {
            let own = call.arguments.firstIndex { $0.id == argument.id }
            let place = own.map {
                call.arguments.distance(from: call.arguments.startIndex, to: $0)
            }
            let known = calls.last.flatMap { $0.function.id == parameter.function?.id ? $0 : nil }
            let closures =
                known.map { [$0.argument(for: parameter)?.bare.as(ClosureExprSyntax.self)] }
                ?? target.closures(passedFor: parameter)
            for closure in closures.compactMap(\.self) {
                guard let name = closure.parameter(place ?? 0) else { continue }
                let rest = known == nil ? calls : Array(calls.dropLast())
                for use in closure.statements.references(to: name) { push(use, rest) }
            }
            return
        }
        let function = target.function(calledBy: call)
        if function?.mentionsHundred == true { return }
        if let label = others.lazy.compactMap({ $0.expression.bare.plainString }).first(where: {
            $0.trimmingSpaces == "%"
        }) {
            return add(.label(label), at: argument.expression)
        }
        if let function {
            let known = KnownCall(function: function, call: call)
            guard calls.count < 4,
                let parameter = function.signature.parameterClause.parameters.first(where: {
                    known.argument(for: $0)?.id == argument.expression.id
                }), let body = function.body
            else { return }
            for use in body.references(to: parameter.ownName) { push(use, calls + [known]) }
        } else if let type = call.constructedName, !target.types(type).isEmpty,
            let label = argument.label?.text
        {
            follow(member: label, of: type)
        }
    }

    // MARK: - Texts and dictionaries

    private mutating func shown(in segment: ExpressionSegmentSyntax, _ calls: [KnownCall]) {
        guard let list = segment.parent?.as(StringLiteralSegmentListSyntax.self) else { return }
        let parts = Array(list)
        guard let place = parts.firstIndex(where: { Syntax($0).id == Syntax(segment).id }) else {
            return
        }
        var text = ""
        for part in parts[(place + 1)...].prefix(2) {
            if case .stringSegment(let next) = part {
                text += next.content.text
            } else if case .expressionSegment(let next) = part, text.trimmingSpaces.isEmpty,
                let unit = next.expressions.first?.expression
            {
                let origins = target.origins(of: unit)
                text += origins.count == 1 ? origins[0].plainString ?? "" : ""
            }
        }
        if !text.trimmingSpaces.isEmpty { return add(.label(text), at: segment) }
        let isAlone = parts.allSatisfy { part in
            if case .stringSegment(let other) = part { return other.content.text.isEmpty }
            return Syntax(part).id == Syntax(segment).id
        }
        if isAlone, let literal = segment.enclosing(StringLiteralExprSyntax.self) {
            push(literal, calls)
        }
    }

    /// Looks at a key and at the unit beside it: `["value": x, "unit": "%"]`.
    private mutating func entered(_ element: DictionaryElementSyntax) {
        if element.key.bare.plainString?.isPercentKey == true {
            return add(.percentage("passes on"), at: element)
        }
        for other in element.parent?.as(DictionaryElementListSyntax.self) ?? []
        where other.id != element.id {
            guard let key = other.key.bare.plainString, key.camelCaseWords.contains("unit"),
                let text = other.value.bare.plainString
            else { continue }
            add(.label(text), at: element)
        }
    }

    // MARK: - Names

    private mutating func named(by clause: InitializerClauseSyntax, _ calls: [KnownCall]) {
        if let binding = clause.parent?.as(PatternBindingSyntax.self),
            let name = binding.boundName,
            let declaration = binding.enclosing(VariableDeclSyntax.self),
            declaration.memberOf == nil
        {
            let scope = binding.enclosing(CodeBlockItemListSyntax.self)
            guard let scope, !scope.recalculates(name) else { return }
            for use in scope.references(to: name) {
                if case .variable(let other, _) = target.binding(name, at: use),
                    other.id == binding.id
                {
                    push(use, calls)
                } else if use.is(OptionalBindingConditionSyntax.self) {
                    push(use, calls)
                }
            }
        } else if let condition = clause.parent?.as(OptionalBindingConditionSyntax.self),
            let name = condition.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
        {
            for use in condition.enclosingFunction.references(to: name) {
                guard case .unwrapped(let value) = target.binding(name, at: use),
                    value.id == clause.value.id
                else { continue }
                push(use, calls)
            }
        }
    }

    private mutating func assigned(to place: ExprSyntax, _ calls: [KnownCall]) {
        if let access = place.bare.as(SubscriptCallExprSyntax.self) {
            if access.arguments.first?.expression.bare.plainString?.isPercentKey == true {
                add(.percentage("passes on"), at: place)
            }
            return
        }
        if let name = place.bare.as(DeclReferenceExprSyntax.self)?.baseName.text,
            case .variable(let binding, let declaration) = target.binding(name, at: place),
            declaration.memberOf == nil
        {
            let scope = binding.enclosing(CodeBlockItemListSyntax.self)
            guard let scope, !scope.recalculates(name) else { return }
            for use in scope.references(to: name)
            where use.position > place.position { push(use, calls) }
            return
        }
        if case .variable(_, let declaration) = target.binding(of: place),
            let type = declaration.memberOf, let name = place.bare.ownName
        {
            follow(member: name, of: type)
        } else if let member = place.bare.as(MemberAccessExprSyntax.self), let base = member.base,
            let type = target.typeName(of: base)
        {
            follow(member: member.declName.baseName.text, of: type)
        }
    }

    /// What a result is returned over.
    private enum Boundary { case nothing, continuations }

    private mutating func returned(
        at node: Syntax, _ calls: [KnownCall], over boundary: Boundary = .nothing
    ) {
        var inner = node
        while let outer = inner.parent {
            if let closure = outer.as(ClosureExprSyntax.self), boundary == .nothing {
                guard let call = closure.receivingCall,
                    ["map", "compactMap", "flatMap"].contains(call.calledName)
                else { return }
                return push(call, calls)
            }
            if let function = outer.as(FunctionDeclSyntax.self) {
                if let known = calls.last, known.function.id == function.id {
                    return push(known.call, calls.dropLast())
                }
                if function.mentionsHundred { return }
                for known in target.calls(of: function).prefix(40) { push(known.call, []) }
                return
            }
            if let binding = outer.as(PatternBindingSyntax.self), binding.getterStatements != nil {
                guard let name = binding.boundName, let type = binding.enclosingTypeName,
                    !binding.mentionsHundred
                else { return }
                return follow(member: name, of: type)
            }
            if outer.is(InitializerDeclSyntax.self) { return }
            inner = outer
        }
    }

    /// Follows the uses of a member that only one type of the target has.
    private mutating func follow(member name: String, of type: String) {
        guard members < 6, visited.count < 150, target.member(name, of: type) != nil else { return }
        members += 1
        let changes =
            (target.index.assignments[name] ?? [])
            + (target.index.memberAssignments[name] ?? [])
        guard !changes.contains(where: { $0.node.mentionsHundred }) else { return }
        for construction in target.index.calls[type] ?? [] {
            if construction.argument(name)?.mentionsHundred == true { return }
        }
        let accesses = target.index.accesses[name] ?? []
        // A name in use everywhere says nothing of one type.
        guard accesses.count < 200 else { return }
        let isOnlyOne = target.index.declarationCounts[name] == 1 && name.count > 6
        for block in target.types(type) {
            for use in block.node.references(to: name) where isRead(use) { push(use, []) }
        }
        for access in accesses {
            guard let base = access.base, isRead(Syntax(access)) else { continue }
            let known = target.typeName(of: base) ?? target.elementTypeName(of: base)
            if known.map({ $0 == type }) ?? isOnlyOne { push(access, []) }
        }
    }

    private func isRead(_ use: Syntax) -> Bool {
        guard let list = use.parent?.as(ExprListSyntax.self), list.count > 2 else { return true }
        return
            !(Array(list)[1].is(AssignmentExprSyntax.self)
            && list.first?.id == use.as(ExprSyntax.self)?.id)
    }
}
