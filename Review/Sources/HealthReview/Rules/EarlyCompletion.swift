import SwiftSyntax

/// An observer's completion handler that is called while the anchored query which the wake starts is
/// still under way: what `ObserverCompletion` looks for beside ways that leave the call out.
struct EarlyCompletion {
    let target: Target
    /// The observer's handler.
    let handler: QueryHandler
    /// The completion handler's name in it.
    let name: String

    /// The first call that comes too early; nil where none does, or something keeps readings apart.
    var call: FunctionCallExprSyntax? {
        let early = directCalls(of: handler.statements)
        guard let first = early.first(where: { $0.calledExpression.bare.ownName == name }),
            early.allSatisfy({ call in !call.arguments.contains { $0.mentions(name) } }),
            !waits(Syntax(handler.statements))
        else { return nil }
        return readsFromKeptAnchor(Syntax(handler.statements), early) ? first : nil
    }

    /// Calls that the handler itself makes, outside of closures that it hands on.
    private func directCalls(of statements: CodeBlockItemListSyntax) -> [FunctionCallExprSyntax] {
        let calls = statements.all(FunctionCallExprSyntax.self)
        return calls.filter { call in
            var node = Syntax(call)
            while let parent = node.parent, node != Syntax(statements) {
                if node.is(ClosureExprSyntax.self) { return false }
                node = parent
            }
            return true
        }
    }

    /// Whether an anchored query begins in the handler or in a function it calls, from an anchor that is
    /// looked up then.
    private func readsFromKeptAnchor(_ body: Syntax, _ calls: [FunctionCallExprSyntax]) -> Bool {
        if hasReading(body) { return true }
        let functions = calls.compactMap { target.function(calledBy: $0) }
        return functions.contains { function in
            guard let body = function.body, !waits(Syntax(body)) else { return false }
            return hasReading(Syntax(body))
        }
    }

    private func hasReading(_ body: Syntax) -> Bool {
        body.all(FunctionCallExprSyntax.self).contains { call in
            guard let query = HealthQuery(call), query.kind == .anchored,
                query.form == .callback, let anchor = call.argument("anchor")
            else { return false }
            let handlers = target.handlers(of: query)
            // One that goes on by itself isn't read anew at each wake.
            guard handlers.allSatisfy({ $0.property == nil }) else { return false }
            return !anchor.bare.is(NilLiteralExprSyntax.self)
                && !handlers.contains { $0.statements.mentions(name) }
        }
    }

    /// Whether something looks as if it kept readings apart: a lock, a queue, a note that one goes on, an
    /// `await`.
    private func waits(_ body: Syntax) -> Bool {
        let words = Self.turnWords
        return body.tokens(viewMode: .sourceAccurate).contains { token in
            if token.tokenKind == .keyword(.await) { return true }
            guard case .identifier(let text) = token.tokenKind else { return false }
            let lowered = text.lowercased()
            return words.contains { lowered.contains($0) }
        }
    }

    private static let turnWords = [
        "lock", "queue", "semaphore", "busy", "running", "syncing", "progress", "isreading",
        "isfetching", "isloading", "pending", "debounce", "throttle", "group", "task",
    ]
}
