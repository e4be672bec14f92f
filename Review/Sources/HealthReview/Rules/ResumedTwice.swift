import SwiftSyntax

/// Reports a continuation that is resumed by a handler which HealthKit calls repeatedly.
struct ResumedTwice: Rule {
    let name = "resumed-twice"
    let summary = "a continuation resumed from a handler that is called more than once"
    let severity = Severity.error

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("resume") {
            for query in file.queries where query.form == .callback {
                for handler in target.handlers(of: query) {
                    guard let repeated = RepeatedHandler(handler, of: query) else { continue }
                    review(repeated, query, target, &report)
                }
            }
        }
    }

    private func review(
        _ repeated: RepeatedHandler, _ query: HealthQuery, _ target: Target, _ report: inout Report
    ) {
        guard let file = target.file(of: repeated.handler.node) else { return }
        for call in repeated.handler.node.all(FunctionCallExprSyntax.self)
        where call.calledName == "resume" {
            guard let base = call.base, isContinuation(base, repeated, target),
                !repeated.guards(call)
            else { continue }
            let part = repeated.handler.property ?? "handler"
            report.add(
                "`\(query.kind.rawValue)` calls its \(part) more than once, and a continuation resumed twice ends the app",
                at: call, in: file)
        }
    }

    /// Returns whether the expression is the continuation of a `with…Continuation` around the
    /// handler.
    private func isContinuation(
        _ expression: ExprSyntax, _ repeated: RepeatedHandler, _ target: Target
    ) -> Bool {
        guard let name = expression.bare.as(DeclReferenceExprSyntax.self)?.baseName.text else {
            return false
        }
        guard case .closureParameter(let closure, 0) = target.binding(name, at: expression) else {
            return false
        }
        return closure.receivingCall?.calledName?.hasSuffix("Continuation") == true
            && Syntax(closure).id != repeated.handler.node.id
    }
}

/// A handler that is called more than once, and the parameter that marks its last call.
private struct RepeatedHandler {
    let handler: QueryHandler
    /// The parameter that identifies the last call; nil if there is none.
    private let done: String?

    init?(_ handler: QueryHandler, of query: HealthQuery) {
        self.handler = handler
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
    /// Returns whether the call is reached only once: behind a test of `done` or of a flag, or
    /// because the query is stopped. A failure is the last call.
    func guards(_ call: FunctionCallExprSyntax) -> Bool {
        if stopsQuery { return true }
        let isFailure = call.argument("throwing") != nil
        var node = Syntax(call)
        while node.id != handler.node.id, let parent = node.parent {
            if let test = parent.as(IfExprSyntax.self), node.id != Syntax(test.conditions).id {
                if isFailure || decides(Syntax(test.conditions)) { return true }
            } else if parent.is(GuardStmtSyntax.self), isFailure {
                return true
            } else if let branch = parent.as(SwitchCaseSyntax.self) {
                let label = Syntax(branch.label)
                if label.namesLastCase { return true }
                if let choice = branch.enclosing(SwitchExprSyntax.self),
                    decides(Syntax(choice.subject))
                {
                    return true
                }
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

    /// Whether the handler contains `store.stop(query)`.
    private var stopsQuery: Bool {
        handler.node.all(FunctionCallExprSyntax.self).contains { $0.calledName == "stop" }
    }

    /// Returns whether a condition tests `done`, or a flag that the handler sets.
    private func decides(_ condition: Syntax) -> Bool {
        condition.descendants.contains { node in
            guard let name = node.as(DeclReferenceExprSyntax.self)?.baseName.text else {
                return false
            }
            return name == done || flags.contains(name) || Self.namesOnce(name)
        }
    }

    private var flags: Set<String> {
        Set(
            handler.node.all(SequenceExprSyntax.self)
                .compactMap { Assignment($0)?.target.bare.ownName })
    }

    private static func namesOnce(_ name: String) -> Bool {
        name.camelCaseWords.contains {
            ["resumed", "resume", "finished", "once", "first", "completed", "returned"].contains($0)
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
        return decides(Syntax(test.conditions))
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
