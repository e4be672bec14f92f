import SwiftParser
import SwiftSyntax

/// What a file's code does, in the order of the source.
struct Uses: Sendable {
    var imports: Set<String> = []
    /// Every identifier that stands anywhere, closures' `$0` too.
    var names: Set<String> = []
    var calls: [FunctionCallExprSyntax] = []
    /// The same by what is called: `execute` for `store.execute(query)`.
    var callsByName: [String: [FunctionCallExprSyntax]] = [:]
    var closures: [ClosureExprSyntax] = []
    var memberAccesses: [MemberAccessExprSyntax] = []
    var forceUnwraps: [ForceUnwrapExprSyntax] = []
    var assignments: [Assignment] = []
}

/// `target = value`, or `target += value`.
///
/// Operators stay unfolded in the tree: an assignment is a sequence whose second element is its operator.
struct Assignment: Sendable {
    enum Operator: Sendable, Equatable {
        case plain
        /// As it is written: `+=`.
        case compound(String)
    }

    let node: SequenceExprSyntax
    let target: ExprSyntax
    let `operator`: Operator
    /// What stands behind the operator; several elements if that has operators of its own.
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

    /// The value if it is one expression, a cast taken off; nil for `a + b`, `a ?? b` and the like.
    var singleValue: ExprSyntax? {
        value.count == 1 || value.count == 3 && value[1].is(UnresolvedAsExprSyntax.self)
            ? value[0] : nil
    }

    /// The value, or what stands before its first `??`; nil for other operators.
    var firstChoice: ExprSyntax? {
        let isFallback =
            value.count >= 3 && value[1].as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
        return isFallback ? value[0] : singleValue
    }

    /// The assigned name without what it belongs to: `anchor` of `self.anchor = x` and of `anchor = x`;
    /// nil for elements and parts of others (`anchors[type] = x`, `other.anchor = x`).
    var ownName: String? { target.ownName }
}

extension ExprSyntax {
    /// `anchor` of `anchor`, `self.anchor`, `self?.anchor` and `Self.anchor`.
    var ownName: String? {
        if let name = self.as(DeclReferenceExprSyntax.self) { return name.baseName.text }
        if let member = self.as(MemberAccessExprSyntax.self), let base = member.base,
            base.bare.isOwn
        {
            return member.declName.baseName.text
        }
        return nil
    }

    /// `store` of `manager.store`, of `.store` and of `store`.
    var lastName: String? {
        self.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? self.as(DeclReferenceExprSyntax.self)?.baseName.text
    }

    /// The text of a string literal without interpolations.
    var plainString: String? {
        self.as(StringLiteralExprSyntax.self)?.representedLiteralValue
    }

    /// `self` or `Self`.
    var isOwn: Bool {
        guard let name = self.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind else {
            return false
        }
        return name == .keyword(.self) || name == .keyword(.Self)
    }

    /// Without `try`, `await`, parentheses, `!`, `?` and casts around it.
    var bare: ExprSyntax {
        var expression = self
        while let inner = expression.wrapped { expression = inner }
        return expression
    }

    private var wrapped: ExprSyntax? {
        switch self.as(ExprSyntaxEnum.self) {
        case .tryExpr(let node): return node.expression
        case .awaitExpr(let node): return node.expression
        case .forceUnwrapExpr(let node): return node.expression
        case .optionalChainingExpr(let node): return node.expression
        case .asExpr(let node): return node.expression
        case .tupleExpr(let node):
            guard node.elements.count == 1, let only = node.elements.first, only.label == nil
            else { return nil }
            return only.expression
        case .sequenceExpr(let node):
            // `x as? Y`: the tree is unfolded.
            let elements = Array(node.elements)
            guard elements.count == 3, elements[1].is(UnresolvedAsExprSyntax.self) else {
                return nil
            }
            return elements[0]
        default: return nil
        }
    }
}
