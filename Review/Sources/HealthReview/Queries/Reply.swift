import SwiftSyntax

/// A callback that must be called once, since somebody waits for it: a completion handler, a
/// continuation, a promise, a group's `leave()`.
struct Reply: Sendable {
    enum Kind: Sendable, Equatable {
        /// A completion handler of the app.
        case completion
        /// A callback of Flutter or React Native, which may be called only once.
        case bridge
        case continuation
        /// The promise of a Combine `Future`, which ignores a second call.
        case future
        /// `leave()` of a DispatchGroup, or `signal()` of a semaphore.
        case signal
    }

    let kind: Kind
    /// The members that are the call: `resume` of a continuation. Empty for functions.
    let members: Set<String>
    /// The names of the callback. There are several for pairs: `resolve` and `reject`.
    let names: Set<String>
    /// The token of the first name, for a finding that belongs to no path.
    let token: TokenSyntax
    /// The code that has to see to it that the callback is called.
    let body: CodeBlockItemListSyntax

    var mainName: String { kind == .signal ? names.first ?? "" : token.text }

    /// The member of a group or semaphore that is the call.
    var signal: String { members.first ?? "" }

    /// How a statement treats the callback.
    enum Treatment: Sendable, Comparable {
        case nothing
        /// Given to other code, or called in a closure that may not run.
        case handedOn
        case called
    }

    /// Returns how an expression that is evaluated treats the callback.
    func treatment(in node: Syntax, aliases: Set<String>) -> Treatment {
        var most = Treatment.nothing
        for name in names {
            for reference in node.references(to: name) where !reference.isIdle {
                most = max(most, treatment(of: reference, in: node))
            }
        }
        if most == .called { return .called }
        return aliases.contains { node.mentions($0) } ? .handedOn : most
    }

    private func treatment(of reference: Syntax, in node: Syntax) -> Treatment {
        let member = reference.accessedMember
        if !members.isEmpty, let member, !members.contains(member) { return .nothing }
        var inner = reference
        while inner != node, let parent = inner.parent {
            if let closure = parent.as(ClosureExprSyntax.self) {
                guard closure.runsSoon,
                    closure.statements.contains(where: { item in
                        item.isOnly(inner)
                    })
                else { return .handedOn }
            }
            if parent.is(FunctionDeclSyntax.self) { return .handedOn }
            inner = parent
        }
        return isCall(reference, member) ? .called : .handedOn
    }

    /// Returns the direct calls of the callback inside a node.
    func calls(in node: Syntax) -> [FunctionCallExprSyntax] {
        names.flatMap { name in
            node.references(to: name).compactMap { reference in
                guard isCall(reference, reference.accessedMember) else { return nil }
                return reference.enclosing(FunctionCallExprSyntax.self)
            }
        }
    }

    private func isCall(_ reference: Syntax, _ member: String?) -> Bool {
        var node = reference
        while let parent = node.parent {
            if let call = parent.as(FunctionCallExprSyntax.self) {
                return Syntax(call.calledExpression).id == node.id
            }
            if parent.is(MemberAccessExprSyntax.self) {
                guard let member, members.contains(member) else { return false }
            } else if !parent.is(OptionalChainingExprSyntax.self)
                && !parent.is(ForceUnwrapExprSyntax.self)
            {
                return false
            }
            node = parent
        }
        return false
    }
}

extension CodeBlockItemSyntax {
    /// Returns whether a node inside is evaluated whenever this statement is reached.
    fileprivate func isOnly(_ node: Syntax) -> Bool {
        guard node.isInside(self) else { return false }
        let kind =
            Syntax(item).as(ExpressionStmtSyntax.self).map { Syntax($0.expression) }
            ?? Syntax(item)
        switch kind.kind {
        case .functionCallExpr, .tryExpr, .awaitExpr, .sequenceExpr: return true
        default: return false
        }
    }
}

extension ClosureExprSyntax {
    /// Whether the closure only moves its code to another queue or actor, or runs at once.
    var runsSoon: Bool {
        guard let call = receivingCall, let name = call.calledName else {
            return keyPathInParent == \FunctionCallExprSyntax.calledExpression
        }
        return runsLater || ["run", "sync", "performAndWait", "perform"].contains(name)
    }
}
