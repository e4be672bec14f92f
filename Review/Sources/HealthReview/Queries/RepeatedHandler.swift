import SwiftSyntax

/// A handler that is called more than once, and the parameter that marks its last call.
struct RepeatedHandler {
    let handler: QueryHandler
    /// The parameter that identifies the last call; nil if there is none.
    private let done: String?
    private let target: Target

    init?(_ handler: QueryHandler, of query: HealthQuery, _ target: Target) {
        (self.handler, self.target) = (handler, target)
        switch (query.kind, handler.property) {
        case (.observer, nil): done = nil
        case (.workoutRoute, nil): done = handler.parameter(2)
        case (.quantitySeries, nil):
            done = handler.parameter(query.call.argument("sample") == nil ? 4 : 3)
        case (.heartbeatSeries, nil): done = handler.parameter(3)
        case (.electrocardiogram, nil): done = handler.parameter(2)
        case (.anchored, "updateHandler"), (.activitySummary, "updateHandler"),
            (.statisticsCollection, "statisticsUpdateHandler"):
            done = nil
        default: return nil
        }
    }

    /// Creates a local closure that such a handler calls.
    init(_ closure: ClosureExprSyntax, _ target: Target) {
        handler = QueryHandler(closure, as: ExprSyntax(closure), property: nil)
        done = nil
        self.target = target
    }

    /// Returns whether the call is reached only once: behind a test of `done` or of a flag, or
    /// because the query is stopped. A failure is the last call.
    func guards(_ call: FunctionCallExprSyntax) -> Bool {
        if stopsQuery { return true }
        let isFailure =
            call.argument("throwing") != nil
            || call.arguments.first?.expression.as(FunctionCallExprSyntax.self)?.calledName
                == "failure"
        var node = Syntax(call)
        while node.id != handler.node.id, let parent = node.parent {
            if let test = parent.as(IfExprSyntax.self), node.id != Syntax(test.conditions).id {
                let isElse = node.id != Syntax(test.body).id
                if isFailure || decides(Syntax(test.conditions))
                    || isElse && test.conditions.contains("measurement")
                {
                    return true
                }
            } else if let test = parent.as(GuardStmtSyntax.self),
                isFailure || decides(Syntax(test.conditions))
                    || test.conditions.contains("measurement")
            {
                return true
            } else if let branch = parent.as(SwitchCaseSyntax.self) {
                if isLast(branch) { return true }
            } else if let list = parent.as(CodeBlockItemListSyntax.self) {
                if list.contains(where: { $0.position < node.position && leavesOnDecision($0) }) {
                    return true
                }
            } else if let closure = parent.as(ClosureExprSyntax.self),
                closure.receivingCall?.calledName?.camelCaseWords.contains("once") == true
            {
                return true
            }
            node = parent
        }
        return false
    }

    /// Returns whether a case is for a last call, by its pattern, by what the other cases leave
    /// over, or because the subject decides.
    private func isLast(_ branch: SwitchCaseSyntax) -> Bool {
        if Syntax(branch.label).namesLastCase { return true }
        guard let choice = branch.enclosing(SwitchExprSyntax.self) else { return false }
        if case .default = branch.label, choice.contains("measurement") { return true }
        return decides(Syntax(choice.subject))
    }

    /// Whether the handler contains `store.stop(query)`.
    private var stopsQuery: Bool {
        handler.node.all(FunctionCallExprSyntax.self).contains { $0.calledName == "stop" }
    }

    /// Returns whether a condition tests `done`, or anything but the handler's own values: a flag,
    /// a lock, a state. An error must be certain.
    private func decides(_ condition: Syntax) -> Bool {
        condition.descendants.contains { node in
            if node.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "done" {
                return true
            }
            guard let reference = node.as(DeclReferenceExprSyntax.self) else { return false }
            let name = reference.baseName.text
            if name == done || flags.contains(name) || Self.namesOnce(name) { return true }
            return isCaptured(name, at: reference)
        }
    }

    /// Returns whether a name is a variable outside of the handler that may change between calls.
    private func isCaptured(_ name: String, at node: DeclReferenceExprSyntax) -> Bool {
        if node.keyPathInParent == \MemberAccessExprSyntax.declName { return false }
        guard case .variable(let binding, let declaration) = target.binding(name, at: node),
            !declaration.isInside(handler.node)
        else { return false }
        return !declaration.isConstant
            || binding.initializer?.value.bare.is(FunctionCallExprSyntax.self) == true
    }

    private var flags: Set<String> {
        Set(
            handler.node.all(SequenceExprSyntax.self)
                .compactMap { Assignment($0)?.target.bare.ownName })
    }

    static func namesOnce(_ name: String) -> Bool {
        name.camelCaseWords.contains {
            [
                "resumed", "resume", "finished", "once", "first", "completed", "returned", "called",
                "answered", "fired", "settled",
            ].contains($0)
        }
    }

    /// Returns whether a statement leaves on this condition: `guard done else { return }`,
    /// `if !done { return }`.
    private func leavesOnDecision(_ item: CodeBlockItemSyntax) -> Bool {
        let node = Syntax(item.item)
        if let test = node.as(GuardStmtSyntax.self) { return decides(Syntax(test.conditions)) }
        guard
            let test = node.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)
                ?? node.as(IfExprSyntax.self)
        else { return false }
        return (decides(Syntax(test.conditions)) || test.conditions.contains("measurement"))
            && test.body.statements.last?.item.is(ReturnStmtSyntax.self) == true
    }
}

extension SyntaxProtocol {
    /// Whether the pattern is for a last call: `case .done:`, `case .error(let error):`.
    fileprivate var namesLastCase: Bool {
        Syntax(self).descendants.contains { node in
            ["done", "error"].contains(
                node.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? "")
        }
    }
}
