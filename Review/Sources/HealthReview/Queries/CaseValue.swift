import SwiftSyntax

/// Evaluates computed members of an enum for one of its cases: `switch self`, `self == .steps`,
/// `isCumulative ? .cumulativeSum : .discreteAverage`.
struct CaseValue {
    let target: Target
    /// The enum's name.
    let type: String
    /// The case's name.
    let name: String

    /// A value, and the expression that decided it for this case.
    struct Result {
        let value: ExprSyntax
        let place: ExprSyntax
    }

    /// Returns the value of a member's body; nil if it depends on more than the case.
    func result(of statements: CodeBlockItemListSyntax, depth: Int = 0) -> Result? {
        guard depth < 8 else { return nil }
        for item in statements {
            let node = Syntax(item.item)
            let expression =
                node.as(ExpressionStmtSyntax.self)?.expression ?? node.as(ExprSyntax.self)
            if let value = node.as(ReturnStmtSyntax.self)?.expression {
                return result(of: value, depth: depth + 1)
            }
            if let choice = expression?.as(IfExprSyntax.self), choice.elseBody == nil {
                guard choice.conditions.count == 1,
                    case .expression(let condition)? = choice.conditions.first?.condition,
                    let truth = truth(of: condition, depth: depth + 1)
                else { return nil }
                if truth.isTrue { return result(of: choice.body.statements, depth: depth + 1) }
                continue
            }
            return expression.flatMap { result(of: $0, depth: depth + 1) }
        }
        return nil
    }

    private func result(of expression: ExprSyntax, depth: Int) -> Result? {
        guard depth < 8 else { return nil }
        let bare = expression.bare
        if let choice = bare.as(SwitchExprSyntax.self) {
            guard choice.subject.bare.isOwn, let branch = branch(of: choice) else { return nil }
            return result(of: branch.statements, depth: depth + 1)
        }
        if let sequence = bare.as(SequenceExprSyntax.self) {
            let elements = Array(sequence.elements)
            guard
                let place = elements.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }
                ), place == elements.count - 2,
                let ternary = elements[place].as(UnresolvedTernaryExprSyntax.self),
                let truth = truth(of: Array(elements[..<place]), depth: depth + 1)
            else { return nil }
            let value = truth.isTrue ? ternary.thenExpression : elements[place + 1]
            return Result(value: value, place: truth.place ?? value)
        }
        if let name = bare.ownName {
            guard case .variable(let binding, _) = target.member(name, of: type),
                let getter = binding.getterStatements
            else { return nil }
            return result(of: getter, depth: depth + 1)
        }
        return Result(value: bare, place: bare)
    }

    private func branch(of choice: SwitchExprSyntax) -> SwitchCaseSyntax? {
        let branches = choice.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
        let own = branches.first { branch in
            guard case .case(let label) = branch.label else { return false }
            return label.caseItems.contains { item in
                item.whereClause == nil
                    && item.pattern.all(MemberAccessExprSyntax.self).contains {
                        $0.declName.baseName.text == name
                    }
            }
        }
        return own ?? branches.first { if case .default = $0.label { true } else { false } }
    }

    private typealias Truth = (isTrue: Bool, place: ExprSyntax?)

    private func truth(of condition: ExprSyntax, depth: Int) -> Truth? {
        truth(
            of: condition.as(SequenceExprSyntax.self).map { Array($0.elements) } ?? [condition],
            depth: depth)
    }

    /// Returns whether a condition holds for the case, and what decided it.
    private func truth(of terms: [ExprSyntax], depth: Int) -> Truth? {
        if terms.count == 3, let sign = terms[1].as(BinaryOperatorExprSyntax.self)?.operator.text,
            sign == "==" || sign == "!=", terms[0].bare.isOwn,
            let other = terms[2].bare.as(MemberAccessExprSyntax.self)
        {
            return ((other.declName.baseName.text == name) == (sign == "=="), nil)
        }
        guard terms.count == 1 else { return nil }
        if let negation = terms[0].as(PrefixOperatorExprSyntax.self), negation.operator.text == "!"
        {
            return truth(of: [negation.expression], depth: depth).map { (!$0.isTrue, $0.place) }
        }
        guard let result = result(of: terms[0], depth: depth + 1),
            let literal = result.value.as(BooleanLiteralExprSyntax.self)?.literal
        else { return nil }
        return (literal.tokenKind == .keyword(.true), result.place)
    }
}
