import HealthEngine
import SwiftSyntax

/// Reports a statistics query that a loop starts for each day, hour or week.
struct QueryPerDay: Rule {
    let name = "query-per-day"
    let summary = "one query for each day, where a statistics collection answers with all days"
    let severity = Severity.note

    func review(_ target: Target, _ report: inout Report) {
        var search = QuerySearch(target: target)
        for file in target.files where file.mentionsDates {
            var reported: Set<SyntaxIdentifier> = []
            for loop in file.dayLoops(in: target) {
                guard let call = loop.queryCall(&search),
                    reported.insert(call.enclosingFunction.id).inserted
                else { continue }
                if let append = loop.unorderedAppend(around: call) {
                    report.add(
                        "days arrive in any order, since each one's query ends when it ends: ask "
                            + "one `HKStatisticsCollectionQuery` for all of them, or keep each "
                            + "value with its day",
                        at: append, in: file, severity: .warning)
                } else {
                    report.add(
                        "each day takes a query of its own, which is slow: one "
                            + "`HKStatisticsCollectionQuery` answers with all of them",
                        at: call, in: file)
                }
            }
        }
    }
}

/// A loop over days, hours or weeks.
private struct DayLoop {
    let body: Syntax
    /// The names that hold the day, or what is computed from it.
    let names: Set<String>

    /// Creates a loop if its body computes dates from the loop's names.
    init?(body: Syntax, seeds: Set<String>, elements: Elements) {
        var names = seeds
        for node in body.descendants {
            if let binding = node.as(PatternBindingSyntax.self), let name = binding.boundName,
                let value = binding.initializer?.value, value.mentions(anyOf: names)
            {
                names.insert(name)
            } else if let binding = node.as(OptionalBindingConditionSyntax.self),
                let value = binding.initializer?.value, value.mentions(anyOf: names),
                let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text
            {
                names.insert(name)
            }
        }
        let others = ["night", "sleep", "workout", "session"]
        guard !names.contains(where: { name in others.contains { name.lowercased().contains($0) } })
        else { return nil }
        if elements == .numbers {
            let computes = body.all(FunctionCallExprSyntax.self).contains { call in
                Self.dateCalls.contains(call.calledName ?? "") && call.mentions(anyOf: names)
            }
            guard computes else { return nil }
        }
        (self.body, self.names) = (body, names)
    }

    enum Elements { case numbers, dates }

    private static let dateCalls: Set<String> = [
        "date", "addingTimeInterval", "startOfDay", "dateInterval", "DateInterval", "advanced",
        "DateComponents",
    ]

    /// Returns the construction of a query, or the call of a function that executes one, with a
    /// date of the loop.
    func queryCall(_ search: inout QuerySearch) -> FunctionCallExprSyntax? {
        for call in body.all(FunctionCallExprSyntax.self) where call.mentions(anyOf: names) {
            if search.isStatistics(call) { return call }
            if let function = search.target.function(calledBy: call),
                call.arguments.contains(where: { $0.expression.mentions(anyOf: names) }),
                search.executes(function)
            {
                return call
            }
        }
        return nil
    }

    /// Returns an `append` in a completion handler whose value doesn't tell the day.
    func unorderedAppend(around query: FunctionCallExprSyntax) -> FunctionCallExprSyntax? {
        guard !query.isAwaited, query.constructedName?.hasSuffix("Descriptor") != true,
            !body.contains("wait")
        else { return nil }
        let function = query.enclosingFunction
        for closure in query.closures {
            let ownNames = (0..<4).compactMap { closure.parameter($0) }
            for call in closure.all(FunctionCallExprSyntax.self)
            where call.calledName == "append" && call.closures.isEmpty {
                guard let value = call.unlabelledArgument(0),
                    let list = call.base?.bare.ownName, !value.mentions(anyOf: names),
                    !value.mentions("startDate"), !function.sorts(list),
                    !ownNames.contains(list), !value.namesDate
                else { continue }
                return call
            }
        }
        return nil
    }
}

/// Finds whether functions execute a statistics query, or a sample query of quantities.
private struct QuerySearch {
    let target: Target
    private var known: [SyntaxIdentifier: Bool] = [:]

    init(target: Target) { self.target = target }

    func isStatistics(_ call: FunctionCallExprSyntax) -> Bool {
        guard let query = HealthQuery(call) else { return false }
        switch query.kind {
        case .statistics: return true
        case .sample:
            return target.types(of: query).areAll { $0.kind == .quantity && $0.isCumulative }
        default: return false
        }
    }

    /// Returns whether a function executes such a query itself, or calls one that does.
    ///
    /// - Complexity: O(nodes of the functions), each visited once: three calls deep.
    mutating func executes(_ function: FunctionDeclSyntax) -> Bool {
        if let known = known[function.id] { return known }
        known[function.id] = false
        var pending = [(function, 0)]
        var seen: Set<SyntaxIdentifier> = [function.id]
        while let (next, depth) = pending.popLast() {
            guard let body = next.body else { continue }
            for call in body.all(FunctionCallExprSyntax.self) {
                if isStatistics(call) {
                    known[function.id] = true
                    return true
                }
                guard depth < 2, call.calledName.map({ !target.functions($0).isEmpty }) == true,
                    let called = target.function(calledBy: call), seen.insert(called.id).inserted
                else { continue }
                pending.append((called, depth + 1))
            }
        }
        return false
    }
}

extension SourceFile {
    fileprivate var mentionsDates: Bool {
        !uses.names.isDisjoint(with: [
            "byAdding", "addingTimeInterval", "startOfDay", "dateInterval", "DateInterval",
        ]) || uses.names.contains { $0.hasSuffix("Days") || $0.hasSuffix("Dates") }
            || uses.names.contains("days") || uses.names.contains("dates")
    }

    /// The loops whose elements may be days.
    fileprivate func dayLoops(in target: Target) -> [DayLoop] {
        var loops: [DayLoop] = []
        var statements: Set<SyntaxIdentifier> = []
        for name in uses.callsByName.keys where Self.mayExecute(name, target) {
            for call in uses.callsByName[name] ?? [] {
                var node = call.parent
                while let outer = node, !outer.is(FunctionDeclSyntax.self) {
                    if statements.insert(outer.id).inserted,
                        let loop = DayLoop(around: outer, in: target)
                    {
                        loops.append(loop)
                    }
                    node = outer.parent
                }
            }
        }
        return loops.sorted { $0.body.position < $1.body.position }
    }

    private static func mayExecute(_ name: String, _ target: Target) -> Bool {
        name.hasPrefix("HKStatisticsQuery") || name.hasPrefix("HKSampleQuery")
            || !target.functions(name).isEmpty
    }
}

extension DayLoop {
    /// Creates the loop that a statement or closure is, if it is one over days.
    fileprivate init?(around node: Syntax, in target: Target) {
        switch node.as(SyntaxEnum.self) {
        case .forStmt(let loop):
            guard let elements = target.dayElements(of: loop.sequence) else { return nil }
            let names = loop.pattern.all(IdentifierPatternSyntax.self).map(\.identifier.text)
            self.init(body: Syntax(loop.body), seeds: Set(names), elements: elements)
        case .whileStmt(let loop):
            let moved = loop.body.all(SequenceExprSyntax.self).compactMap { Assignment($0) }
                .filter { assignment in
                    assignment.value.contains { value in
                        value.all(FunctionCallExprSyntax.self).contains {
                            ["date", "addingTimeInterval", "advanced"]
                                .contains($0.calledName ?? "")
                        }
                    }
                }
                .compactMap(\.ownName)
            guard !moved.isEmpty else { return nil }
            self.init(body: Syntax(loop.body), seeds: Set(moved), elements: .dates)
        case .closureExpr(let closure):
            guard let call = closure.receivingCall, let list = call.base,
                ["map", "compactMap", "flatMap", "forEach", "asyncMap", "concurrentMap"]
                    .contains(call.calledName ?? ""), let name = closure.parameter(0),
                let elements = target.dayElements(of: list)
            else { return nil }
            self.init(body: Syntax(closure.statements), seeds: [name], elements: elements)
        default: return nil
        }
    }
}

extension Target {
    /// Returns whether a sequence has numbers or dates; nil for other elements, and for up to three
    /// elements.
    fileprivate func dayElements(of sequence: ExprSyntax) -> DayLoop.Elements? {
        var list = sequence.bare
        for _ in 0..<4 {
            guard let call = list.as(FunctionCallExprSyntax.self),
                ["reversed", "enumerated", "sorted", "prefix"].contains(call.calledName),
                let base = call.base
            else { break }
            list = base.bare
        }
        let origins = origins(of: list, calls: .notFollowed)
        guard origins.count == 1 else { return nil }
        if let call = origins[0].as(FunctionCallExprSyntax.self), call.calledName == "stride" {
            return .numbers
        }
        if let range = origins[0].as(SequenceExprSyntax.self) {
            let parts = Array(range.elements)
            guard parts.count >= 3,
                ["..<", "..."].contains(
                    parts[1].as(BinaryOperatorExprSyntax.self)?.operator.text ?? "")
            else { return nil }
            if parts.count == 3, let low = integer(parts[0]), let high = integer(parts[2]),
                abs(high - low) <= 3
            {
                return nil
            }
            return .numbers
        }
        if let literal = origins[0].as(ArrayExprSyntax.self), literal.elements.count <= 3 {
            return nil
        }
        if elementTypeName(of: list) == "Date" { return .dates }
        let words = list.lastName?.camelCaseWords ?? []
        return words.contains { ["days", "dates"].contains($0) } ? .dates : nil
    }
}

extension SyntaxProtocol {
    fileprivate func mentions(anyOf names: Set<String>) -> Bool {
        Syntax(self).descendants.contains { node in
            guard let name = node.as(DeclReferenceExprSyntax.self),
                name.keyPathInParent != \MemberAccessExprSyntax.declName
            else { return false }
            return names.contains(name.baseName.text)
        }
    }

    /// Whether an identifier inside names a date or a day.
    fileprivate var namesDate: Bool {
        Syntax(self).descendants.contains { node in
            guard case .identifier(let text) = node.as(TokenSyntax.self)?.tokenKind else {
                return false
            }
            let name = text.lowercased()
            return name.contains("date") || name.contains("day") || name.contains("time")
        }
    }
}

extension Syntax {
    /// Returns whether a list is sorted somewhere inside.
    fileprivate func sorts(_ list: String) -> Bool {
        all(FunctionCallExprSyntax.self).contains {
            ["sort", "sorted"].contains($0.calledName) && $0.base?.bare.lastName == list
        }
    }
}
