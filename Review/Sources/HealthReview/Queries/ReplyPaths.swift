import SwiftSyntax

/// Determines on every path through a body how often a callback was called.
struct ReplyPaths: PathAnalysis {
    /// What is known on one path.
    struct Path: Hashable {
        var calls = 0
        var isHandedOn = false
        var outcome = HandlerOutcome.Outcome.unknown
        /// Whether a condition after the first call may exclude the path.
        var isUnsure = false
    }

    typealias State = Set<Path>

    let reply: Reply
    let outcome: HandlerOutcome
    let flags: Set<String>
    /// Local closures and functions that mention the callback.
    private var aliases: Set<String> = []
    /// The first path that ends without a call.
    private(set) var unanswered: PathEnd?
    /// The first call that certainly follows another one.
    private(set) var second: Syntax?
    /// Closures that run once, later, and that received the callback.
    private(set) var later: [ClosureExprSyntax] = []
    /// The target's functions that received the callback, with the call.
    private(set) var receivers: [FunctionCallExprSyntax] = []

    init(_ reply: Reply, _ outcome: HandlerOutcome, flags: Set<String>) {
        (self.reply, self.outcome, self.flags) = (reply, outcome, flags)
    }

    mutating func visit(_ node: Syntax, _ state: inout State) {
        if let function = node.as(FunctionDeclSyntax.self) {
            if isMentioned(in: node) { aliases.insert(function.name.text) }
            return
        }
        if let (name, value) = node.onlyBinding,
            value.is(ClosureExprSyntax.self) || value.is(DeclReferenceExprSyntax.self)
        {
            if isMentioned(in: Syntax(value)) { aliases.insert(name) }
            return
        }
        if node.contains("assertionFailure") { return state = marked(state) }
        switch reply.treatment(in: node, aliases: aliases) {
        case .nothing: return
        case .handedOn:
            noteCarriers(in: node)
            state = marked(state)
        case .called:
            if second == nil, state.contains(where: { $0.calls > 0 && !$0.isUnsure }) {
                second = node
            }
            state = changed(state) { $0.calls = min($0.calls + 1, 2) }
        }
    }

    private func isMentioned(in node: Syntax) -> Bool {
        reply.names.union(aliases).contains { node.mentions($0) }
    }

    private mutating func noteCarriers(in node: Syntax) {
        for name in reply.names {
            for reference in node.references(to: name) {
                var closure: ClosureExprSyntax?
                var inner = reference
                while inner != node, let parent = inner.parent {
                    if let found = parent.as(ClosureExprSyntax.self) { closure = found }
                    inner = parent
                }
                if let closure {
                    if !later.contains(closure) { later.append(closure) }
                } else if let list = reference.parent?.parent?.as(LabeledExprListSyntax.self),
                    let call = list.parent?.as(FunctionCallExprSyntax.self)
                {
                    receivers.append(call)
                }
            }
        }
    }

    mutating func postpone(_ body: CodeBlockItemListSyntax, _ state: inout State) {
        if isMentioned(in: Syntax(body)) { state = marked(state) }
    }

    mutating func enter(_ branch: SwitchCaseSyntax, _ state: inout State) {
        state = changed(state) { if $0.calls > 0 { $0.isUnsure = true } }
    }

    mutating func enter(_ loop: ForStmtSyntax, _ state: inout State) {
        state = changed(state) { if $0.calls > 0 { $0.isUnsure = true } }
    }

    func joined(_ one: State, _ other: State) -> State { one.union(other) }

    mutating func leave(_ end: PathEnd, _ state: State) {
        if unanswered == nil, state.contains(where: { $0.calls == 0 && !$0.isHandedOn }) {
            unanswered = end
        }
    }

    private func marked(_ state: State) -> State { changed(state) { $0.isHandedOn = true } }

    private func changed(_ state: State, _ change: (inout Path) -> Void) -> State {
        Set(
            state.map { path in
                var path = path
                change(&path)
                return path
            })
    }
}

extension ReplyPaths {
    mutating func assume(
        _ conditions: ConditionElementListSyntax, _ truth: ConditionTruth, _ state: inout State
    ) {
        let questions = conditions.map {
            outcome.question(of: $0, callbacks: reply.names, flags: flags)
        }
        if questions.contains(.flag) {
            state = changed(state) { path in
                path.isHandedOn = true
                path.isUnsure = true
            }
            return
        }
        state = Set(
            state.compactMap { path in
                truth == .holds
                    ? Self.path(path, where: questions) : Self.path(path, unless: questions)
            })
    }

    /// Returns the path on which all conditions hold; nil if there is none.
    private static func path(_ path: Path, where questions: [HandlerOutcome.Question]) -> Path? {
        var path = path
        for question in questions {
            switch question {
            case .outcome(let needed), .atMost(let needed):
                if path.outcome != .unknown, path.outcome != needed { return nil }
                if case .atMost = question, path.calls > 0 { path.isUnsure = true }
                path.outcome = needed
            case .ownSelf, .callback: break
            case .flag, .opaque: if path.calls > 0 { path.isUnsure = true }
            }
        }
        return path
    }

    /// Returns the path on which some condition fails; nil if there is none.
    private static func path(_ path: Path, unless questions: [HandlerOutcome.Question]) -> Path? {
        var path = path
        let certain = questions.filter { $0 != .ownSelf && $0 != .callback }
        if certain.isEmpty { return questions.contains(.ownSelf) ? path : nil }
        let failsAnyway = certain.contains { question in
            switch question {
            case .outcome(let needed), .atMost(let needed):
                path.outcome != .unknown && path.outcome != needed
            default: false
            }
        }
        if failsAnyway { return path }
        guard case .outcome(let asked) = certain[0],
            certain.allSatisfy({ $0 == certain[0] })
        else {
            if path.calls > 0 { path.isUnsure = true }
            return path
        }
        if questions.contains(.ownSelf) { return path }
        guard path.outcome != asked else { return nil }
        path.outcome = asked == .success ? .failure : .success
        return path
    }
}
