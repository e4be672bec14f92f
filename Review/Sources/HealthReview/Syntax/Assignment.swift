import SwiftSyntax

/// `target = value`, or `target += value`.
///
/// Operators are unfolded in the tree: an assignment is a sequence whose second element is its
/// operator.
struct Assignment: Sendable {
    enum Operator: Sendable, Equatable {
        case plain
        /// A compound operator as written: `+=`.
        case compound(String)
    }

    let node: SequenceExprSyntax
    let target: ExprSyntax
    let `operator`: Operator
    /// The elements after the operator. There are several if the value contains operators.
    let value: [ExprSyntax]

    init?(_ node: SequenceExprSyntax) {
        let elements = Array(node.elements)
        guard elements.count >= 3 else { return nil }
        if elements[1].is(AssignmentExprSyntax.self) {
            `operator` = .plain
        } else if let text = elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text,
            text.hasSuffix("="), !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(text)
        {
            `operator` = .compound(text)
        } else {
            return nil
        }
        self.node = node
        target = elements[0]
        value = Array(elements[2...])
    }

    /// The value if it is a single expression, without casts; nil for `a + b`, `a ?? b` and the
    /// like.
    var singleValue: ExprSyntax? {
        value.count == 1 || value.count == 3 && value[1].is(UnresolvedAsExprSyntax.self)
            ? value[0] : nil
    }

    /// The value, or the part before its first `??`; nil for other operators.
    var firstChoice: ExprSyntax? {
        let isFallback =
            value.count >= 3 && value[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
        return isFallback ? value[0] : singleValue
    }

    /// The terms that are added to the assigned variable: of `total += a` and of
    /// `total = total + a`. It is nil for other assignments.
    var addedTerms: [ExprSyntax]? {
        switch `operator` {
        case .compound("+="): return value
        case .plain:
            guard value.count >= 3,
                value[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "+",
                let name = ownName, value[0].ownName == name
            else { return nil }
            return Array(value[2...])
        default: return nil
        }
    }

    /// The assigned name without its base: `anchor` in `self.anchor = x` and in `anchor = x`. It is
    /// nil for elements and members of other values (`anchors[type] = x`, `other.anchor = x`).
    var ownName: String? { target.ownName }
}
