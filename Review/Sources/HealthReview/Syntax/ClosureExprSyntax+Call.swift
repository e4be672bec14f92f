import SwiftSyntax

extension ClosureExprSyntax {
    /// The call the closure is given to, in its parentheses or behind it; nil where it is called itself.
    var receivingCall: FunctionCallExprSyntax? {
        guard let parent else { return nil }
        if let call = parent.as(FunctionCallExprSyntax.self) {
            return call.calledExpression.id == ExprSyntax(self).id ? nil : call
        }
        guard
            parent.is(LabeledExprSyntax.self)
                || parent.is(MultipleTrailingClosureElementSyntax.self)
        else { return nil }
        return parent.parent?.parent?.as(FunctionCallExprSyntax.self)
    }

    /// Whether the closure is started and not waited for: `Task { }`, `queue.async { }`.
    var runsLater: Bool {
        guard let call = receivingCall, let name = call.calledName else { return false }
        switch name {
        case "Task", "detached", "async", "asyncAfter", "addOperation", "performBackgroundTask",
            "asyncWrite", "dataTask", "notify":
            return !call.isAwaited
        case "perform": return !call.isAwaited
        default: return false
        }
    }
}

extension FunctionCallExprSyntax {
    /// Whether `await` stands before the call, in the same expression.
    var isAwaited: Bool {
        var node = Syntax(self)
        while let parent = node.parent {
            if parent.is(AwaitExprSyntax.self) { return true }
            guard parent.is(ExprSyntax.self), !parent.is(ClosureExprSyntax.self) else {
                return false
            }
            node = parent
        }
        return false
    }
}
