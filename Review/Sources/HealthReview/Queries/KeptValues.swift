import SwiftSyntax

/// Follows samples through a body, to see whether anything made of them outlives the next update:
/// a list, a running total, a record, a call of other code.
///
/// The latest value in a property, a text and a count don't: the next update replaces them.
struct KeptValues {
    /// What a name holds.
    fileprivate enum Content: Sendable {
        case samples
        /// One sample, or a number, date or text made of samples.
        case value
    }

    /// What becomes of a value.
    fileprivate enum End {
        case nothing, kept
        case named([String], Content, Syntax)
    }

    private let target: Target
    private var pending: [(name: String, content: Content, body: Syntax)] = []
    private var seen: Set<String> = []

    init(_ target: Target) { self.target = target }

    /// Returns whether nothing made of the samples with this name is kept.
    ///
    /// - Complexity: bounded: 40 names.
    mutating func keepsNothing(of name: String, in body: some SyntaxProtocol) -> Bool {
        pending = [(name, .samples, Syntax(body))]
        return isExhausted()
    }

    /// Returns whether nothing made of the samples that an expression gives is kept.
    mutating func keepsNothing(of samples: some SyntaxProtocol) -> Bool {
        take(Syntax(samples), .samples) && isExhausted()
    }

    private mutating func isExhausted() -> Bool {
        while let next = pending.popLast() {
            guard seen.count < 40 else { return false }
            let key = "\(next.name) \(next.content) \(next.body.position.utf8Offset)"
            guard seen.insert(key).inserted else { continue }
            for reference in next.body.references(to: next.name) {
                guard take(reference, next.content) else { return false }
            }
        }
        return true
    }

    private mutating func take(_ reference: Syntax, _ content: Content) -> Bool {
        switch end(of: reference, content) {
        case .nothing: return true
        case .kept: return false
        case .named(let names, let content, let body):
            pending += names.map { ($0, content, body) }
            return true
        }
    }

    private mutating func end(of reference: Syntax, _ content: Content) -> End {
        if reference.isIdle { return .nothing }
        var (node, content) = (reference, content)
        for _ in 0..<40 {
            guard let parent = node.parent else { return .kept }
            switch parent.as(SyntaxEnum.self) {
            case .optionalChainingExpr, .forceUnwrapExpr, .tryExpr, .awaitExpr, .asExpr,
                .sequenceExpr, .unresolvedTernaryExpr, .labeledExprList, .arrayElement,
                .arrayElementList, .stringLiteralSegmentList, .prefixOperatorExpr,
                .subscriptCallExpr:
                break
            case .arrayExpr: content = .samples
            case .expressionSegment, .stringLiteralExpr: content = .value
            case .memberAccessExpr(let access):
                if Self.ofOne.contains(access.declName.baseName.text) { content = .value }
            case .functionCallExpr(let call):
                guard Syntax(call.calledExpression) == node else { break }
                guard let result = method(call, on: content) else { return .kept }
                content = result
            case .labeledExpr(let argument):
                guard takes(argument, content) else { return .kept }
            case .tupleExpr(let tuple): if tuple.elements.count != 1 { return .kept }
            case .exprList(let list):
                if let sequence = list.parent?.as(SequenceExprSyntax.self),
                    let assignment = Assignment(sequence)
                {
                    return assigned(assignment, from: node, content)
                }
                if list.contains(where: { $0.isCalculating }) { content = .value }
            case .initializerClause(let clause): return bound(clause, content)
            case .forStmt(let loop):
                guard Syntax(loop.sequence) == node else { return .nothing }
                let names = loop.pattern.all(IdentifierPatternSyntax.self).map(\.identifier.text)
                return .named(names, .value, Syntax(loop))
            case .conditionElement, .switchExpr, .codeBlockItem, .closureCapture, .whereClause,
                .expressionPattern:
                return .nothing
            case .returnStmt(let statement):
                return statement.enclosingBody.isOfRunningClosure ? .nothing : .kept
            default: return .kept
            }
            node = parent
        }
        return .kept
    }

    /// Members and methods that give one sample or a number.
    private static let ofOne: Set<String> = [
        "first", "last", "max", "min", "count", "isEmpty", "contains", "allSatisfy",
        "randomElement",
    ]
    private static let ofSeveral: Set<String> = [
        "map", "compactMap", "flatMap", "filter", "sorted", "prefix", "suffix", "reversed",
        "dropFirst", "dropLast", "enumerated",
    ]
    /// Functions that only calculate.
    private static let pure: Set<String> = [
        "max", "min", "abs", "round", "floor", "ceil", "type", "string", "timeIntervalSince",
        "dateComponents", "isDate", "startOfDay", "compare", "contains", "doubleValue", "is",
    ]
}

extension KeptValues {
    /// Returns what a method of samples, or of a value, gives; nil if it may keep them.
    private mutating func method(
        _ call: FunctionCallExprSyntax, on content: Content
    ) -> Content? {
        guard let name = call.calledName, target.function(calledBy: call) == nil else {
            return nil
        }
        if content == .value { return call.closures.isEmpty ? .value : nil }
        for closure in call.closures {
            for place in 0..<3 where closure.collection(ofParameter: place) != nil {
                guard let parameter = closure.parameter(place) else { continue }
                pending.append((parameter, .value, Syntax(closure)))
            }
        }
        if Self.ofSeveral.contains(name) { return .samples }
        if name == "reduce" { return call.argument("into") == nil ? .value : .samples }
        return Self.ofOne.contains(name) || name == "forEach" ? .value : nil
    }

    /// Returns whether the call that an argument is for only calculates; the target's own
    /// functions are followed.
    private mutating func takes(_ argument: LabeledExprSyntax, _ content: Content) -> Bool {
        guard let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self) else {
            return argument.parent?.parent?.is(SubscriptCallExprSyntax.self) == true
                || argument.parent?.parent?.is(TupleExprSyntax.self) == true
        }
        if call.isReport { return true }
        guard let name = call.calledName else { return false }
        if name.first?.isUppercase == true || Self.pure.contains(name) { return true }
        guard let function = target.function(calledBy: call), let body = function.body else {
            return false
        }
        let known = KnownCall(function: function, call: call)
        let parameter = function.signature.parameterClause.parameters.first {
            known.argument(for: $0)?.id == argument.expression.id
        }
        guard let parameter else { return false }
        pending.append((parameter.ownName, content, Syntax(body)))
        return true
    }

    private func bound(_ clause: InitializerClauseSyntax, _ content: Content) -> End {
        let pattern =
            clause.parent?.as(OptionalBindingConditionSyntax.self)?.pattern
            ?? clause.parent?.as(PatternBindingSyntax.self)?.pattern
        guard let pattern else { return .kept }
        if pattern.is(WildcardPatternSyntax.self) { return .nothing }
        guard let name = pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
            return .kept
        }
        return .named([name], content, clause.enclosingBody)
    }

    private func assigned(
        _ assignment: Assignment, from node: Syntax, _ content: Content
    ) -> End {
        if assignment.target.is(DiscardAssignmentExprSyntax.self) { return .nothing }
        let isTarget = node.id == Syntax(assignment.target).id
        guard !isTarget, !target.keeps(assignment),
            !assignment.target.bare.is(SubscriptCallExprSyntax.self),
            let name = assignment.target.lastName
        else { return .kept }
        if let own = assignment.target.as(DeclReferenceExprSyntax.self),
            case .variable(_, let declaration) = target.binding(own.baseName.text, at: own),
            declaration.memberOf == nil
        {
            return .named([name], content, assignment.node.enclosingBody)
        }
        let isReplaced = assignment.operator == .plain && !readsMember(name, assignment)
        return isReplaced && (content == .value || assignment.isMadeOfOne) ? .nothing : .kept
    }
}

extension KeptValues {
    /// Returns whether the assigned value is made of the member's last one: `total = total + x`.
    private func readsMember(_ name: String, _ assignment: Assignment) -> Bool {
        assignment.value.contains { value in
            value.all(MemberAccessExprSyntax.self)
                .contains { target.ownMemberName(ExprSyntax($0)) == name }
                || value.references(to: name).contains { reference in
                    guard case .variable(_, let declaration) = target.binding(name, at: reference)
                    else { return false }
                    return declaration.memberOf != nil
                }
        }
    }
}

extension Assignment {
    /// Whether arithmetic or a comparison makes the value, which is then no list.
    fileprivate var isMadeOfOne: Bool { value.contains { $0.isCalculating } }
}

extension ExprSyntax {
    /// Whether the expression is an operator that gives a number or a truth.
    fileprivate var isCalculating: Bool {
        guard let text = self.as(BinaryOperatorExprSyntax.self)?.operator.text else { return false }
        return ["-", "*", "/", "==", "!=", "<", ">", "<=", ">=", "&&", "||"].contains(text)
    }
}

extension Syntax {
    /// Whether the body is a closure that a list calls immediately: of `map`, `reduce`.
    fileprivate var isOfRunningClosure: Bool {
        guard let name = self.as(ClosureExprSyntax.self)?.receivingCall?.calledName else {
            return false
        }
        return FunctionCallExprSyntax.runAtOnce.contains(name)
    }
}
