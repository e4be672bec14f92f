import SwiftSyntax

extension SyntaxProtocol {
    /// Returns whether a value is used for more than a nil test, a new name that isn't used, or a
    /// log line.
    func uses(_ name: String) -> Bool {
        var seen: Set<String> = [name]
        var pending = [name]
        while let next = pending.popLast() {
            for reference in references(to: next) where !reference.isIdle {
                guard let alias = reference.alias else { return true }
                if seen.insert(alias).inserted { pending.append(alias) }
            }
        }
        return false
    }

    /// Returns whether a name is used as a whole inside: passed to a function, returned or stored.
    func handsOn(_ name: String) -> Bool {
        references(to: name).contains { $0.accessedMember == nil }
    }

    /// Returns whether a member of a named value is used inside.
    func takes(_ member: String, of name: String) -> Bool {
        references(to: name).contains { $0.accessedMember == member }
    }

    /// Returns whether a member with this name is used on any value inside.
    func takesMember(_ member: String) -> Bool {
        Syntax(self).descendants.contains {
            $0.as(MemberAccessExprSyntax.self)?.declName.baseName.text == member
        }
    }
}

extension Syntax {
    /// The accessed member: `count` if this node is the `x` in `x.count`, `x?.count` or `x!.count`.
    var accessedMember: String? {
        var node = self
        while let parent = node.parent {
            if let access = parent.as(MemberAccessExprSyntax.self) {
                return access.base.map { Syntax($0).id } == node.id
                    ? access.declName.baseName.text : nil
            }
            guard
                parent.is(OptionalChainingExprSyntax.self) || parent.is(ForceUnwrapExprSyntax.self)
            else { return nil }
            node = parent
        }
        return nil
    }

    /// Whether a reference doesn't use the value: `x != nil`, `_ = x`, `print(x)`, `if let x`.
    var isIdle: Bool {
        if isLogEntry || self.is(OptionalBindingConditionSyntax.self) { return true }
        guard let list = outermostWrapping.parent?.as(ExprListSyntax.self), list.count == 3 else {
            return false
        }
        let elements = Array(list)
        return elements.contains { $0.is(NilLiteralExprSyntax.self) }
            || elements[0].is(DiscardAssignmentExprSyntax.self)
    }

    /// The new name for the value: `y` in `guard let y = x as? Y`, `let y = x ?? []`.
    var alias: String? {
        guard let clause = outermostWrapping.parent?.as(InitializerClauseSyntax.self) else {
            return nil
        }
        let pattern =
            clause.parent?.as(OptionalBindingConditionSyntax.self)?.pattern
            ?? clause.parent?.as(PatternBindingSyntax.self)?.pattern
        return pattern?.as(IdentifierPatternSyntax.self)?.identifier.text
    }

    /// Whether the value is only converted and named: `let xs = samples.map { … } as? [X]`,
    /// `if let x = Set(samples)`.
    var isTransformed: Bool {
        var node = self
        while let parent = node.parent {
            if let clause = parent.as(InitializerClauseSyntax.self) {
                return clause.parent?.is(PatternBindingSyntax.self) == true
                    || clause.parent?.is(OptionalBindingConditionSyntax.self) == true
            }
            switch parent.as(SyntaxEnum.self) {
            case .awaitExpr, .closureExpr, .codeBlockItem: return false
            case .functionCallExpr(let call):
                let isBase = node.id == Syntax(call.calledExpression).id
                guard let name = call.calledName,
                    isBase ? Self.forms.contains(name) : name.first?.isUppercase == true
                else { return false }
            case .memberAccessExpr, .labeledExpr, .labeledExprList, .exprList, .sequenceExpr,
                .optionalChainingExpr, .forceUnwrapExpr, .asExpr, .tryExpr, .tupleExpr, .arrayExpr,
                .arrayElement, .arrayElementList:
                break
            default: return false
            }
            node = parent
        }
        return false
    }

    private static let forms: Set<String> = [
        "map", "compactMap", "flatMap", "filter", "sorted", "prefix", "suffix", "reversed", "lazy",
    ]

    /// Whether the value is the sequence of a `for` loop.
    var isLoopSequence: Bool {
        var node = self
        while let parent = node.parent, !parent.is(CodeBlockItemSyntax.self) {
            if let loop = parent.as(ForStmtSyntax.self) {
                return node.id == Syntax(loop.sequence).id
            }
            if parent.is(FunctionCallExprSyntax.self) { return false }
            node = parent
        }
        return false
    }

    private var outermostWrapping: Syntax {
        var node = self
        while let parent = node.parent, parent.isTransparent { node = parent }
        return node
    }

    /// Whether the node wraps a value without using it: `x ?? []`, `x as? [Y]`, `(x)`.
    private var isTransparent: Bool {
        switch kind {
        case .asExpr, .optionalChainingExpr, .forceUnwrapExpr, .tryExpr, .awaitExpr: return true
        case .exprList, .sequenceExpr:
            guard
                let list = self.as(ExprListSyntax.self)
                    ?? self.as(SequenceExprSyntax.self)?.elements,
                list.count == 3
            else { return false }
            let middle = Array(list)[1]
            return middle.is(UnresolvedAsExprSyntax.self)
                || middle.as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
        default: return false
        }
    }

    /// Whether the node belongs to a logging call only.
    var isLogEntry: Bool {
        var node = self
        while let parent = node.parent {
            if parent.is(CodeBlockItemSyntax.self) || parent.is(ClosureExprSyntax.self) {
                return false
            }
            if let call = parent.as(FunctionCallExprSyntax.self), let name = call.calledName,
                node.is(LabeledExprListSyntax.self)
            {
                if ["print", "debugPrint", "NSLog", "os_log", "dump"].contains(name) {
                    return true
                }
                let base = call.base?.bare
                let owner =
                    base?.ownName ?? base?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
                if let owner = owner?.lowercased(),
                    owner.hasSuffix("logger") || owner.hasSuffix("log")
                {
                    return true
                }
            }
            node = parent
        }
        return false
    }
}
