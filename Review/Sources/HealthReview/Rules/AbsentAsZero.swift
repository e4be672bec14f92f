import SwiftSyntax

/// Reports empty buckets of discrete types whose mean, minimum, maximum or latest value becomes zero.
struct AbsentAsZero: Rule {
    let name = "absent-as-zero"
    let summary = "empty hours or days of a chart whose missing mean becomes zero"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        guard DiscreteResult.members.contains(where: { target.mentions($0) }) else { return }
        let discrete = DiscreteResult(target)
        var compared: Set<String>?
        for file in target.files where file.importsHealthKit {
            var functions: Set<SyntaxIdentifier> = []
            for value in file.uses.sequences.compactMap(ZeroFallback.init) {
                guard discrete.contains(value.value), !value.isCompared else { continue }
                let others = compared ?? target.namesComparedWithZero
                compared = others
                guard value.names.isDisjoint(with: others) else { continue }
                let buckets = target.buckets(around: Syntax(value.node))
                guard buckets == .all,
                    functions.insert(value.node.enclosingFunction.id).inserted
                else { continue }
                report.add(
                    "hours and days without a measurement become 0 and pull means and charts down: "
                        + "leave them out", at: value.node, in: file)
            }
        }
    }
}

/// The search for a mean, minimum, maximum or latest value in what a value is made of.
private struct DiscreteResult {
    static let members: Set<String> = [
        "averageQuantity", "minimumQuantity", "maximumQuantity", "mostRecentQuantity",
    ]

    let target: Target

    init(_ target: Target) { self.target = target }

    /// Returns whether a value comes from statistics of discrete types.
    func contains(_ value: ExprSyntax) -> Bool {
        var pending = [value]
        var visited: Set<SyntaxIdentifier> = []
        while let next = pending.popLast(), visited.count < 24 {
            guard visited.insert(next.id).inserted else { continue }
            if Self.members.contains(where: { next.takesMember($0) }) { return true }
            pending += sources(of: next)
        }
        return false
    }

    private func sources(of value: ExprSyntax) -> [ExprSyntax] {
        let bare = value.bare
        if let call = bare.as(FunctionCallExprSyntax.self) {
            let results = target.function(calledBy: call).map { target.results(of: $0) } ?? []
            let isReading = ["doubleValue", "map", "flatMap", "rounded"].contains(call.calledName)
            return results + (isReading ? [call.base].compactMap { $0 } : [])
                + (call.constructedName?.first?.isUppercase == true
                    ? [call.unlabelledArgument(0)].compactMap { $0 } : [])
        }
        if bare.is(DeclReferenceExprSyntax.self) || bare.ownName != nil {
            return target.origins(of: bare, calls: .notFollowed).filter { $0 != bare }
        }
        if bare.is(SwitchExprSyntax.self) || bare.is(IfExprSyntax.self) {
            return target.origins(of: bare, calls: .notFollowed).filter { $0 != bare }
        }
        return []
    }
}

extension Target {
    /// The names of values that the target compares with zero: `value` in `$0.value > 0`.
    fileprivate var namesComparedWithZero: Set<String> {
        var names: Set<String> = []
        for file in files {
            for sequence in file.uses.sequences {
                let elements = Array(sequence.elements)
                for place in elements.indices.dropFirst().dropLast() {
                    let symbol = elements[place].as(BinaryOperatorExprSyntax.self)?.operator.text
                    guard [">", "!=", "==", "<=", "<", ">="].contains(symbol) else { continue }
                    let sides = [elements[place - 1], elements[place + 1]]
                    guard sides.contains(where: \.isZero) else { continue }
                    names.formUnion(sides.compactMap(\.bare.lastName))
                }
            }
        }
        return names
    }

    /// Returns whether code handles the buckets of a collection, or a function is called for each.
    fileprivate func buckets(around node: Syntax) -> Buckets? {
        if let own = node.buckets { return own }
        guard let function = node.enclosing(FunctionDeclSyntax.self) else { return nil }
        let callers = calls(of: function).map { Syntax($0.call).buckets }
        return callers.contains(.all) ? .all : callers.compactMap { $0 }.first
    }
}

/// The buckets of a collection that code runs for.
private enum Buckets {
    /// With the empty ones: `enumerateStatistics`.
    case all
    /// Only those with data, for which nothing is missing: `statistics()`.
    case populated
}

extension Syntax {
    /// The buckets that the node stands in the handling of; nil outside of such code.
    fileprivate var buckets: Buckets? {
        var inner = self
        while let parent = inner.parent {
            if let closure = parent.as(ClosureExprSyntax.self), let outer = closure.receivingCall {
                if outer.calledName == "enumerateStatistics" { return .all }
                let isMapping = ["map", "compactMap", "forEach"].contains(outer.calledName)
                if isMapping, outer.base?.callsStatistics == true { return .populated }
            }
            if let loop = parent.as(ForStmtSyntax.self), loop.sequence.callsStatistics,
                inner.id != Syntax(loop.sequence).id
            {
                return .populated
            }
            if parent.is(FunctionDeclSyntax.self) { return nil }
            inner = parent
        }
        return nil
    }
}

extension ExprSyntax {
    fileprivate var isZero: Bool { ["0", "0.0", ".zero"].contains(shortText ?? "") }

    /// Whether the expression contains `statistics()`.
    fileprivate var callsStatistics: Bool {
        all(FunctionCallExprSyntax.self).contains {
            $0.calledName == "statistics" && $0.arguments.isEmpty
        }
    }
}

/// `value ?? 0`, or `value != nil ? value! : 0`.
private struct ZeroFallback {
    let node: SequenceExprSyntax
    let value: ExprSyntax

    init?(_ node: SequenceExprSyntax) {
        let elements = Array(node.elements)
        self.node = node
        if let place = elements.firstIndex(where: {
            $0.as(BinaryOperatorExprSyntax.self)?.operator.text == "??"
        }), place > 0, place + 1 < elements.count, elements[place + 1].isZero {
            value = elements[place - 1]
        } else if let place = elements.firstIndex(where: { $0.is(UnresolvedTernaryExprSyntax.self) }
        ),
            place + 1 < elements.count, elements[place + 1].isZero,
            let ternary = elements[place].as(UnresolvedTernaryExprSyntax.self),
            elements[..<place].contains(where: { $0.is(NilLiteralExprSyntax.self) })
        {
            value = ternary.thenExpression
        } else {
            return nil
        }
    }

    /// The names that the value gets: a variable, a member, a label.
    var names: Set<String> {
        var names: Set<String> = []
        var inner = Syntax(node)
        while let parent = inner.parent, !parent.is(CodeBlockItemSyntax.self) {
            if let argument = parent.as(LabeledExprSyntax.self), let label = argument.label?.text {
                names.insert(label)
            } else if let binding = parent.as(PatternBindingSyntax.self) {
                names.formUnion([binding.boundName].compactMap { $0 })
            }
            inner = parent
        }
        if let assignment = Assignment(node) {
            names.formUnion([assignment.target.bare.lastName].compactMap { $0 })
        }
        return names
    }

    /// Whether the function compares something with zero, or filters what is left.
    var isCompared: Bool {
        let function = node.enclosingFunction
        let sequences = function.all(SequenceExprSyntax.self)
        return sequences.contains { sequence in
            let elements = Array(sequence.elements)
            return elements.indices.dropFirst().dropLast().contains { place in
                let symbol = elements[place].as(BinaryOperatorExprSyntax.self)?.operator.text
                return [">", "!=", "==", "<="].contains(symbol) && elements[place + 1].isZero
            }
        }
    }
}
