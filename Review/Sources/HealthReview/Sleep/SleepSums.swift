import HealthEngine
import SwiftSyntax

/// A sum of the durations of sleep samples.
struct SleepSum {
    /// The `+=`, or the call of `reduce`.
    let node: Syntax
    /// The name of the sum, if it has one.
    let name: String?
    /// The loop or closure that runs for each sample.
    let scope: Syntax
    let path: SleepPath
    /// The values that are added; nil if they can't be determined.
    var values: Set<Int>?
}

/// Finds sums of durations of sleep samples.
struct SleepSums {
    private let target: Target
    private let durations: SampleDurations

    init(_ target: Target, _ durations: SampleDurations) {
        (self.target, self.durations) = (target, durations)
    }

    func sums(in file: SourceFile) -> [SleepSum] {
        file.uses.assignments.compactMap { sum($0) }
            + ["reduce", "sum"].flatMap { file.uses.callsByName[$0] ?? [] }
            .compactMap { sum($0) }
    }

    // MARK: - Loops

    private func sum(_ assignment: Assignment) -> SleepSum? {
        guard let terms = assignment.addedTerms else { return nil }
        for name in durations.measured(in: terms).sorted() {
            if let sum = sum(ofParameter: name, assignment) { return sum }
            guard let (list, scope) = list(of: name, at: assignment.node),
                assignment.node.isInside(scope), isDeclared(assignment.target, outside: scope)
            else { continue }
            return sum(Syntax(assignment.node), assignment.target.sumName, list, scope)
        }
        return nil
    }

    /// Returns a sum in a function that is given one sample at a time, in a loop:
    /// `mutating func add(_ sample: HKCategorySample) { total += … }`.
    private func sum(ofParameter name: String, _ assignment: Assignment) -> SleepSum? {
        guard case .parameter(let parameter) = target.binding(name, at: assignment.node),
            let function = parameter.function, let body = function.body,
            isDeclared(assignment.target, outside: Syntax(function)),
            case .variable(_, let declaration) = target.binding(
                assignment.target.sumRoot, at: assignment.node),
            declaration.memberOf != nil
        else { return nil }
        for known in target.calls(of: function) {
            guard let argument = known.argument(for: parameter)?.bare.ownName,
                let (list, _) = list(of: argument, at: known.call)
            else { continue }
            let node = Syntax(assignment.node)
            guard var sum = sum(node, assignment.target.sumName, list, Syntax(body)) else {
                continue
            }
            sum.values = nil
            return sum
        }
        return nil
    }

    /// Returns the list whose element a name is, and the loop or closure for each element.
    private func list(
        of name: String, at node: some SyntaxProtocol
    ) -> (list: ExprSyntax, scope: Syntax)? {
        var name = name
        var place = Syntax(node)
        for _ in 0..<5 {
            switch target.binding(name, at: place) {
            case .element(let list, let loop): return (list, Syntax(loop))
            case .closureParameter(let closure, let place):
                return closure.collection(ofParameter: place).map { ($0, Syntax(closure)) }
                    ?? implicitList(of: closure)
            case .unwrapped(let value):
                guard let next = alias(of: value) else { return indexed(value) }
                (name, place) = next
            case .variable(let binding, _):
                guard let value = binding.initializer?.value else { return nil }
                guard let next = alias(of: value) else { return indexed(value) }
                (name, place) = next
            case .opaque:
                guard let list = target.enumeratedList(of: name, at: place),
                    let loop = place.enclosing(ForStmtSyntax.self)
                else { return nil }
                return (list, Syntax(loop))
            default: return nil
            }
        }
        return nil
    }

    private func alias(of value: ExprSyntax) -> (String, Syntax)? {
        value.bare.as(DeclReferenceExprSyntax.self).map { ($0.baseName.text, Syntax($0)) }
    }

    /// `samples[i]` in a loop.
    private func indexed(_ value: ExprSyntax) -> (list: ExprSyntax, scope: Syntax)? {
        guard let call = value.bare.as(SubscriptCallExprSyntax.self),
            let loop = value.enclosing(ForStmtSyntax.self)
        else { return nil }
        return (call.calledExpression, Syntax(loop))
    }

    /// The list of `reduce(0) { … }` without a base, in an extension of `Array`: the call itself.
    private func implicitList(of closure: ClosureExprSyntax) -> (ExprSyntax, Syntax)? {
        guard let call = closure.receivingCall, call.base == nil,
            call.enclosingType?.elementOfExtension != nil
        else { return nil }
        return (ExprSyntax(call), Syntax(closure))
    }

    private func isDeclared(_ sum: ExprSyntax, outside scope: Syntax) -> Bool {
        var root = sum.bare
        while let inner = root.as(SubscriptCallExprSyntax.self)?.calledExpression.bare
            ?? root.as(MemberAccessExprSyntax.self)?.base?.bare
        {
            root = inner
        }
        guard let name = root.as(DeclReferenceExprSyntax.self) else { return false }
        if root.isOwn { return true }
        switch target.binding(name.baseName.text, at: name) {
        case .variable(let binding, _):
            return !binding.isInside(scope) || isEntry(binding, ofListOutside: scope)
        case .closureParameter(let closure, 0):
            return closure.receivingCall?.calledName == "reduce"
        case .parameter: return true
        default: return false
        }
    }

    /// Returns whether a variable is a copy of an entry that the loop puts back:
    /// `var night = nights[day] ?? Night()` before `nights[day] = night`.
    private func isEntry(_ binding: PatternBindingSyntax, ofListOutside scope: Syntax) -> Bool {
        guard let name = binding.boundName, let value = binding.initializer?.value,
            let entry = value.all(SubscriptCallExprSyntax.self).first
                ?? value.bare.as(SubscriptCallExprSyntax.self),
            let list = entry.calledExpression.bare.ownName,
            case .variable(let outer, _) = target.binding(list, at: value),
            !outer.isInside(scope)
        else { return false }
        return scope.all(SequenceExprSyntax.self).compactMap { Assignment($0) }.contains {
            $0.singleValue?.bare.ownName == name
                && $0.target.bare.as(SubscriptCallExprSyntax.self)?.calledExpression.bare.ownName
                    == list
        }
    }

    // MARK: - reduce and sum

    private func sum(_ call: FunctionCallExprSyntax) -> SleepSum? {
        if call.calledName == "reduce", let closure = call.closures.first {
            let isInPlace = closure.statements.contains { $0.trimmedDescription.contains("+=") }
            guard !isInPlace, let element = closure.parameter(1),
                let list = call.base ?? implicitList(of: closure)?.0
            else { return nil }
            let measured = durations.measured(in: closure.results)
            guard measured.contains(element), closure.adds else { return nil }
            return sum(Syntax(call), call.boundName, list, Syntax(closure))
        }
        let adds = call.calledName == "sum" || call.arguments.last?.expression.shortText == "+"
        guard adds, let mapping = mapping(call.base) else { return nil }
        if let closure = mapping.closures.first {
            guard let element = closure.parameter(0),
                durations.measured(in: closure.results).contains(element)
            else { return nil }
            let list = mapping.base ?? implicitList(of: closure)?.0
            return list.flatMap { sum(Syntax(call), call.boundName, $0, Syntax(closure)) }
        }
        guard let path = mapping.unlabelledArgument(0), durations.isDuration(path: path) else {
            return nil
        }
        return sum(Syntax(call), call.boundName, mapping.base ?? ExprSyntax(call), Syntax(call))
    }

    /// Returns the `map` that made the numbers of a list.
    private func mapping(_ list: ExprSyntax?) -> FunctionCallExprSyntax? {
        guard let list else { return nil }
        let origins = target.origins(of: list)
        guard origins.count == 1, let call = origins[0].as(FunctionCallExprSyntax.self),
            ["map", "compactMap"].contains(call.calledName)
        else { return nil }
        return call
    }

    // MARK: - Samples

    private func sum(
        _ node: Syntax, _ name: String?, _ list: ExprSyntax, _ scope: Syntax
    ) -> SleepSum? {
        let path = SleepPath(list, in: target)
        guard isOfSleep(path, scope) else { return nil }
        return SleepSum(
            node: node, name: name, scope: scope, path: path,
            values: values(added: node, in: scope, path))
    }

    private func isOfSleep(_ path: SleepPath, _ scope: Syntax) -> Bool {
        let others: Set<String> = ["HKQuantitySample", "HKWorkout", "HKCorrelation"]
        guard path.elementTypes.isDisjoint(with: others) else { return false }
        let isModel = !path.elementTypes.isDisjoint(with: durations.models)
        let bodies = path.bodies + [scope]
        let known = path.queries.map { target.types(of: $0) }.filter(\.areKnown)
        if !known.isEmpty { return known.allSatisfy { $0.areAll { $0.name == "sleepAnalysis" } } }
        guard bodies.contains(where: { $0.mentions(word: "sleep") }),
            !bodies.contains(where: { $0.mentions(word: "mindful") })
        else { return isModel && isSleepModel(path) }
        return isModel || bodies.contains { $0.contains("HKCategorySample") }
            || path.elementTypes.contains("HKCategorySample")
    }

    /// Returns whether the elements' type is made in code about sleep.
    private func isSleepModel(_ path: SleepPath) -> Bool {
        path.elementTypes.intersection(durations.models).contains { name in
            (target.index.calls[name] ?? []).contains { call in
                call.enclosingFunction.mentions(word: "sleep")
                    || call.enclosingType?.node.mentions(word: "sleep") == true
            }
        }
    }

    // MARK: - Values

    /// Returns the values that are added; nil if a condition on the way isn't understood.
    private func values(added node: Syntax, in scope: Syntax, _ path: SleepPath) -> Set<Int>? {
        guard path.isComplete, !path.queries.isEmpty,
            path.elementTypes.isDisjoint(with: durations.models)
        else {
            return valuesOfConditions(around: node, in: scope).flatMap {
                $0 == SleepValues.all ? nil : $0
            }
        }
        guard var values = valuesOfConditions(around: node, in: scope) else { return nil }
        for filter in path.filters {
            let results = filter.results
            guard results.count == 1, let own = target.sleepValues(passing: results[0]) else {
                return nil
            }
            values.formIntersection(own)
        }
        for query in path.queries {
            guard let own = valuesOfPredicate(query) else { return nil }
            values.formIntersection(own)
        }
        return values
    }

    private func valuesOfPredicate(_ query: HealthQuery) -> Set<Int>? {
        var values = SleepValues.all
        for part in target.parts(of: query) {
            guard let predicate = part.predicate else { continue }
            var pending = [predicate]
            var steps = 0
            while let next = pending.popLast(), steps < 20 {
                steps += 1
                for origin in target.origins(of: next) {
                    if origin.is(NilLiteralExprSyntax.self) { continue }
                    guard let call = origin.as(FunctionCallExprSyntax.self) else { return nil }
                    if let list = call.argument("andPredicateWithSubpredicates") {
                        pending += target.elements(of: list)
                    } else if let list = call.argument("equalTo") {
                        guard let own = target.sleepValues(in: list) else { return nil }
                        values.formIntersection(own)
                    } else if call.argument("withStart") == nil {
                        return nil
                    }
                }
            }
        }
        return values
    }

    /// Returns the values that pass the conditions between a sum and its loop.
    private func valuesOfConditions(around node: Syntax, in scope: Syntax) -> Set<Int>? {
        var values = SleepValues.all
        var inner = node
        while let outer = inner.parent, inner.id != scope.id {
            var own: Set<Int>? = SleepValues.all
            switch outer.as(SyntaxEnum.self) {
            case .ifExpr(let branch): own = target.sleepValues(of: branch, reaching: inner)
            case .switchCase(let branch): own = target.sleepValues(of: branch)
            case .codeBlockItemList(let items):
                own = target.sleepValues(passingStatementsOf: items, before: inner)
            case .forStmt(let loop):
                if let filter = loop.whereClause {
                    own = target.sleepValues(passing: filter.condition)
                }
            case .sequenceExpr, .ternaryExpr:
                own =
                    outer.descendants.contains { $0.is(UnresolvedTernaryExprSyntax.self) }
                    ? nil : SleepValues.all
            default: break
            }
            guard let own else { return nil }
            values.formIntersection(own)
            inner = outer
        }
        return node.descendants.contains { $0.is(UnresolvedTernaryExprSyntax.self) } ? nil : values
    }
}

extension Target {
    fileprivate func sleepValues(of branch: IfExprSyntax, reaching inner: Syntax) -> Set<Int>? {
        guard let passing = sleepValues(passing: branch.conditions) else { return nil }
        if inner.id == Syntax(branch.body).id { return passing }
        if inner.id == Syntax(branch.conditions).id { return SleepValues.all }
        guard branch.conditions.count == 1 else { return nil }
        return passing == SleepValues.all ? passing : SleepValues.all.subtracting(passing)
    }

    fileprivate func sleepValues(of branch: SwitchCaseSyntax) -> Set<Int>? {
        guard let choice = branch.enclosing(SwitchExprSyntax.self) else { return nil }
        return sleepValues(ofCasesIn: choice)?.first { $0.branch.id == branch.id }?.values
    }

    private func sleepValues(passing conditions: ConditionElementListSyntax) -> Set<Int>? {
        var values = SleepValues.all
        for element in conditions {
            switch element.condition {
            case .expression(let condition):
                guard let own = sleepValues(passing: condition) else { return nil }
                values.formIntersection(own)
            case .matchingPattern: return nil
            default: break
            }
        }
        return values
    }

    /// Returns the values that pass each `guard`, and each `if` that leaves, before a statement.
    fileprivate func sleepValues(
        passingStatementsOf items: CodeBlockItemListSyntax, before inner: Syntax
    ) -> Set<Int>? {
        var values = SleepValues.all
        for item in items where item.position < inner.position {
            if let exit = item.item.as(GuardStmtSyntax.self) {
                guard let own = sleepValues(passing: exit.conditions) else { return nil }
                values.formIntersection(own)
            } else if let branch = item.item.as(ExpressionStmtSyntax.self)?.expression
                .as(IfExprSyntax.self), branch.body.alwaysLeaves
            {
                guard branch.conditions.count == 1,
                    let own = sleepValues(passing: branch.conditions)
                else { return nil }
                if own != SleepValues.all { values.subtract(own) }
            }
        }
        return values
    }
}

extension CodeBlockSyntax {
    /// Whether the block ends with `continue`, `return` or `break`.
    fileprivate var alwaysLeaves: Bool {
        guard let last = statements.last?.item else { return false }
        return Syntax(last).is(ContinueStmtSyntax.self) || Syntax(last).is(ReturnStmtSyntax.self)
            || Syntax(last).is(BreakStmtSyntax.self)
    }
}

extension ClosureExprSyntax {
    /// The closure's results: of each `return`, or of its only expression.
    var results: [ExprSyntax] {
        if statements.count == 1, case .expr(let only) = statements.first?.item { return [only] }
        return statements.all(ReturnStmtSyntax.self).compactMap(\.expression)
    }

    fileprivate var adds: Bool {
        results.contains { result in
            Syntax(result).descendants.contains {
                $0.as(BinaryOperatorExprSyntax.self)?.operator.text == "+"
            }
        }
    }
}

extension ExprSyntax {
    /// The variable that a sum is in: `totals` for `totals[stage]` and `self.totals.asleep`.
    fileprivate var sumRoot: String {
        var root = bare
        for _ in 0..<8 {
            if let call = root.as(SubscriptCallExprSyntax.self) {
                root = call.calledExpression.bare
            } else if root.ownName == nil,
                let base = root.as(MemberAccessExprSyntax.self)?.base?.bare
            {
                root = base
            }
        }
        return root.ownName ?? ""
    }

    /// The name of a sum: `total` for `total`, `self.total` and `totals[stage]`.
    fileprivate var sumName: String? {
        if let call = self.bare.as(SubscriptCallExprSyntax.self) { return call.shortText }
        return bare.shortText
    }
}

extension FunctionCallExprSyntax {
    /// The variable or function that gets the call's result.
    fileprivate var boundName: String? {
        var node = Syntax(self)
        while let parent = node.parent {
            if let binding = parent.as(PatternBindingSyntax.self) { return binding.boundName }
            if parent.is(CodeBlockItemSyntax.self) || parent.is(ClosureExprSyntax.self) {
                return nil
            }
            node = parent
        }
        return nil
    }
}

extension SyntaxProtocol {
    /// Returns whether an identifier inside contains a word, in any case.
    func mentions(word: String) -> Bool {
        Syntax(self).descendants.contains { node in
            guard let token = node.as(TokenSyntax.self) else { return false }
            switch token.tokenKind {
            case .identifier(let text): return text.lowercased().contains(word)
            case .dollarIdentifier: return false
            default: return false
            }
        }
    }
}
