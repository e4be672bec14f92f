import SwiftSyntax

/// How a statement ends.
enum StatementEnd: Sendable {
    /// The next statement follows.
    case passed
    /// By `return`, or `break` and `continue`.
    case left
    /// By an error that the enclosing `do` may catch.
    case threw
}

extension FailureRun {
    mutating func run(_ statements: CodeBlockItemListSyntax) -> StatementEnd {
        depth += 1
        defer { depth -= 1 }
        guard mayStep() else { return .passed }
        for item in statements {
            let end = run(Syntax(item.item))
            if isStopped { return .left }
            if end != .passed { return end }
        }
        return .passed
    }

    mutating func run(_ node: Syntax) -> StatementEnd {
        switch node.as(SyntaxEnum.self) {
        case .expressionStmt(let node): return run(Syntax(node.expression))
        case .ifExpr(let node): return branch(node)
        case .switchExpr(let node): return choose(node)
        case .guardStmt(let node): return check(node)
        case .doStmt(let node): return attempt(node)
        case .forStmt(let node): return loop(node)
        case .whileStmt(let node): return once(node.body.statements)
        case .repeatStmt(let node): return once(node.body.statements)
        case .labeledStmt(let node): return run(Syntax(node.statement))
        case .deferStmt(let node): return once(node.body.statements)
        case .returnStmt(let node):
            let value = node.expression.map { self.value(of: $0) } ?? .present
            if isThrowing { return thrown() }
            if value == .failure { isTold = true }
            leave(with: value, at: Syntax(node))
            return .left
        case .throwStmt(let node):
            _ = value(of: node.expression)
            return .threw
        case .breakStmt, .continueStmt: return .left
        case .variableDecl(let node): return declare(node)
        case .ifConfigDecl(let node): return configure(node)
        default:
            guard let expression = node.as(ExprSyntax.self) else { return .passed }
            _ = value(of: expression)
            if isThrowing { return thrown() }
            if expression.endsProcess { stop(at: expression) }
            return .passed
        }
    }

    /// Takes an error from an expression to the statement.
    private mutating func thrown() -> StatementEnd {
        isThrowing = false
        return .threw
    }

    private mutating func declare(_ variable: VariableDeclSyntax) -> StatementEnd {
        for binding in variable.bindings {
            guard let initial = binding.initializer?.value else { continue }
            var value = value(of: initial)
            if isThrowing { return thrown() }
            // A variable that starts with 0 is where results are added up.
            if !variable.isConstant { value = value.asResult }
            if let name = binding.boundName {
                names[name] = value
            } else if let parts = binding.pattern.as(TuplePatternSyntax.self) {
                for name in parts.all(IdentifierPatternSyntax.self) {
                    names[name.identifier.text] = value == .partial ? .partial : .unknown
                }
            }
        }
        return .passed
    }

    /// Follows a body that may run or not.
    private mutating func once(_ body: CodeBlockItemListSyntax) -> StatementEnd {
        let before = self
        doubt += 1
        let end = run(body)
        doubt -= 1
        isStopped = false
        merge(before)
        return end == .threw ? .threw : .passed
    }

    private mutating func check(_ node: GuardStmtSyntax) -> StatementEnd {
        let before = names
        switch truth(of: node.conditions) {
        case .yes: return .passed
        case .no: return run(node.body.statements) == .threw ? .threw : .left
        default:
            let (after, muted) = (names, isMuted)
            names = before
            let told = isTold
            if isThrowing { return thrown() }
            doubt += 1
            _ = run(node.body.statements)
            doubt -= 1
            isStopped = false
            (names, isMuted) = (after, muted)
            // What another failure tells is said on a path that leaves here.
            let isOther = !node.conditions.tokens(viewMode: .sourceAccurate).contains {
                before[$0.text] != nil
            }
            isTold = told || isTold && !isOther
            return .passed
        }
    }

    private mutating func branch(_ node: IfExprSyntax) -> StatementEnd {
        depth += 1
        defer { depth -= 1 }
        guard mayStep() else { return .passed }
        let before = self
        let truth = truth(of: node.conditions)
        if isThrowing { return thrown() }
        if truth == .yes { return run(node.body.statements) }
        if truth == .no {
            names = before.names
            return otherwise(node)
        }
        doubt += 1
        defer { doubt -= 1 }
        let first = run(node.body.statements)
        let inside = self
        names = before.names
        isStopped = false
        let second = otherwise(node)
        isStopped = false
        if first == .passed {
            if second == .passed { merge(inside) } else { names = inside.names }
        }
        return first == .passed || second == .passed ? .passed : first
    }

    private mutating func otherwise(_ node: IfExprSyntax) -> StatementEnd {
        switch node.elseBody {
        case .codeBlock(let block): run(block.statements)
        case .ifExpr(let next): branch(next)
        case nil: .passed
        }
    }

    private mutating func loop(_ node: ForStmtSyntax) -> StatementEnd {
        let list = value(of: node.sequence)
        if isThrowing { return thrown() }
        guard !list.deliversZero || list == .partial, list != .missing else { return .passed }
        if let name = node.pattern.as(IdentifierPatternSyntax.self)?.identifier.text {
            names[name] = list == .partial ? .partial : .unknown
        }
        return once(node.body.statements)
    }

    private mutating func configure(_ node: IfConfigDeclSyntax) -> StatementEnd {
        for clause in node.clauses {
            guard case .statements(let statements) = clause.elements else { continue }
            if once(statements) == .threw { return .threw }
        }
        return .passed
    }
}

// MARK: - Errors and cases

extension FailureRun {
    private mutating func attempt(_ node: DoStmtSyntax) -> StatementEnd {
        let end = run(node.body.statements)
        guard end == .threw, !node.catchClauses.isEmpty else { return end }
        for clause in node.catchClauses {
            switch clause.takesLockedDevice {
            case .no: continue
            case .unknown: isMuted = true
            default: break
            }
            let name = clause.catchItems.first?.pattern?.all(IdentifierPatternSyntax.self).first
            names[name?.identifier.text ?? "error"] = .failure
            return run(clause.body.statements)
        }
        return .threw
    }

    private mutating func choose(_ node: SwitchExprSyntax) -> StatementEnd {
        let before = hasReadError
        hasReadError = false
        let subject = observed { $0.value(of: node.subject) }
        let isOfError = hasReadError
        hasReadError = before
        if isThrowing { return thrown() }
        let cases = node.cases.compactMap { $0.as(SwitchCaseSyntax.self) }
        if subject != .unknown, let chosen = cases.first(where: { $0.takes(subject) }) {
            bind(chosen, subject)
            let end = run(chosen.statements)
            return end == .left && chosen.endsWithBreak ? .passed : end
        }
        if isOfError { isMuted = true }
        var ends: [StatementEnd] = []
        let start = self
        doubt += 1
        defer { doubt -= 1 }
        for branch in cases {
            names = start.names
            bind(branch, .unknown)
            ends.append(run(branch.statements))
            isStopped = false
        }
        let after = self
        names = start.names
        merge(after)
        return !ends.isEmpty && ends.allSatisfy { $0 == .left }
            && !cases.contains(where: \.endsWithBreak)
            ? .left : .passed
    }

    private mutating func bind(_ branch: SwitchCaseSyntax, _ value: FailureValue) {
        for name in branch.label.all(IdentifierPatternSyntax.self) {
            names[name.identifier.text] = value
        }
    }

    /// Evaluates a condition: what it reads isn't handed on.
    mutating func observed<Result>(_ body: (inout FailureRun) -> Result) -> Result {
        let before = isObserving
        isObserving = true
        defer { isObserving = before }
        return body(&self)
    }
}

extension CatchClauseSyntax {
    /// Whether the clause catches the error of a locked device.
    fileprivate var takesLockedDevice: FailureValue {
        let words = Set(catchItems.tokens(viewMode: .sourceAccurate).map(\.text))
        if words.contains("errorDatabaseInaccessible") { return .yes }
        if words.contains(where: { $0.hasPrefix("error") && $0.count > 5 }) { return .no }
        let types = words.filter { $0.first?.isUppercase == true }
        if types.isEmpty { return catchItems.contains { $0.whereClause != nil } ? .unknown : .yes }
        return types.isSubset(of: ["HKError", "NSError", "Error", "LocalizedError"])
            && !catchItems.contains { $0.whereClause != nil } ? .yes : .no
    }
}

extension SwitchCaseSyntax {
    /// Whether the last statement is `break`, which ends the switch only.
    fileprivate var endsWithBreak: Bool {
        statements.last?.item.is(BreakStmtSyntax.self) == true
    }

    /// Returns whether the case takes a known subject: a failure or the result in its place.
    fileprivate func takes(_ subject: FailureValue) -> Bool {
        let words = label.tokens(viewMode: .sourceAccurate).map(\.text)
        if label.is(SwitchDefaultLabelSyntax.self) { return true }
        switch subject {
        case .failure:
            return words.contains("failure") || words.contains("errorDatabaseInaccessible")
        case .zero, .empty, .partial: return words.contains("success")
        case .missing: return words.contains("none") || words.contains("nil")
        case .yes: return words.contains("true")
        case .no: return words.contains("false")
        default: return false
        }
    }
}

extension ExprSyntax {
    /// Whether the expression is a call that ends the process, like `fatalError()`.
    var endsProcess: Bool {
        let call = self.as(FunctionCallExprSyntax.self)
        let name = call?.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
        return ["fatalError", "preconditionFailure", "exit", "abort"].contains(name)
    }
}
