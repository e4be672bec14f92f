import SwiftSyntax

/// An analysis of every path through a body, with a state that is updated at each statement.
///
/// The state is defined by the analysis: whether something was done, or in which order.
protocol PathAnalysis {
    associatedtype State

    /// Visits an evaluated expression, condition or declaration. Nested statements aren't visited.
    mutating func visit(_ node: Syntax, _ state: inout State)
    /// Called when a loop starts another iteration.
    mutating func enter(_ loop: ForStmtSyntax, _ state: inout State)
    /// Called where a case of a `switch` is taken.
    mutating func enter(_ branch: SwitchCaseSyntax, _ state: inout State)
    /// Called where the conditions of an `if` or `guard` hold, or don't.
    mutating func assume(
        _ conditions: ConditionElementListSyntax, _ truth: ConditionTruth, _ state: inout State)
    /// Called at a `defer`. Its body runs later, on every way out of the scope.
    mutating func postpone(_ body: CodeBlockItemListSyntax, _ state: inout State)
    /// Returns the state where two paths merge.
    func joined(_ one: State, _ other: State) -> State
    /// Called at the end of a path.
    mutating func leave(_ end: PathEnd, _ state: State)
}

extension PathAnalysis {
    mutating func enter(_ loop: ForStmtSyntax, _ state: inout State) {}
    mutating func enter(_ branch: SwitchCaseSyntax, _ state: inout State) {}
    mutating func assume(
        _ conditions: ConditionElementListSyntax, _ truth: ConditionTruth, _ state: inout State
    ) {}
}

/// Whether all conditions of a list hold on a path.
enum ConditionTruth: Sendable {
    case holds, fails
}

/// How a path through a body ends.
enum PathEnd: Sendable {
    case returned(ReturnStmtSyntax)
    /// A `throw`, or a `try` whose error isn't caught inside the body.
    case thrown(Syntax)
    /// After the last statement.
    case finished
}

/// Follows the paths through the statements of a closure or a function: branches, loops, jumps,
/// errors.
///
/// Conditions aren't evaluated: each branch can be taken. Loops are assumed to run at least once,
/// and one branch of `#if` to be active. Closures and local functions belong to their expression.
///
/// - Complexity: O(n) in the statements.
struct PathWalk<Analysis: PathAnalysis> {
    typealias State = Analysis.State

    private(set) var analysis: Analysis
    /// The loops and switches around the statement, the innermost last.
    private var jumps: [Jump] = []
    /// The state in which errors arrive, for each `do` with a `catch` around the statement.
    private var thrown: [State?] = []
    private var depth = 0

    private struct Jump {
        let label: String?
        let isLoop: Bool
        /// The state at `break` and `continue`.
        var left: State?
    }

    init(_ analysis: Analysis) { self.analysis = analysis }

    /// Follows a whole body from a state.
    mutating func walk(_ body: CodeBlockItemListSyntax, from state: State) {
        if let end = run(body, state) { analysis.leave(.finished, end) }
    }

    /// Returns the state after the statements; nil if no path reaches it.
    private mutating func run(_ statements: CodeBlockItemListSyntax, _ start: State) -> State? {
        depth += 1
        defer { depth -= 1 }
        var state = start
        for item in statements {
            guard let next = run(Syntax(item.item), state, label: nil) else { return nil }
            state = next
        }
        return state
    }

    private mutating func run(_ node: Syntax, _ state: State, label: String?) -> State? {
        guard depth < 100 else { return visited(node, state) }
        switch node.as(SyntaxEnum.self) {
        case .expressionStmt(let node): return run(Syntax(node.expression), state, label: label)
        case .labeledStmt(let node):
            return run(Syntax(node.statement), state, label: node.label.text)
        case .ifExpr(let node): return branch(node, state)
        case .switchExpr(let node): return choose(node, state, label)
        case .guardStmt(let node):
            guard var next = visited(Syntax(node.conditions), state) else { return nil }
            var failed = next
            analysis.assume(node.conditions, .fails, &failed)
            if let left = run(node.body.statements, failed) { analysis.leave(.finished, left) }
            analysis.assume(node.conditions, .holds, &next)
            return next
        case .doStmt(let node): return attempt(node, state, label)
        case .forStmt, .whileStmt, .repeatStmt: return loop(node, state, label)
        case .deferStmt(let node):
            var next = state
            analysis.postpone(node.body.statements, &next)
            return next
        case .returnStmt(let node):
            if let value = node.expression, let next = visited(Syntax(value), state) {
                analysis.leave(.returned(node), next)
            } else if node.expression == nil {
                analysis.leave(.returned(node), state)
            }
            return nil
        case .throwStmt(let node):
            if let next = visited(Syntax(node.expression), state) { raise(Syntax(node), next) }
            return nil
        case .breakStmt(let node): return jump(node.label?.text, toLoop: false, state)
        case .continueStmt(let node): return jump(node.label?.text, toLoop: true, state)
        case .fallThroughStmt: return nil
        case .ifConfigDecl(let node): return configure(node, state)
        default: return visited(node, state)
        }
    }

    /// Visits a node without nested statements, and passes errors to their `catch`.
    private mutating func visited(_ node: Syntax, _ state: State) -> State? {
        var next = state
        analysis.visit(node, &next)
        if let attempt = node.throwingExpression {
            // In `done(try load())` the error comes before the call.
            raise(attempt, attempt.isArgument(in: node) ? state : next)
        }
        return node.neverReturns ? nil : next
    }

    private mutating func raise(_ node: Syntax, _ state: State) {
        guard let last = thrown.indices.last else { return analysis.leave(.thrown(node), state) }
        thrown[last] = join(thrown[last], state)
    }

    private func join(_ one: State?, _ other: State?) -> State? {
        guard let one, let other else { return one ?? other }
        return analysis.joined(one, other)
    }

    private mutating func jump(_ label: String?, toLoop: Bool, _ state: State) -> State? {
        let place = jumps.lastIndex { jump in
            label.map { $0 == jump.label } ?? (jump.isLoop || !toLoop)
        }
        if let place { jumps[place].left = join(jumps[place].left, state) }
        return nil
    }
}

extension PathWalk {
    /// Follows `if … else if … else`, for any number of branches.
    private mutating func branch(_ first: IfExprSyntax, _ state: State) -> State? {
        var node = first
        var state = state
        var end: State?
        while var next = visited(Syntax(node.conditions), state) {
            var taken = next
            analysis.assume(node.conditions, .holds, &taken)
            end = join(end, run(node.body.statements, taken))
            analysis.assume(node.conditions, .fails, &next)
            if case .codeBlock(let block) = node.elseBody {
                return join(end, run(block.statements, next))
            }
            guard case .ifExpr(let other) = node.elseBody else { return join(end, next) }
            (node, state) = (other, next)
        }
        return end
    }

    private mutating func choose(
        _ node: SwitchExprSyntax, _ state: State, _ label: String?
    ) -> State? {
        guard let start = visited(Syntax(node.subject), state) else { return nil }
        jumps.append(Jump(label: label, isLoop: false))
        var end: State?
        for element in node.cases {
            guard let branch = element.as(SwitchCaseSyntax.self) else { continue }
            var taken = visited(Syntax(branch.label), start) ?? start
            analysis.enter(branch, &taken)
            end = join(end, run(branch.statements, taken))
        }
        return join(end, jumps.removeLast().left)
    }

    private mutating func attempt(
        _ node: DoStmtSyntax, _ state: State, _ label: String?
    ) -> State? {
        if label != nil { jumps.append(Jump(label: label, isLoop: false)) }
        var end: State?
        if node.catchClauses.isEmpty {
            end = run(node.body.statements, state)
        } else {
            thrown.append(nil)
            end = run(node.body.statements, state)
            if let caught = thrown.removeLast() {
                for clause in node.catchClauses {
                    end = join(end, run(clause.body.statements, caught))
                }
            }
        }
        return label == nil ? end : join(end, jumps.removeLast().left)
    }

    private mutating func loop(_ node: Syntax, _ state: State, _ label: String?) -> State? {
        var start = state
        var body: CodeBlockItemListSyntax?
        var isEndless = false
        if let node = node.as(ForStmtSyntax.self) {
            guard let next = visited(Syntax(node.sequence), state) else { return nil }
            start = next
            analysis.enter(node, &start)
            if let filter = node.whereClause { start = visited(Syntax(filter), start) ?? start }
            body = node.body.statements
        } else if let node = node.as(WhileStmtSyntax.self) {
            guard let next = visited(Syntax(node.conditions), state) else { return nil }
            start = next
            isEndless = node.conditions.trimmedDescription == "true"
            body = node.body.statements
        } else if let node = node.as(RepeatStmtSyntax.self) {
            body = node.body.statements
        }
        guard let body else { return state }
        jumps.append(Jump(label: label, isLoop: true))
        let end = run(body, start)
        let left = jumps.removeLast().left
        if isEndless { return left }
        return join(end, left) ?? start
    }

    private mutating func configure(_ node: IfConfigDeclSyntax, _ state: State) -> State? {
        var ends: [State?] = []
        for clause in node.clauses {
            guard case .statements(let statements) = clause.elements else { continue }
            ends.append(run(statements, state))
        }
        return ends.isEmpty ? state : ends.reduce(nil) { join($0, $1) }
    }
}

extension Syntax {
    /// A `try` (not `try?` or `try!`) that is evaluated with this node, outside closures.
    fileprivate var throwingExpression: Syntax? {
        outsideOfClosures.first { node in
            node.as(TryExprSyntax.self).map { $0.questionOrExclamationMark == nil } ?? false
        }
    }

    /// Returns whether the node is evaluated as an argument of a call inside another node.
    fileprivate func isArgument(in outer: Syntax) -> Bool {
        var node = self
        while node != outer, let parent = node.parent {
            if parent.is(LabeledExprListSyntax.self) { return true }
            node = parent
        }
        return false
    }

    /// Whether the call ends the process, like `fatalError()`.
    fileprivate var neverReturns: Bool {
        guard let call = self.as(FunctionCallExprSyntax.self),
            let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
        else { return false }
        return ["fatalError", "preconditionFailure", "exit", "abort"].contains(name)
    }

    /// The node and the descendants that are evaluated with it. Closures and local functions are
    /// included, but not their contents.
    var outsideOfClosures: some Sequence<Syntax> {
        var pending = [self]
        return AnyIterator {
            guard let node = pending.popLast() else { return nil }
            if node.is(ClosureExprSyntax.self) || node.is(FunctionDeclSyntax.self) { return node }
            pending.append(contentsOf: node.children(viewMode: .sourceAccurate).reversed())
            return node
        }
    }
}
