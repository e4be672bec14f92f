import HealthEngine
import SwiftSyntax

/// Traces an expression back to the query whose samples it holds.
struct SampleSearch {
    /// The state collected on the path from the expression.
    struct Way {
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
    private var waiting: [(ExprSyntax, Way)] = []
    private var isRunning = false
    private var steps = 0

    init(target: Target) { self.target = target }

    mutating func follow(_ expression: ExprSyntax, _ way: Way) {
        waiting.append((expression, way))
        if isRunning { return }
        isRunning = true
        while let (next, way) = waiting.popLast(), isComplete {
            steps += 1
            if steps > 400 || way.depth > 24 { return isComplete = false }
            var way = way
            way.depth += 1
            for origin in target.origins(of: next, calls: .kept) { step(origin, way) }
        }
        isRunning = false
    }

    private mutating func step(_ origin: ExprSyntax, _ way: Way) {
        switch origin.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let name): step(name: name.baseName.text, at: origin, way)
        case .memberAccessExpr(let member): step(member: member, way)
        case .functionCallExpr(let call): step(call: call, way)
        case .subscriptCallExpr(let call):
            var way = way
            way.isElement = way.isElement || target.isCounter(call.arguments.first?.expression)
            follow(call.calledExpression, way)
        case .arrayExpr(let list) where list.elements.isEmpty: break
        case .nilLiteralExpr: break
        default: isComplete = false
        }
    }

    private mutating func step(name: String, at node: ExprSyntax, _ way: Way) {
        switch target.binding(name, at: node) {
        case .element(let sequence, let loop):
            var way = way
            way.isElement = true
            if let condition = loop.whereClause, condition.mentionsSource {
                way.isOfSomeSources = true
            }
            follow(sequence, way)
        case .closureParameter(let closure, let place): step(closure, place, way)
        case .parameter(let parameter): step(parameter, way)
        case .opaque:
            if let result = target.successSubject(of: name, at: node) {
                follow(result, way)
            } else if let list = target.enumeratedList(of: name, at: node) {
                var way = way
                way.isElement = true
                follow(list, way)
            } else {
                isComplete = false
            }
        default: isComplete = false
        }
    }

    private mutating func step(member: MemberAccessExprSyntax, _ way: Way) {
        guard let base = member.base, Self.transparent.contains(member.declName.baseName.text)
        else {
            isComplete = false
            return
        }
        follow(base, way)
    }

    /// Members that hold the same samples, or their quantities.
    private static let transparent: Set<String> = [
        "quantity", "first", "last", "lazy", "values", "value", "addedSamples", "samples",
        "results",
    ]

    private mutating func step(_ parameter: FunctionParameterSyntax, _ way: Way) {
        var way = way
        guard let function = parameter.function else { return isComplete = false }
        if let entered = way.calls.last, entered.function.id == function.id {
            way.calls.removeLast()
            guard let argument = entered.argument(for: parameter) else { return isComplete = false }
            return follow(argument, way)
        }
        let callers = way.calls.isEmpty && way.depth < 12 ? target.calls(of: function) : []
        let arguments = callers.prefix(callers.count < 64 ? 64 : 0).compactMap {
            $0.argument(for: parameter)
        }
        if !arguments.isEmpty {
            for argument in arguments { follow(argument, way) }
        } else if let type = parameter.type.elementName, Self.sampleTypes.contains(type) {
            let isOne = parameter.type.baseName == type
            way.isElement = way.isElement || isOne
            add(.rawSamples, PossibleTypes(isComplete: false), way)
        } else {
            isComplete = false
        }
    }

    private static let sampleTypes = ["HKQuantitySample", "HKSample"]

    mutating func add(_ kind: SampleOrigin.Kind, _ types: PossibleTypes, _ way: Way) {
        found.append(
            SampleOrigin(
                kind: way.isStatistics ? .statistics : kind, types: types, isElement: way.isElement,
                isOfSomeSources: way.isOfSomeSources, measures: way.measures))
    }

    /// Adds a query as the origin of its handler's parameters or of its result.
    mutating func add(_ query: HealthQuery, _ way: Way) {
        var way = way
        let parts = target.parts(of: query)
        if parts.contains(where: { target.isOfSomeSources($0.predicate, way.calls) }) {
            way.isOfSomeSources = true
        }
        var types = PossibleTypes(isComplete: !parts.isEmpty)
        for part in parts {
            types.add(part.types.areKnown ? part.types : target.types(of: part, way.calls))
        }
        switch query.kind {
        case .sample, .anchored: add(.rawSamples, types, way)
        case .statistics, .statisticsCollection: add(.statistics, types, way)
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
