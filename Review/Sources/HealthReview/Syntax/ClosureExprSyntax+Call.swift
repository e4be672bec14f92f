import SwiftSyntax

extension ClosureExprSyntax {
    /// The call that receives the closure, inside or after the parentheses; nil if the closure is
    /// called itself.
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

    /// Whether the closure is started without being awaited: `Task { }`, `queue.async { }`.
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
    /// Whether `await` precedes the call, in the same expression.
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
