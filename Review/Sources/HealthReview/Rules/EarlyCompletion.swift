import SwiftSyntax

/// An observer's completion handler that is called while the work for this update is still running.
/// `ObserverCompletion` checks this in addition to paths without a call.
struct EarlyCompletion {
    let target: Target
    /// The observer's handler.
    let handler: QueryHandler
    /// The name of the completion handler's parameter.
    let name: String

    /// The first call that comes before an anchored query has answered; nil if there is none, or if
    /// reads appear to be serialized.
    var callBeforeAnchor: FunctionCallExprSyntax? {
        let early = directCalls(of: handler.statements)
        guard let first = early.first(where: { $0.calledExpression.bare.ownName == name }),
            early.allSatisfy({ call in !call.arguments.contains { $0.mentions(name) } }),
            !waits(Syntax(handler.statements))
        else { return nil }
        return readsFromKeptAnchor(Syntax(handler.statements), early) ? first : nil
    }

    /// The first call that comes before the work has ended that the update starts; nil if there is
    /// none, or if the app has no background delivery, so that it isn't suspended after the call.
    /// Work that is short and stays on the device is distinguished from other work.
    var callBeforeEnd: (call: FunctionCallExprSyntax, isOfShortWork: Bool)? {
        guard target.mentioned.contains("enableBackgroundDelivery") else { return nil }
        var pending = [(statements: handler.statements, names: Set([name]))]
        var seen: Set<SyntaxIdentifier> = []
        while let next = pending.popLast(), seen.count < 32 {
            guard seen.insert(next.statements.id).inserted,
                !next.statements.waitsForWork
            else { continue }
            var walk = PathWalk(EarlyPaths(target: target, names: next.names))
            walk.walk(next.statements, from: [EarlyPaths.Path()])
            if let early = walk.analysis.early {
                let work = StartedWork(target: target)
                return (early, walk.analysis.works.allSatisfy { work.isShort($0) })
            }
            let names = walk.analysis.names
            for closure in next.statements.all(ClosureExprSyntax.self)
            where names.contains(where: { closure.statements.mentions($0) }) {
                pending.append((closure.statements, names))
            }
            pending += walk.analysis.handedOn
        }
        return nil
    }

    /// Returns the calls that the handler makes itself, outside closures that it passes on.
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

    /// Returns whether an anchored query starts in the handler, or in a function it calls, from an
    /// anchor that is loaded at that time.
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
            // A query with an update handler keeps running and reports later changes itself, so
            // it isn't the read of one update.
            guard handlers.allSatisfy({ $0.property == nil }) else { return false }
            return !anchor.bare.is(NilLiteralExprSyntax.self)
                && !handlers.contains { $0.statements.mentions(name) }
        }
    }

    /// Returns whether code appears to serialize reads: with a lock, a queue, a flag for a running
    /// read, or `await`.
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
