import SwiftSyntax

/// Reports paths that leave an observer's handler without a call of `completionHandler()`.
struct ObserverCompletion: Rule {
    let name = "observer-completion"
    let summary = "an observer's completion handler that isn't called on every path, or too early"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files where file.uses.names.contains("HKObserverQuery") {
            for query in file.queries where query.kind == .observer {
                // With descriptors, the changed types are passed before the completion handler.
                let place = query.call.argument("queryDescriptors") == nil ? 1 : 2
                for handler in target.handlers(of: query) {
                    review(handler, place, target, &report)
                }
            }
        }
    }

    private func review(
        _ handler: QueryHandler, _ place: Int, _ target: Target, _ report: inout Report
    ) {
        guard let file = target.file(of: handler.node),
            let token = handler.parameterToken(place)
        else { return }
        guard let name = handler.parameter(place), handler.statements.mentions(name) else {
            report.add(
                "the observer's completion handler is never called: after three updates HealthKit stops waking the app",
                at: token, in: file)
            return
        }
        var walk = PathWalk(CompletionPaths(names: [name]))
        walk.walk(handler.statements, from: false)
        var pending = walk.analysis.later
        var first = walk.analysis.unfinished
        while first == nil, let closure = pending.popLast() {
            var inner = PathWalk(CompletionPaths(names: walk.analysis.names))
            inner.walk(closure.statements, from: false)
            pending += inner.analysis.later
            first = inner.analysis.unfinished
        }
        guard let first else {
            let early = EarlyCompletion(target: target, handler: handler, name: name)
            if let call = early.call { report.add(Self.tooEarly(name), at: call, in: file) }
            return
        }
        switch first {
        case .returned(let node):
            report.add(
                "this way out leaves `\(name)` uncalled: after three such updates HealthKit stops waking the app; call it first, or in a `defer`",
                at: node, in: file)
        case .thrown(let node):
            report.add(
                "an error thrown here leaves `\(name)` uncalled: after three such updates HealthKit stops waking the app; call it in a `defer`",
                at: node, in: file)
        case .finished:
            report.add(
                "`\(name)` isn't called on every path: after three such updates HealthKit stops waking the app; call it in a `defer`",
                at: token, in: file)
        }
    }
}

extension ObserverCompletion {
    fileprivate static func tooEarly(_ name: String) -> String {
        "`\(name)` is called before the anchored query has answered: a wake that comes meanwhile reads from the same anchor and is given the same changes; read once at a time, and call it when the new anchor is saved"
    }
}

/// Determines whether the completion handler was called or passed on, on every path so far.
private struct CompletionPaths: PathAnalysis {
    /// The names of the completion handler and of wrappers: `let finish = { completion() }`.
    var names: Set<String>
    /// The first path that ends without a call.
    var unfinished: PathEnd?
    /// Closures that run once, later, and that received the completion handler.
    var later: [ClosureExprSyntax] = []

    init(names: Set<String>) { self.names = names }

    mutating func visit(_ node: Syntax, _ state: inout Bool) {
        if let function = node.as(FunctionDeclSyntax.self) {
            if mentions(node) { names.insert(function.name.text) }
        } else if let (name, value) = node.onlyBinding,
            value.is(ClosureExprSyntax.self) || value.is(DeclReferenceExprSyntax.self)
        {
            if mentions(Syntax(value)) { names.insert(name) }
        } else if mentions(node) {
            if !state, let closure = onlyCarrier(in: node) { later.append(closure) }
            state = true
        }
    }

    mutating func postpone(_ body: CodeBlockItemListSyntax, _ state: inout Bool) {
        state = state || mentions(Syntax(body))
    }

    func joined(_ one: Bool, _ other: Bool) -> Bool { one && other }

    mutating func leave(_ end: PathEnd, _ state: Bool) {
        if !state, unfinished == nil { unfinished = end }
    }

    private func mentions(_ node: Syntax) -> Bool { names.contains { node.mentions($0) } }

    /// Returns the closure that runs once and contains every mention of the handler in the node.
    private func onlyCarrier(in node: Syntax) -> ClosureExprSyntax? {
        let mentions = names.flatMap { node.references(to: $0) }
        guard let first = mentions.first else { return nil }
        var closure: ClosureExprSyntax?
        var inner = first
        while inner != node, let parent = inner.parent {
            if let found = parent.as(ClosureExprSyntax.self) { closure = found }
            inner = parent
        }
        guard let closure, closure.runsOnce, mentions.allSatisfy({ $0.isInside(closure) }) else {
            return nil
        }
        return closure
    }
}

extension Syntax {
    /// The name and the value of a declaration `let x = value`.
    var onlyBinding: (name: String, value: ExprSyntax)? {
        guard let variable = self.as(VariableDeclSyntax.self), variable.bindings.count == 1,
            let binding = variable.bindings.first, let name = binding.boundName,
            let value = binding.initializer?.value
        else { return nil }
        return (name, value.bare)
    }
}

extension ClosureExprSyntax {
    /// Whether the closure certainly runs once, now or later.
    fileprivate var runsOnce: Bool {
        guard let call = receivingCall, let name = call.calledName else { return false }
        if runsLater { return true }
        if let query = HealthQuery(call) {
            return [.sample, .anchored, .statistics, .source, .correlation].contains(query.kind)
        }
        return ["run", "perform", "performAndWait", "sync", "requestAuthorization"].contains(name)
    }
}
