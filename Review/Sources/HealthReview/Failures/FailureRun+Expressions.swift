import SwiftSyntax

extension FailureRun {
    /// Evaluates an expression as far as it is known, with everything that happens on the way.
    mutating func value(of expression: ExprSyntax) -> FailureValue {
        depth += 1
        defer { depth -= 1 }
        guard mayStep(), !isThrowing, !isStopped else { return .unknown }
        switch expression.as(ExprSyntaxEnum.self) {
        case .nilLiteralExpr: return .missing
        case .booleanLiteralExpr(let node):
            return node.literal.tokenKind == .keyword(.true) ? .yes : .no
        case .integerLiteralExpr(let node): return node.literal.text == "0" ? .literal : .present
        case .floatLiteralExpr(let node):
            return Double(node.literal.text) == 0 ? .literal : .present
        case .arrayExpr(let node):
            if node.elements.isEmpty { return .emptyLiteral }
            return value(ofParts: node.elements.map(\.expression))
        case .dictionaryExpr(let node):
            guard case .elements(let elements) = node.content else { return .emptyLiteral }
            return value(ofParts: elements.map(\.value))
        case .stringLiteralExpr(let node): return value(of: node)
        case .declReferenceExpr(let node): return value(ofName: node.baseName.text)
        case .memberAccessExpr(let node): return value(of: node)
        case .forceUnwrapExpr(let node):
            let value = value(of: node.expression)
            if value == .missing {
                stop(at: node)
            }
            return value
        case .tryExpr(let node): return caught(node, value(of: node.expression))
        case .sequenceExpr(let node): return value(of: node)
        case .prefixOperatorExpr(let node):
            let value = value(of: node.expression)
            return node.operator.text == "!" ? value.negated : value
        case .ifExpr, .switchExpr: return branches(of: expression)
        case .closureExpr(let node): return .closure(node)
        case .functionCallExpr(let node): return value(of: node)
        case .subscriptCallExpr(let node): return value(of: node)
        case .tupleExpr(let node):
            if node.elements.count == 1, let only = node.elements.first {
                return value(of: only.expression)
            }
            return value(ofParts: node.elements.map(\.expression))
        default:
            let bare = expression.wrappedOnce
            return bare.map { value(of: $0) } ?? .unknown
        }
    }

    private mutating func value(ofParts parts: [ExprSyntax]) -> FailureValue {
        FailureValue(of: parts.map { value(of: $0) })
    }

    private mutating func value(of text: StringLiteralExprSyntax) -> FailureValue {
        let parts = text.segments.compactMap { $0.as(ExpressionSegmentSyntax.self) }
        return value(
            ofParts: parts.flatMap { $0.expressions.map(\.expression) })
    }

    private mutating func value(ofName name: String) -> FailureValue {
        let value = names[name] ?? .unknown
        if value == .failure { hasReadError = true }
        return value
    }

    private mutating func value(of member: MemberAccessExprSyntax) -> FailureValue {
        let name = member.declName.baseName.text
        guard let base = member.base else { return name == "zero" ? .literal : .unknown }
        if base.bare.isOwn { return value(ofName: name) }
        switch value(of: base) {
        case .missing: return .missing
        case .failure: return .failure
        case .empty, .emptyLiteral:
            return switch name {
            case "isEmpty": .yes
            case "first", "last": .missing
            case "count": .zero
            default: .empty
            }
        case .zero, .literal: return name == "isZero" ? .yes : .zero
        case .partial: return .unknown
        default: return name == "zero" && ExprSyntax(member).isRootedInType ? .literal : .unknown
        }
    }

    /// Takes an error that `try?` turns into nil, or that ends the process at `try!`.
    mutating func caught(_ attempt: TryExprSyntax, _ value: FailureValue) -> FailureValue {
        guard isThrowing, let mark = attempt.questionOrExclamationMark else { return value }
        isThrowing = false
        if mark.tokenKind == .exclamationMark {
            stop(at: attempt)
        } else if attempt.isStatement {
            swallowed = Syntax(attempt)
        } else if attempt.isOnlyCondition, firstZero == nil {
            firstZero = Syntax(attempt)
        }
        return .missing
    }

    private mutating func value(of sequence: SequenceExprSyntax) -> FailureValue {
        let elements = Array(sequence.elements)
        guard let assignment = Assignment(sequence) else {
            return value(ofSequence: elements[...])
        }
        var value = value(ofSequence: elements[2...])
        guard !isThrowing, !isStopped else { return .unknown }
        let name = assignment.ownName
        if case .compound = assignment.operator {
            let before = name.flatMap { names[$0] }
            let isUnchanged = before?.isMadeUp == true && value.deliversZero
            value = isUnchanged ? before ?? .unknown : value.isMadeUp ? .partial : .unknown
        }
        if tells(assignment, value) { isTold = true }
        if assignment.target.is(DiscardAssignmentExprSyntax.self) { return .unknown }
        if let name {
            names[name] = value
        } else if let list = changedLocal(assignment.target), value == .zero || value == .partial {
            names[list] = .partial
        }
        add(.assignment(assignment, value))
        return .unknown
    }

    /// Returns the list or value of the body that an assignment changes a part of: `days` in
    /// `days[key] = day` and `day` in `day.steps = steps`.
    private func changedLocal(_ place: ExprSyntax) -> String? {
        var base = place.bare
        while true {
            if let element = base.as(SubscriptCallExprSyntax.self) {
                base = element.calledExpression.bare
            } else if let inner = base.as(MemberAccessExprSyntax.self)?.base {
                base = inner.bare
            } else {
                break
            }
        }
        guard let name = base.as(DeclReferenceExprSyntax.self)?.baseName.text, base != place.bare,
            case .variable(_, let declaration) = target.binding(name, at: place)
        else { return nil }
        return declaration.memberOf == nil && !declaration.isConstant ? name : nil
    }

    /// Returns whether an assignment tells that something failed: `message = error.text`,
    /// `showsAlert = true`, `state = .failed`.
    private func tells(_ assignment: Assignment, _ value: FailureValue) -> Bool {
        guard hasFailed else { return false }
        if value == .failure { return !isLocal(assignment) }
        if value != .no, assignment.target.lastName?.namesFailure == true { return true }
        if assignment.singleValue?.bare.saysFailure == true { return true }
        return assignment.singleValue?.bare.lastName?.namesFailure == true
    }

    /// Returns whether an assignment is to a variable of the body, not to a member.
    private func isLocal(_ assignment: Assignment) -> Bool {
        guard let name = assignment.target.as(DeclReferenceExprSyntax.self)?.baseName.text,
            case .variable(_, let declaration) = target.binding(name, at: assignment.node)
        else { return false }
        return declaration.memberOf == nil
    }

    private mutating func branches(of expression: ExprSyntax) -> FailureValue {
        if let node = expression.as(IfExprSyntax.self) {
            let truth = truth(of: node.conditions)
            guard let inner = target.results(of: node.body.statements).first else {
                return .unknown
            }
            if truth == .yes { return value(of: inner) }
            guard truth == .no, case .codeBlock(let block) = node.elseBody,
                let other = target.results(of: block.statements).first
            else { return .unknown }
            return value(of: other)
        }
        return .unknown
    }

    private mutating func value(of element: SubscriptCallExprSyntax) -> FailureValue {
        let list = value(of: element.calledExpression)
        for argument in element.arguments { _ = value(of: argument.expression) }
        if list == .empty,
            element.arguments.first?.expression.is(IntegerLiteralExprSyntax.self) == true
        {
            stop(at: element)
        }
        return list == .missing || list == .failure ? list : .unknown
    }
}

extension ExprSyntax {
    /// The expression inside one wrapper: `await x`, `x?`, `(x)`.
    fileprivate var wrappedOnce: ExprSyntax? {
        switch self.as(ExprSyntaxEnum.self) {
        case .awaitExpr(let node): node.expression
        case .optionalChainingExpr(let node): node.expression
        case .asExpr(let node): node.expression
        case .unsafeExpr(let node): node.expression
        case .inOutExpr(let node): node.expression
        case .consumeExpr(let node): node.expression
        default: nil
        }
    }
}

extension TryExprSyntax {
    /// Whether an `if` without `else` skips what follows from the result.
    fileprivate var isOnlyCondition: Bool {
        enclosing(OptionalBindingConditionSyntax.self)?.enclosing(IfExprSyntax.self).map {
            isInside($0.conditions) && $0.elseBody == nil
        } ?? false
    }

    /// Whether the result is dropped: `try? await f()`, `_ = try? await f()`.
    fileprivate var isStatement: Bool {
        if parent?.is(CodeBlockItemSyntax.self) == true { return true }
        let first = parent?.as(ExprListSyntax.self)?.first
        return first?.is(DiscardAssignmentExprSyntax.self) == true
    }
}

extension ExprSyntax {
    /// Whether the value is a text for people that says that something failed: `"Couldn't save"`.
    fileprivate var saysFailure: Bool {
        guard let literal = self.as(StringLiteralExprSyntax.self) else { return false }
        let text = literal.segments.description.lowercased().replacing("\u{2019}", with: "'")
        return [
            "couldn't", "could not", "can't", "cannot", "unable", "fail", "error", "went wrong",
            "not saved", "wasn't", "didn't", "not be saved", "try again", "not allowed",
        ].contains { text.contains($0) }
    }
}
