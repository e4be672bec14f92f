import SwiftSyntax

/// Reports a continuation that is resumed more than once: by a handler which HealthKit calls
/// repeatedly, or by code that goes on after it resumed.
struct ResumedTwice: Rule {
    let name = "resumed-twice"
    let summary = "a continuation resumed more than once, which ends the app"
    let severity = Severity.error

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("resume") {
            for query in file.queries where query.form == .callback {
                for handler in target.handlers(of: query) {
                    guard let repeated = RepeatedHandler(handler, of: query, target) else {
                        continue
                    }
                    review(repeated, query, target, &report)
                }
            }
        }
        for finding in target.replyFindings where finding.reply.kind == .continuation {
            guard case .second(let node) = finding.mistake else { continue }
            report.add(
                "the app ends here, since the continuation was already resumed: return after the first time",
                at: node, in: finding.file)
        }
    }

    private func review(
        _ repeated: RepeatedHandler, _ query: HealthQuery, _ target: Target, _ report: inout Report
    ) {
        let node = repeated.handler.node
        guard let file = target.file(of: node) else { return }
        for reply in continuations(around: node, target) {
            let direct = reply.calls(in: node).filter { !repeated.guards($0) }
            let calls = direct.isEmpty ? indirect(reply, repeated, target) : direct
            for call in calls {
                let part = repeated.handler.property ?? "handler"
                report.add(
                    "the second call ends the app: `\(query.kind.rawValue)` calls its \(part) again at each change, and a continuation is resumed once",
                    at: call, in: file)
            }
        }
    }

    /// Returns the continuations that the closures around a handler receive.
    private func continuations(around handler: Syntax, _ target: Target) -> [Reply] {
        var found: [Reply] = []
        var node = handler
        while let parent = node.parent {
            if let reply = parent.as(ClosureExprSyntax.self).flatMap({ target.reply(givenTo: $0) }),
                reply.kind == .continuation
            {
                found.append(reply)
            }
            node = parent
        }
        return found
    }

    /// Returns the handler's calls of local closures that resume the continuation.
    private func indirect(_ reply: Reply, _ repeated: RepeatedHandler, _ target: Target)
        -> [FunctionCallExprSyntax]
    {
        repeated.handler.node.all(FunctionCallExprSyntax.self).filter { call in
            guard let name = call.calledExpression.as(DeclReferenceExprSyntax.self),
                case .variable(let binding, _) = target.binding(name.baseName.text, at: call),
                binding.isInside(reply.body), !repeated.guards(call),
                let closure = binding.initializer?.value.bare.as(ClosureExprSyntax.self)
            else { return false }
            let inner = RepeatedHandler(closure, target)
            return reply.calls(in: Syntax(closure)).contains { !inner.guards($0) }
        }
    }
}
