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
                "HealthKit stops waking the app after three updates: call the observer's completion handler",
                at: token, in: file)
            return
        }
        var walk = PathWalk(CompletionPaths(names: [name]))
        walk.walk(handler.statements, from: .open)
        var pending = walk.analysis.later
        var first = walk.analysis.unfinished
        var lost = walk.analysis.lost
        while first == nil, let closure = pending.popLast() {
            var inner = PathWalk(CompletionPaths(names: walk.analysis.names))
            inner.walk(closure.statements, from: .open)
            pending += inner.analysis.later
            first = inner.analysis.unfinished
            lost = lost ?? inner.analysis.lost
        }
        guard let first else {
            reviewTiming(handler, name, lost, target, file, &report)
            return
        }
        switch first {
        case .returned(let node):
            report.add(
                "HealthKit stops waking the app after three updates that leave here: call `\(name)` first, or in a `defer`",
                at: node, in: file)
        case .thrown(let node):
            report.add(
                "HealthKit stops waking the app after three errors thrown here: call `\(name)` in a `defer`",
                at: node, in: file)
        case .finished:
            report.add(
                "HealthKit stops waking the app after three updates without a call of `\(name)`: call it on every way, as in a `defer`",
                at: token, in: file)
        }
    }
}

extension ObserverCompletion {
    /// Reports a completion handler that is lost with `self`, or that is called too early.
    private func reviewTiming(
        _ handler: QueryHandler, _ name: String, _ lost: FunctionCallExprSyntax?,
        _ target: Target, _ file: SourceFile, _ report: inout Report
    ) {
        if let lost {
            let type = lost.enclosingTypeName
            let isLongLived = type.map { target.lifetimes.isLongLived($0) } ?? false
            report.add(
                "HealthKit stops waking the app after three updates without the object before `?`: unwrap it first, and call `\(name)` where it is nil",
                at: lost, in: file, severity: isLongLived ? .note : severity)
        }
        let early = EarlyCompletion(target: target, handler: handler, name: name)
        if let call = early.callBeforeAnchor {
            report.add(Self.tooEarly(name), at: call, in: file)
        } else if let (call, isOfShortWork) = early.callBeforeEnd {
            report.add(
                "HealthKit may suspend the app in the middle of the work that starts here: call `\(name)` when it is done",
                at: call, in: file, severity: isOfShortWork ? .note : severity)
        }
    }

    fileprivate static func tooEarly(_ name: String) -> String {
        "`\(name)` is called before the anchored query has answered: a wake that comes meanwhile reads from the same anchor and is given the same changes; read once at a time, and call it when the new anchor is saved"
    }
}

/// Determines whether the completion handler was called or passed on, on every path so far.
private struct CompletionPaths: PathAnalysis {
    enum State: Int {
        case open
        /// Passed to an optional object: `self?.handle(completion)`.
        case chained
        case called
    }

    /// The names of the completion handler and of wrappers: `let finish = { completion() }`.
    var names: Set<String>
    /// The first path that ends without a call.
    var unfinished: PathEnd?
    /// The first call that an optional object receives, on a path without another call.
    var lost: FunctionCallExprSyntax?
    /// Closures that run once, later, and that received the completion handler.
    var later: [ClosureExprSyntax] = []
    private var chained: FunctionCallExprSyntax?

    init(names: Set<String>) { self.names = names }

    mutating func visit(_ node: Syntax, _ state: inout State) {
        if let function = node.as(FunctionDeclSyntax.self) {
            if mentions(node) { names.insert(function.name.text) }
        } else if let (name, value) = node.onlyBinding,
            value.is(ClosureExprSyntax.self) || value.is(DeclReferenceExprSyntax.self)
        {
            if mentions(Syntax(value)) { names.insert(name) }
        } else if mentions(node) {
            if state == .open, let closure = onlyCarrier(in: node) { later.append(closure) }
            if let call = optionalCall(in: node) {
                chained = chained ?? call
                if state == .open { state = .chained }
            } else {
                state = .called
            }
        }
    }

    mutating func postpone(_ body: CodeBlockItemListSyntax, _ state: inout State) {
        if mentions(Syntax(body)) { state = .called }
    }

    func joined(_ one: State, _ other: State) -> State {
        one.rawValue < other.rawValue ? one : other
    }

    mutating func leave(_ end: PathEnd, _ state: State) {
        if state == .open, unfinished == nil { unfinished = end }
        if state == .chained, lost == nil { lost = chained }
    }

    private func mentions(_ node: Syntax) -> Bool { names.contains { node.mentions($0) } }

    /// Returns the call of an optional object's function that contains every mention of the handler
    /// in its arguments: `self?.handle(completion)`.
    private func optionalCall(in node: Syntax) -> FunctionCallExprSyntax? {
        let mentions = names.flatMap { node.references(to: $0) }
        return node.outsideOfClosures.lazy.compactMap { $0.as(FunctionCallExprSyntax.self) }
            .first { call in
                call.isOnOptional
                    && mentions.allSatisfy { mention in
                        mention.isInside(call) && !mention.isInside(call.calledExpression)
                    }
            }
    }

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

extension FunctionCallExprSyntax {
    /// Whether the call isn't made if an object is nil: `self?.sync.run()`.
    fileprivate var isOnOptional: Bool {
        var expression = calledExpression
        for _ in 0..<16 {
            if expression.is(OptionalChainingExprSyntax.self) { return true }
            if let member = expression.as(MemberAccessExprSyntax.self), let base = member.base {
                expression = base
            } else if let call = expression.as(FunctionCallExprSyntax.self) {
                expression = call.calledExpression
            } else {
                return false
            }
        }
        return false
    }
}
