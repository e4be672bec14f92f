import SwiftSyntax

/// What is wrong with the calls of callbacks that must be called once.
struct ReplyReview {
    enum Mistake: Sendable {
        case never
        /// A path that ends without a call.
        case missing(PathEnd)
        /// A call that certainly follows another one.
        case second(Syntax)
        /// A call in each round of a loop.
        case perElement(Syntax)
        /// A call in a handler that HealthKit calls again.
        case repeated(Syntax, HealthQuery.Kind)
    }

    struct Finding: Sendable {
        let reply: Reply
        let mistake: Mistake
        /// Where the code begins that has to call the callback.
        let place: TokenSyntax
        let file: SourceFile
    }

    private(set) var findings: [Finding] = []
    private let target: Target

    /// - Complexity: O(nodes of the functions around HealthKit calls), times the number of their
    ///   callbacks.
    init(_ target: Target) {
        self.target = target
        let healthTypes = target.typesAroundHealth
        for file in target.files
        where file.mentionsStore
            || !Reply.bridgedTypes.isDisjoint(with: file.uses.names)
                && !healthTypes.isDisjoint(with: file.uses.names)
        {
            for reply in target.replies(in: file) { review(reply) }
        }
    }

    private struct Walk {
        let reply: Reply
        let statements: CodeBlockItemListSyntax
        let outcome: HandlerOutcome
    }

    private mutating func review(_ reply: Reply) {
        guard let file = target.file(of: reply.token) else { return }
        guard reply.names.contains(where: { reply.body.mentions($0) }) else {
            findings.append(
                Finding(reply: reply, mistake: .never, place: reply.token, file: file))
            return
        }
        var seen: Set<SyntaxIdentifier> = []
        let flags = reply.body.flagNames
        var pending = [Walk(reply: reply, statements: reply.body, outcome: outcome(of: reply))]
        while let next = pending.popLast() {
            guard seen.insert(next.statements.id).inserted,
                let file = target.file(of: next.statements)
            else { continue }
            var walk = PathWalk(ReplyPaths(next.reply, next.outcome, flags: flags))
            walk.walk(next.statements, from: [ReplyPaths.Path()])
            let paths = walk.analysis
            let place =
                next.statements.parent?.as(ClosureExprSyntax.self)?.leftBrace ?? next.reply.token
            if let end = paths.unanswered, !isReported(end, of: next) {
                findings.append(
                    Finding(reply: next.reply, mistake: .missing(end), place: place, file: file))
            }
            if let second = paths.second {
                findings.append(
                    Finding(reply: next.reply, mistake: .second(second), place: place, file: file))
            }
            if let call = callPerElement(next) {
                findings.append(
                    Finding(
                        reply: next.reply, mistake: .perElement(Syntax(call)), place: place,
                        file: file))
            }
            for closure in paths.later {
                if let inner = self.walk(closure, of: next, file) { pending.append(inner) }
            }
            pending += paths.receivers.compactMap { received(by: $0, next.reply) }
        }
    }

    /// The outcome in the closure that a group's reply belongs to.
    private func outcome(of reply: Reply) -> HandlerOutcome {
        let closure = reply.body.parent?.as(ClosureExprSyntax.self)
        return closure.flatMap { outcome(in: $0) } ?? HandlerOutcome()
    }

    /// Returns whether the caller learns of an error that is thrown.
    private func isReported(_ end: PathEnd, of walk: Walk) -> Bool {
        let function = walk.statements.parent?.parent?.as(FunctionDeclSyntax.self)
        switch end {
        case .thrown: return function?.signature.effectSpecifiers?.throwsClause != nil
        case .returned(let node):
            // `return nil` of a function that returns its query.
            return node.expression != nil && function?.signature.returnClause != nil
        case .finished: return false
        }
    }

    private mutating func walk(_ closure: ClosureExprSyntax, of walk: Walk, _ file: SourceFile)
        -> Walk?
    {
        let reply = walk.reply
        switch HandlerRun(closure, target) {
        case .again:
            noteRepeated(closure, reply, file)
            return nil
        case .once:
            return Walk(
                reply: reply, statements: closure.statements,
                outcome: outcome(in: closure) ?? HandlerOutcome())
        case .unknown:
            if closure.runsSoon {
                return Walk(reply: reply, statements: closure.statements, outcome: walk.outcome)
            }
            guard let call = closure.receivingCall, let function = target.function(calledBy: call),
                function.takesCompletion(closure, in: call)
            else { return nil }
            return Walk(
                reply: reply, statements: closure.statements,
                outcome: HandlerOutcome(errors: closure.errorNames))
        }
    }

    /// Returns the function that is given the callback, with its own name for it.
    private func received(by call: FunctionCallExprSyntax, _ reply: Reply) -> Walk? {
        guard let function = target.function(calledBy: call), let body = function.body else {
            return nil
        }
        let known = KnownCall(function: function, call: call)
        let parameter = function.signature.parameterClause.parameters.first { parameter in
            known.argument(for: parameter)?.bare.ownName.map { reply.names.contains($0) } == true
        }
        guard let parameter, reply.kind != .signal, reply.names.count == 1,
            body.mentions(parameter.ownName)
        else { return nil }
        let inner = Reply(
            kind: reply.kind, members: reply.members, names: [parameter.ownName],
            token: parameter.secondName ?? parameter.firstName, body: body.statements)
        // A function that only reads from the callback's object, or returns a value, answers
        // nobody.
        guard function.signature.returnClause == nil, !inner.calls(in: Syntax(body)).isEmpty else {
            return nil
        }
        return Walk(reply: inner, statements: body.statements, outcome: HandlerOutcome())
    }
}

extension ReplyReview {
    /// Returns a call that each round of a loop makes, without leaving the loop.
    private func callPerElement(_ walk: Walk) -> FunctionCallExprSyntax? {
        // A handler may be meant to be called for each element.
        if walk.reply.names.contains(where: { $0.camelCaseWords.last == "handler" }),
            !walk.reply.mainName.lowercased().hasPrefix("completion")
        {
            return nil
        }
        return loopCall(walk)
    }

    private func loopCall(_ walk: Walk) -> FunctionCallExprSyntax? {
        walk.reply.calls(in: Syntax(walk.statements)).first { call in
            var node = Syntax(call)
            while node != Syntax(walk.statements), let parent = node.parent {
                if parent.is(ForStmtSyntax.self) { return true }
                if let closure = parent.as(ClosureExprSyntax.self) {
                    guard let name = closure.receivingCall?.calledName else { return false }
                    return ["forEach", "enumerateStatistics"].contains(name)
                        && !closure.contains("pointee")
                } else if let test = parent.as(IfExprSyntax.self) {
                    guard test.conditions.allSatisfy(\.isBinding) else { return false }
                } else if let list = parent.as(CodeBlockItemListSyntax.self) {
                    if list.contains(where: { $0.position >= node.position && $0.leaves }) {
                        return false
                    }
                } else if parent.is(FunctionDeclSyntax.self) || parent.is(SwitchCaseSyntax.self) {
                    return false
                }
                node = parent
            }
            return false
        }
    }

    /// Notes an unguarded call in a handler that is called for each batch, or for each change.
    private mutating func noteRepeated(
        _ closure: ClosureExprSyntax, _ reply: Reply, _ file: SourceFile
    ) {
        guard let (query, _) = target.query(handledBy: closure),
            let handler = target.handlers(of: query).first(where: {
                $0.node.id == Syntax(closure).id
            }),
            let repeated = RepeatedHandler(handler, of: query, target)
        else { return }
        let isStream = ![.workoutRoute, .quantitySeries, .heartbeatSeries, .electrocardiogram]
            .contains(query.kind)
        if isStream, reply.kind != .bridge { return }
        let calls = reply.calls(in: Syntax(closure))
        guard
            let call = calls.first(where: {
                !repeated.guards($0) && !closure.isOnFailure(Syntax($0))
            })
        else { return }
        findings.append(
            Finding(
                reply: reply, mistake: .repeated(Syntax(call), query.kind),
                place: closure.leftBrace, file: file))
    }

    /// Returns the results and the error that a handler receives.
    private func outcome(in closure: ClosureExprSyntax) -> HandlerOutcome? {
        if let (query, _) = target.query(handledBy: closure) {
            switch query.kind {
            case .sample, .statistics, .statisticsCollection, .source, .correlation,
                .activitySummary:
                return HandlerOutcome(closure, results: [1], error: 2)
            case .anchored: return HandlerOutcome(closure, results: [1, 2, 3], error: 4)
            default: return nil
            }
        }
        guard let call = closure.receivingCall, target.storeCompletion(of: call)?.id == closure.id
        else { return nil }
        return call.calledName == "deleteObjects"
            ? HandlerOutcome(closure, results: [0], error: 2)
            : HandlerOutcome(closure, results: [0], error: 1)
    }
}

extension Target {
    /// The types that are declared where HealthKit is used.
    fileprivate var typesAroundHealth: Set<String> {
        files.reduce(into: []) { types, file in
            if file.mentionsStore { types.formUnion(file.declarations.types.keys) }
        }
    }
}

extension CodeBlockItemListSyntax {
    /// The names that are set to true or false inside.
    fileprivate var flagNames: Set<String> {
        Set(
            all(SequenceExprSyntax.self).compactMap { node in
                guard let assignment = Assignment(node),
                    assignment.singleValue?.is(BooleanLiteralExprSyntax.self) == true
                else { return nil }
                return assignment.target.bare.ownName
            })
    }
}

extension ConditionElementSyntax {
    fileprivate var isBinding: Bool {
        if case .optionalBinding = condition { return true }
        return false
    }
}

extension CodeBlockItemSyntax {
    /// Whether the statement leaves the loop or the function.
    fileprivate var leaves: Bool {
        [.returnStmt, .breakStmt, .throwStmt].contains(Syntax(item).kind)
    }
}

extension ClosureExprSyntax {
    /// Returns whether a node is reached only with an error, which is the last call.
    fileprivate func isOnFailure(_ node: Syntax) -> Bool {
        let outcome = HandlerOutcome(errors: errorNames)
        var inner = node
        while inner.id != Syntax(self).id, let parent = inner.parent {
            if let test = parent.as(IfExprSyntax.self), inner.id == Syntax(test.body).id,
                test.conditions.contains(where: {
                    let question = outcome.question(of: $0, callbacks: [], flags: [])
                    return question == .outcome(.failure) || question == .atMost(.failure)
                })
            {
                return true
            }
            if parent.is(GuardStmtSyntax.self) { return true }
            inner = parent
        }
        return false
    }

    fileprivate var errorNames: Set<String> {
        Set(
            (0..<6).compactMap { parameter($0) }.filter {
                $0.lowercased().hasSuffix("error") || $0 == "err"
            })
    }
}

extension FunctionDeclSyntax {
    /// Returns whether a closure in a call is the function's completion handler.
    fileprivate func takesCompletion(_ closure: ClosureExprSyntax, in call: FunctionCallExprSyntax)
        -> Bool
    {
        let known = KnownCall(function: self, call: call)
        return signature.parameterClause.parameters.contains { parameter in
            parameter.isCallback && parameter.firstName.text != "handler"
                && known.argument(for: parameter)?.as(ClosureExprSyntax.self)?.id == closure.id
        }
    }
}
