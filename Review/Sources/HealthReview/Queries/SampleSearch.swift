import HealthEngine
import SwiftSyntax

/// Traces an expression back to the query whose samples it holds.
struct SampleSearch {
    /// The state collected on the path from the expression.
    struct State {
        var isElement = false
        var isStatistics = false
        var isOfSomeSources = false
        var measures: [ClosureExprSyntax] = []
        /// The calls that were entered, used to resolve parameters.
        var calls: [KnownCall] = []
        var depth = 0
    }

    let target: Target
    var found: [SampleOrigin] = []
    var isComplete = true
    private var pending: [(ExprSyntax, State)] = []
    private var isRunning = false
    private var steps = 0

    init(target: Target) { self.target = target }

    mutating func follow(_ expression: ExprSyntax, _ state: State) {
        pending.append((expression, state))
        if isRunning { return }
        isRunning = true
        while let (next, state) = pending.popLast(), isComplete {
            steps += 1
            if steps > 400 || state.depth > 24 { return isComplete = false }
            var state = state
            state.depth += 1
            for origin in target.origins(of: next, calls: .notFollowed) { step(origin, state) }
        }
        isRunning = false
    }

    private mutating func step(_ origin: ExprSyntax, _ state: State) {
        switch origin.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let name): step(name: name.baseName.text, at: origin, state)
        case .memberAccessExpr(let member): step(member: member, state)
        case .functionCallExpr(let call): step(call: call, state)
        case .subscriptCallExpr(let call):
            var state = state
            state.isElement = state.isElement || target.isCounter(call.arguments.first?.expression)
            follow(call.calledExpression, state)
        case .arrayExpr(let list) where list.elements.isEmpty: break
        case .nilLiteralExpr: break
        default: isComplete = false
        }
    }

    private mutating func step(name: String, at node: ExprSyntax, _ state: State) {
        switch target.binding(name, at: node) {
        case .element(let sequence, let loop):
            var state = state
            state.isElement = true
            if let condition = loop.whereClause, condition.mentionsSource {
                state.isOfSomeSources = true
            }
            follow(sequence, state)
        case .closureParameter(let closure, let place): step(closure, place, state)
        case .elementPart(let list, 1):
            var state = state
            state.isElement = false
            follow(list, state)
        case .part(let value, let place): step(part: place, of: value, state)
        case .parameter(let parameter): step(parameter, state)
        case .opaque:
            if let result = target.successSubject(of: name, at: node) {
                follow(result, state)
            } else if let list = target.enumeratedList(of: name, at: node) {
                var state = state
                state.isElement = true
                follow(list, state)
            } else {
                isComplete = false
            }
        default: isComplete = false
        }
    }

    private mutating func step(member: MemberAccessExprSyntax, _ state: State) {
        guard let base = member.base, Self.transparent.contains(member.declName.baseName.text)
        else {
            isComplete = false
            return
        }
        follow(base, state)
    }

    /// Members that hold the same samples, or their quantities.
    private static let transparent: Set<String> = [
        "quantity", "first", "last", "lazy", "values", "value", "addedSamples", "samples",
        "results",
    ]

    private mutating func step(_ parameter: FunctionParameterSyntax, _ state: State) {
        var state = state
        guard let function = parameter.function else { return isComplete = false }
        if let entered = state.calls.last, entered.function.id == function.id {
            state.calls.removeLast()
            guard let argument = entered.argument(for: parameter) else { return isComplete = false }
            return follow(argument, state)
        }
        let callers = state.calls.isEmpty && state.depth < 12 ? target.calls(of: function) : []
        let arguments = callers.prefix(callers.count < 64 ? 64 : 0).compactMap {
            $0.argument(for: parameter)
        }
        if !arguments.isEmpty {
            for argument in arguments { follow(argument, state) }
        } else if let type = parameter.type.elementName, Self.sampleTypes.contains(type) {
            let isOne = parameter.type.baseName == type
            state.isElement = state.isElement || isOne
            add(.rawSamples, PossibleTypes(isComplete: false), state)
        } else {
            isComplete = false
        }
    }

    private static let sampleTypes = ["HKQuantitySample", "HKSample"]

    mutating func add(_ kind: SampleOrigin.Kind, _ types: PossibleTypes, _ state: State) {
        found.append(
            SampleOrigin(
                kind: state.isStatistics ? .statistics : kind, types: types,
                isElement: state.isElement,
                isOfSomeSources: state.isOfSomeSources, measures: state.measures))
    }

    /// Adds a query as the origin of its handler's parameters or of its result.
    mutating func add(_ query: HealthQuery, _ state: State) {
        var state = state
        let parts = target.parts(of: query)
        if parts.contains(where: { target.isOfSomeSources($0.predicate, state.calls) }) {
            state.isOfSomeSources = true
        }
        var types = PossibleTypes(isComplete: !parts.isEmpty)
        for part in parts {
            let known = state.calls.isEmpty ? part.types : target.types(of: part, state.calls)
            types.add(known.areKnown ? known : part.types)
        }
        switch query.kind {
        case .sample, .anchored: add(.rawSamples, types, state)
        case .statistics, .statisticsCollection: add(.statistics, types, state)
        default: isComplete = false
        }
    }
}

extension SyntaxProtocol {
    /// Whether the code checks which source or device wrote a sample.
    var mentionsSource: Bool {
        Syntax(self).descendants.contains { node in
            guard let name = node.as(DeclReferenceExprSyntax.self)?.baseName.text else {
                return false
            }
            return ["sourceRevision", "source", "device", "bundleIdentifier"].contains(name)
        }
    }
}
