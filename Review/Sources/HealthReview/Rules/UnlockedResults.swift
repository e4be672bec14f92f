import SwiftSyntax

/// Reports a collection that several queries' handlers change at the same time.
struct UnlockedResults: Rule {
    let name = "unlocked-results"
    let summary = "a collection changed by the handlers of several queries at once"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard target.files.contains(where: \.mentionsStore) else { return }
        var changes: [SyntaxIdentifier: [Change]] = [:]
        var order: [SyntaxIdentifier] = []
        for closure in concurrentClosures(target) {
            for change in closure.changes(target) {
                if changes[change.variable.id] == nil { order.append(change.variable.id) }
                changes[change.variable.id, default: []].append(change)
            }
        }
        for variable in order {
            guard let found = changes[variable].flatMap({ Self.firstRace($0, target) }),
                let file = target.file(of: found.node)
            else { continue }
            report.add(
                "values get lost or the app crashes: several handlers change "
                    + "`\(found.variable.boundName ?? "this")` at the same time; use a serial "
                    + "queue, a lock or a task group", at: found.node, in: file)
        }
    }

    /// Returns the closures that run on queues of their own: handlers, the completion handlers they
    /// call, and blocks on a concurrent queue.
    private func concurrentClosures(_ target: Target) -> [ClosureExprSyntax] {
        var closures = target.callbackBodies.compactMap {
            $0.node.as(ClosureExprSyntax.self)
        }
        for file in target.files where file.importsHealthKit {
            for call in file.uses.callsByName["async"] ?? []
            where call.base?.contains("global") == true {
                closures += call.closures
            }
            for call in file.uses.callsByName["notify"] ?? []
            where call.argument("queue")?.contains("global") == true {
                for inner in call.closures.flatMap({
                    $0.statements.all(FunctionCallExprSyntax.self)
                }) {
                    guard let parameter = target.calledParameter(of: inner) else { continue }
                    closures += target.closures(passedFor: parameter)
                }
            }
            for call in file.uses.callsByName["concurrentPerform"] ?? [] {
                closures += call.closures
            }
        }
        let unique = Dictionary(closures.map { ($0.id, $0) }) { first, _ in first }
        return unique.values.sorted {
            (target.index.file(of: $0) ?? 0, $0.position)
                < (target.index.file(of: $1) ?? 0, $1.position)
        }
    }

    /// Returns the first change that another one can meet.
    private static func firstRace(_ changes: [Change], _ target: Target) -> Change? {
        for (place, change) in changes.enumerated() {
            if change.isRepeated { return change }
            if changes[..<place].contains(where: { $0.meets(change, target) }) { return change }
        }
        return nil
    }
}

/// A change of a variable in a closure that runs on a queue of its own.
private struct Change {
    let variable: PatternBindingSyntax
    let node: Syntax
    let closure: ClosureExprSyntax
    /// Whether a loop starts the closure several times, without waiting for each.
    let isRepeated: Bool
    /// The call that makes the query whose handler the closure is, since a query's handlers never
    /// run at the same time.
    let query: SyntaxIdentifier?

    /// Returns whether two changes may happen at once: neither's closure starts the other or waits
    /// for it, and they aren't branches of one condition.
    func meets(_ other: Change, _ target: Target) -> Bool {
        guard closure.id != other.closure.id, !closure.isInside(other.closure),
            !other.closure.isInside(closure), !closure.isAlternative(to: other.closure)
        else { return false }
        if let query, let second = other.query, query == second { return false }
        let function = closure.enclosingFunction
        guard function == other.closure.enclosingFunction else {
            return areStartedTogether(function, other.closure.enclosingFunction, target)
        }
        let (first, last) =
            closure.position < other.closure.position
            ? (closure, other.closure) : (other.closure, closure)
        return !function.all(FunctionCallExprSyntax.self).contains { call in
            call.calledName == "wait" && call.position >= first.endPosition
                && call.endPosition < last.position
        }
    }
}

extension Change {
    /// Returns whether one function calls both functions, one after the other without waiting.
    private func areStartedTogether(
        _ first: Syntax, _ last: Syntax, _ target: Target
    ) -> Bool {
        guard let one = first.as(FunctionDeclSyntax.self),
            let two = last.as(FunctionDeclSyntax.self)
        else { return false }
        let others = target.calls(of: two).map(\.call).filter { !$0.isAwaited }
        return target.calls(of: one).map(\.call).contains { call in
            !call.isAwaited
                && others.contains { other in
                    call.enclosingBody == other.enclosingBody && !call.isAlternative(to: other)
                }
        }
    }
}

// MARK: - Changes

/// What is changed: the elements of a collection, or a collection or number by `+=`.
private enum ChangeKind {
    case elements, sum
}

extension ClosureExprSyntax {
    /// Returns the collections and sums outside the closure that it changes without taking turns.
    fileprivate func changes(_ target: Target) -> [Change] {
        guard !isInAwaitedClosure else { return [] }
        var seen: Set<SyntaxIdentifier> = []
        return changedPlaces.compactMap { place in
            guard case .variable(let binding, let declaration) = target.binding(of: place.base),
                binding.collects(place.kind), !declaration.isConstant,
                !declaration.isInside(self), isShared(declaration, target),
                !takesTurns(at: place.node), seen.insert(binding.id).inserted
            else { return nil }
            return Change(
                variable: binding, node: place.node, closure: self,
                isRepeated: repeatingLoop.map { !declaration.isInside($0) } ?? false,
                query: target.query(handledBy: self)?.query.call.id)
        }
    }

    /// The places that the closure appends to or sets elements of, in source order.
    private var changedPlaces: [(base: ExprSyntax, node: Syntax, kind: ChangeKind)] {
        var found: [(base: ExprSyntax, node: Syntax, kind: ChangeKind)] = []
        for call in statements.all(FunctionCallExprSyntax.self) {
            if ["append", "insert", "updateValue", "formUnion", "merge", "add", "addObjects"]
                .contains(call.calledName ?? ""), let base = call.base
            {
                found.append((base.withoutSubscripts, Syntax(call), .elements))
            }
        }
        for node in statements.all(SequenceExprSyntax.self) {
            guard let assignment = Assignment(node) else { continue }
            let base = assignment.target.withoutSubscripts
            if base.id != assignment.target.bare.id {
                found.append((base, Syntax(node), .elements))
            } else if assignment.operator == .compound("+=") {
                found.append((base, Syntax(node), .sum))
            }
        }
        return found.sorted { $0.node.position < $1.node.position }
    }

    /// Returns whether a variable is visible to all runs of the closure and nothing guards it: a
    /// local variable of the function, or a plain property of a class in which nothing locks.
    private func isShared(_ declaration: VariableDeclSyntax, _ target: Target) -> Bool {
        guard let type = declaration.memberOf else {
            return declaration.enclosingFunction == enclosingFunction
                && !declaration.enclosingFunction.is(SourceFileSyntax.self)
        }
        return declaration.attributes.isEmpty && target.isDeclared(type, as: [.class])
            && !target.isOnMainActor(type)
            && declaration.bindings.allSatisfy { $0.accessorBlock == nil }
            && !target.types(type).contains { block in
                block.attributes.contains("Observable") || block.node.hasLock
            }
    }

    /// Returns whether a place in the closure waits for a lock before, or runs on another queue.
    private func takesTurns(at place: Syntax) -> Bool {
        var node = place
        while let outer = node.parent, outer.id != Syntax(self).id {
            if let inner = outer.as(ClosureExprSyntax.self), !inner.runsAtOnce { return true }
            node = outer
        }
        return statements.all(FunctionCallExprSyntax.self).contains { call in
            call.position < place.position
                && ["lock", "wait", "os_unfair_lock_lock", "lockWrite", "acquire"]
                    .contains(call.calledName ?? "")
        }
    }

    /// Whether the closure runs before the call that receives it returns, and without a lock.
    private var runsAtOnce: Bool {
        guard let call = receivingCall else {
            return keyPathInParent == \FunctionCallExprSyntax.calledExpression
        }
        let name = call.calledName ?? ""
        return !["sync", "withLock"].contains(name)
            && FunctionCallExprSyntax.runAtOnce.contains(name)
    }

    /// Whether the closure is inside an awaited call, which begins after the one before has ended.
    private var isInAwaitedClosure: Bool {
        var closure: ClosureExprSyntax? = self
        while let current = closure {
            if current.receivingCall?.isAwaited == true { return true }
            closure = current.enclosing(ClosureExprSyntax.self)
        }
        return false
    }

    /// The loop that starts the closure again and again, without waiting for it.
    private var repeatingLoop: Syntax? {
        if receivingCall?.calledName == "concurrentPerform" { return Syntax(self) }
        var node = Syntax(self)
        while let parent = node.parent, !parent.is(FunctionDeclSyntax.self) {
            if let outer = parent.as(ClosureExprSyntax.self) {
                guard let call = outer.receivingCall else { return nil }
                if ["forEach", "map", "compactMap"].contains(call.calledName ?? "") {
                    return waits(in: Syntax(outer)) ? nil : Syntax(outer)
                }
                guard call.calledName == "async" else { return nil }
            } else if parent.is(ForStmtSyntax.self) || parent.is(WhileStmtSyntax.self) {
                return waits(in: parent) ? nil : parent
            }
            node = parent
        }
        return nil
    }

    /// Returns whether a loop waits for each turn, outside the closure.
    private func waits(in loop: Syntax) -> Bool {
        loop.all(FunctionCallExprSyntax.self).contains { call in
            call.calledName == "wait" && !call.isInside(self)
        }
    }
}

// MARK: - Variables

extension PatternBindingSyntax {
    /// Returns whether the variable is a collection, or a number for `+=`, by its declaration.
    fileprivate func collects(_ kind: ChangeKind) -> Bool {
        if let type = typeAnnotation?.type {
            return type.isCollection
                || kind == .sum && Self.numbers.contains(type.baseName ?? "")
        }
        guard let value = initializer?.value.bare else { return false }
        switch value.as(ExprSyntaxEnum.self) {
        case .arrayExpr, .dictionaryExpr: return true
        case .integerLiteralExpr, .floatLiteralExpr: return kind == .sum
        case .functionCallExpr(let call):
            let callee = call.calledExpression.bare
            return callee.is(ArrayExprSyntax.self) || callee.is(DictionaryExprSyntax.self)
                || ["Array", "Dictionary", "Set", "NSMutableArray", "NSMutableDictionary"]
                    .contains(call.constructedName ?? "")
        default: return false
        }
    }

    private static let numbers: Set<String> = [
        "Double", "Int", "Float", "TimeInterval", "CGFloat", "Decimal",
    ]
}

extension TypeSyntax {
    fileprivate var isCollection: Bool {
        switch self.as(TypeSyntaxEnum.self) {
        case .arrayType, .dictionaryType: true
        case .optionalType(let type): type.wrappedType.isCollection
        default:
            ["Array", "Dictionary", "Set", "NSMutableArray", "NSMutableDictionary"]
                .contains(baseName ?? "")
        }
    }
}

extension ExprSyntax {
    /// The collection of an element: `values` in `values[type, default: []]`.
    fileprivate var withoutSubscripts: ExprSyntax {
        var base = bare
        for _ in 0..<8 {
            guard let element = base.as(SubscriptCallExprSyntax.self) else { break }
            base = element.calledExpression.bare
        }
        return base
    }
}

extension SyntaxProtocol {
    /// Whether the code has a lock, a queue of its own or another way to take turns.
    fileprivate var hasLock: Bool {
        Syntax(self).descendants.contains { node in
            guard case .identifier(let text)? = node.as(TokenSyntax.self)?.tokenKind else {
                return false
            }
            if ["sync", "barrier", "DispatchSemaphore", "OperationQueue", "Mutex"].contains(text) {
                return true
            }
            if text.camelCaseWords.last == "lock" { return true }
            let call = node.enclosing(FunctionCallExprSyntax.self)
            return text == "DispatchQueue" && call?.argument("label") != nil
        }
    }
}
