import SwiftSyntax

/// Reports a new anchor that is stored before its samples are processed.
struct AnchorBeforeData: Rule {
    let name = "anchor-before-data"
    let summary = "an anchor that is saved before the data it came with"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        for scope in AnchorScopes.find(in: target) {
            guard scope.names.isUseful,
                let file = target.file(of: scope.statements)
            else {
                continue
            }
            var walk = PathWalk(AnchorOrder(target, scope.names, scope.statements))
            walk.walk(scope.statements, from: AnchorOrder.State())
            for (node, reason) in walk.analysis.found {
                report.add(reason.message, at: node, in: file)
            }
        }
    }
}

/// The events that may have happened on the paths to a statement.
struct AnchorEvents: Sendable {
    /// Places that stored the anchor, each with the data that had been used before.
    var saves: [(node: Syntax, after: Set<String>)] = []
    var used: Set<String> = []
    /// Data that is processed in a task that isn't awaited.
    var pending: Set<String> = []
}

/// Determines the order in which an anchor is stored and its data is used.
struct AnchorOrder: PathAnalysis {
    typealias State = AnchorEvents

    enum Reason {
        case early, busy, outside, unchecked

        var message: String {
            switch self {
            case .early:
                "changes that fail after this line never come again: save the anchor last, after its data"
            case .busy:
                "changes that fail in the task never come again: save the anchor at the task's end"
            case .outside:
                "changes whose transaction fails never come again: save the anchor in the transaction, or after it"
            case .unchecked:
                "changes that failed before this line, unnoticed, never come again: save the anchor only after success"
            }
        }
    }

    private(set) var found: [(node: Syntax, reason: Reason)] = []
    private let target: Target
    private let body: CodeBlockItemListSyntax
    private var names: AnchorNames
    /// The states at the ends of closures, the innermost last.
    private var ends: [State?] = [nil]

    init(_ target: Target, _ names: AnchorNames, _ body: CodeBlockItemListSyntax) {
        (self.target, self.names, self.body) = (target, names, body)
    }

    mutating func visit(_ node: Syntax, _ state: inout State) {
        if node.is(FunctionDeclSyntax.self) { return }
        // A call that takes both the anchor and its data determines the order itself.
        var joint: [Syntax] = []
        for inner in node.outsideOfClosures {
            if let closure = inner.as(ClosureExprSyntax.self) {
                enter(closure, &state)
            } else if let call = inner.as(FunctionCallExprSyntax.self) {
                let load = names.load(inArgumentsOf: call)
                if load.hasAnchor, !load.data.isEmpty {
                    joint.append(Syntax(call))
                } else if load.hasAnchor, target.keeps(call) {
                    keep(Syntax(call), &state)
                } else if call.calledName == "write", let base = call.base,
                    names.load(in: base).hasAnchor
                {
                    keep(Syntax(call), &state)
                } else if call.isCommit {
                    commit(call, state)
                }
            } else if let sequence = inner.as(SequenceExprSyntax.self) {
                assign(sequence, &state)
            } else if let load = names.load(of: inner), !load.data.isEmpty, !load.hasAnchor,
                isUse(inner), !joint.contains(where: { inner.isInside($0) })
            {
                use(load.data, &state)
            }
        }
        bindNames(node)
    }

    mutating func enter(_ loop: ForStmtSyntax, _ state: inout State) {
        let load = names.load(in: loop.sequence)
        guard !load.data.isEmpty, !load.hasAnchor else { return }
        names.bind(loop.pattern, to: loop.sequence)
        if loop.pattern.is(WildcardPatternSyntax.self) { use(load.data, &state) }
    }

    mutating func postpone(_ body: CodeBlockItemListSyntax, _ state: inout State) {}

    func joined(_ one: State, _ other: State) -> State {
        var all = one
        all.used.formUnion(other.used)
        all.pending.formUnion(other.pending)
        for save in other.saves where !all.saves.contains(where: { $0.node == save.node }) {
            all.saves.append(save)
        }
        return all
    }

    mutating func leave(_ end: PathEnd, _ state: State) {
        guard let place = ends.indices.last else { return }
        ends[place] = ends[place].map { joined($0, state) } ?? state
    }
}

extension AnchorOrder {
    private mutating func keep(_ node: Syntax, _ state: inout State) {
        if isInTransactionOfData(node) { return }
        if !state.pending.isSubset(of: state.used) { add(node, .busy) }
        if hasSwallowedFailure(before: node) { add(node, .unchecked) }
        if !state.saves.contains(where: { $0.node == node }) {
            state.saves.append((node, state.used))
        }
    }

    /// Returns whether a transaction stores both:
    /// `database.write { try $0.set(anchor); try $0.insert(samples) }`.
    private func isInTransactionOfData(_ node: Syntax) -> Bool {
        node.enclosingClosures.contains { closure in
            guard closure.isInside(body), let call = closure.receivingCall,
                let name = call.calledName,
                Self.transactions.contains(where: { name.lowercased().contains($0) })
            else { return false }
            return !names.load(in: closure.statements).data.isEmpty
        }
    }

    /// Returns whether the data was handed over before, in a call whose error nobody has looked at:
    /// `try? await upload(samples)`, `do { try await upload(samples) } catch { print(error) }`.
    private func hasSwallowedFailure(before node: Syntax) -> Bool {
        var inner = node
        while let outer = inner.parent, outer != Syntax(body).parent {
            if let items = outer.as(CodeBlockItemListSyntax.self) {
                for item in items where item.position < inner.position {
                    if swallows(Syntax(item.item)) { return true }
                }
            }
            inner = outer
        }
        return false
    }

    private func swallows(_ statement: Syntax) -> Bool {
        let statement =
            statement.as(ExpressionStmtSyntax.self).map { Syntax($0.expression) } ?? statement
        if let attempt = statement.as(DoStmtSyntax.self) {
            let clauses = attempt.catchClauses
            let isSilent =
                !clauses.isEmpty && clauses.allSatisfy { $0.body.statements.isOnlyLog }
                && clauses.contains { $0.catchItems.isEmpty }
            guard isSilent, attempt.body.statements.hasNoMark else { return false }
            return attempt.body.all(TryExprSyntax.self).contains {
                $0.questionOrExclamationMark == nil && handsOver($0)
            }
        }
        var attempt = statement.as(TryExprSyntax.self)
        if let sequence = statement.as(SequenceExprSyntax.self),
            sequence.elements.first?.is(DiscardAssignmentExprSyntax.self) == true
        {
            attempt = sequence.elements.last?.as(TryExprSyntax.self)
        }
        guard let attempt, attempt.questionOrExclamationMark?.tokenKind == .postfixQuestionMark
        else { return false }
        return handsOver(attempt)
    }

    /// Returns whether a call inside is given data, and no anchor.
    private func handsOver(_ attempt: TryExprSyntax) -> Bool {
        attempt.all(FunctionCallExprSyntax.self).contains { call in
            let load = names.load(inArgumentsOf: call)
            return !load.data.isEmpty && !load.hasAnchor && !call.isReport
        }
    }

    private static let transactions = ["transaction", "write", "perform", "savepoint"]

    private mutating func use(_ data: Set<String>, _ state: inout State) {
        for save in state.saves where !data.isSubset(of: save.after) { add(save.node, .early) }
        state.used.formUnion(data)
    }

    private mutating func add(_ node: Syntax, _ reason: Reason) {
        if !found.contains(where: { $0.node == node }) { found.append((node, reason)) }
    }

    /// Handles `context.save()` after an anchor was stored elsewhere, for data that was added to
    /// `context`.
    private mutating func commit(_ call: FunctionCallExprSyntax, _ state: State) {
        guard let base = call.base?.bare, let name = base.ownName else { return }
        for save in state.saves where !save.after.isEmpty && !isPart(save.node, of: name) {
            if body.references(to: name).contains(where: { $0.position < save.node.position }) {
                add(save.node, .outside)
            }
        }
    }

    /// Returns whether the anchor is stored through the transaction's own object.
    private func isPart(_ node: Syntax, of name: String) -> Bool {
        if node.mentions(name) { return true }
        guard let call = node.as(FunctionCallExprSyntax.self),
            let function = target.function(calledBy: call)
        else { return false }
        return function.mentions(name)
    }

    private mutating func assign(_ sequence: SequenceExprSyntax, _ state: inout State) {
        guard let assignment = Assignment(sequence) else { return }
        let loads = assignment.value.map { names.load(in: $0) }
        guard loads.contains(where: \.hasAnchor), loads.allSatisfy(\.data.isEmpty) else { return }
        if target.keeps(assignment) {
            keep(Syntax(sequence), &state)
        } else if assignment.operator == .plain,
            let name = assignment.target.bare.as(DeclReferenceExprSyntax.self)?.baseName.text
        {
            names.anchors.insert(name)
        }
    }

    /// Visits the statements of a closure: immediately, or in a task that isn't awaited.
    private mutating func enter(_ closure: ClosureExprSyntax, _ state: inout State) {
        guard ends.count < 20 else { return }
        var inner = state
        if closure.runsLater { inner.pending = [] }
        ends.append(nil)
        var walk = PathWalk(self)
        walk.walk(closure.statements, from: inner)
        self = walk.analysis
        let end = ends.removeLast() ?? inner
        if closure.runsLater {
            state.pending.formUnion(end.used.subtracting(state.used))
        } else {
            state = end
        }
    }

    /// Returns whether the data is used here, and not only tested, counted, logged or renamed.
    private func isUse(_ node: Syntax) -> Bool {
        if node.is(OptionalBindingConditionSyntax.self) || node.isIdle { return false }
        let member = node.accessedMember
        let isMember =
            names.results[node.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""] != nil
        let last = isMember ? node.parent.flatMap { Syntax($0).accessedMember } : member
        if last == "isEmpty" || last == "count" { return false }
        return !node.isTransformed && !node.isLoopSequence
    }

    private mutating func bindNames(_ node: Syntax) {
        if let variable = node.as(VariableDeclSyntax.self) {
            for binding in variable.bindings {
                if let value = binding.initializer?.value { names.bind(binding.pattern, to: value) }
            }
        }
        for condition in node.as(ConditionElementListSyntax.self) ?? [] {
            if case .optionalBinding(let binding) = condition.condition,
                let value = binding.initializer?.value
            {
                names.bind(binding.pattern, to: value)
            }
        }
    }
}

extension CodeBlockItemListSyntax {
    /// Whether there is nothing but logs.
    fileprivate var isOnlyLog: Bool {
        allSatisfy { item in
            let node = Syntax(item.item)
            let expression =
                node.as(ExpressionStmtSyntax.self)?.expression ?? node.as(ExprSyntax.self)
            return expression?.bare.as(FunctionCallExprSyntax.self)?.isReport == true
        }
    }

    /// Whether nothing is set here that could tell success: `isSent = true`.
    fileprivate var hasNoMark: Bool {
        all(SequenceExprSyntax.self).allSatisfy { Assignment($0) == nil }
    }
}
