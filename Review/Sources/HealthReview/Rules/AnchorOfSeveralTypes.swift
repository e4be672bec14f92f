import HealthEngine
import SwiftSyntax

/// Reports one `anchor` in queries of different types, for example of steps and of workouts.
struct AnchorOfSeveralTypes: Rule {
    let name = "shared-anchor"
    let summary = "one stored anchor for queries of different types"
    let severity = Severity.warning

    func review(_ target: Target, _ report: inout Report) {
        let files = target.files.filter { file in
            file.uses.names.contains("HKAnchoredObjectQuery")
                || file.uses.names.contains("HKAnchoredObjectQueryDescriptor")
        }
        if target.mentions("HKQueryAnchor") { reviewKeys(target, &report) }
        guard !files.isEmpty else { return }
        var anchors = AnchorUses(target)
        for file in files {
            for query in file.queries where query.kind == .anchored { anchors.add(query) }
        }
        for node in anchors.shared {
            guard let file = target.file(of: node) else { continue }
            report.add(
                "each query skips changes that came with another type: keep one anchor for each type",
                at: node, in: file)
        }
    }
}

/// The stored anchors that queries use, with the types they are used for.
private struct AnchorUses {
    /// The anchor arguments that are shared.
    private(set) var shared: [ExprSyntax] = []

    private let target: Target
    private var types: [StorageLocation: [Set<String>]] = [:]

    init(_ target: Target) { self.target = target }

    mutating func add(_ query: HealthQuery) {
        guard let anchor = query.call.argument("anchor") else { return }
        let expressions = typeExpressions(of: query)
        let own = target.storageLocation(of: anchor)
        if let own, expressions.contains(where: { isOneOfMany($0, in: query.call) }) {
            shared.append(anchor)
            return types[own, default: []].append([])
        }
        let known = target.types(of: query)
        let function = query.call.enclosingFunction.as(FunctionDeclSyntax.self)
        let depends = function.map { !parameters(in: expressions, of: $0).isEmpty } ?? false
        guard !known.areKnown || depends else {
            let names = Set(known.known.map(\.name))
            if let own {
                note(own, names, anchor)
            } else if let function {
                // `func steps(since anchor: HKQueryAnchor?)`
                for site in target.calls(of: function) {
                    let arguments = site.arguments
                    guard let place = target.storageLocation(of: anchor, arguments: arguments)
                    else {
                        continue
                    }
                    note(place, names, anchorArgument(anchor, arguments))
                }
            }
            return
        }
        if let function, !expressions.isEmpty { addCalls(of: function, expressions, anchor) }
    }

    /// Adds a use for each call of a function whose query's type is a parameter.
    private mutating func addCalls(
        of function: FunctionDeclSyntax, _ expressions: [ExprSyntax], _ anchor: ExprSyntax
    ) {
        let names = parameters(in: expressions, of: function)
        guard !names.isEmpty else { return }
        let own = target.storageLocation(of: anchor)
        if own != nil, !target.applications(of: function).isEmpty { return shared.append(anchor) }
        for site in target.calls(of: function) {
            let arguments = site.arguments
            let given = names.compactMap { arguments[$0] }
            guard !given.isEmpty, given.count == names.count,
                let place = own ?? target.storageLocation(of: anchor, arguments: arguments)
            else { continue }
            let node = own == nil ? anchorArgument(anchor, arguments) : anchor
            if given.contains(where: { isOneOfMany($0, in: site.call) }) {
                shared.append(node)
            } else if let types = typeNames(given) {
                note(place, types, node)
            }
        }
    }

    private mutating func note(_ place: StorageLocation, _ names: Set<String>, _ node: ExprSyntax) {
        if types[place, default: []].contains(where: { $0.isDisjoint(with: names) }) {
            shared.append(node)
        }
        types[place, default: []].append(names)
    }

    /// Returns the caller's expression for an anchor that is a parameter.
    private func anchorArgument(
        _ anchor: ExprSyntax, _ arguments: [String: ExprSyntax]
    ) -> ExprSyntax {
        anchor.ownName.flatMap { arguments[$0] } ?? anchor
    }

    private func typeExpressions(of query: HealthQuery) -> [ExprSyntax] {
        if let type = query.call.argument("type") { return [type] }
        let list = query.call.argument("queryDescriptors") ?? query.call.argument("predicates")
        return (list.map { target.elements(of: $0) } ?? []).compactMap { element in
            let call = element.as(FunctionCallExprSyntax.self)
            return call?.argument("sampleType") ?? call?.argument("type")
        }
    }

    /// Returns the function's parameters that a type depends on.
    private func parameters(
        in expressions: [ExprSyntax], of function: FunctionDeclSyntax
    ) -> [String] {
        let own = function.signature.parameterClause.parameters.map(\.ownName)
        let origins = expressions.flatMap { target.origins(of: $0) }
        return own.filter { name in origins.contains { $0.mentions(name) } }
    }

    /// Returns whether a type is an element of a collection, so that the call is made for several
    /// types.
    private func isOneOfMany(_ expression: ExprSyntax, in call: FunctionCallExprSyntax) -> Bool {
        var pending = [expression]
        var steps = 0
        while let next = pending.popLast(), steps < 16 {
            steps += 1
            for name in next.all(DeclReferenceExprSyntax.self) {
                switch target.binding(name.baseName.text, at: name) {
                case .element(let sequence, let loop) where call.isInside(loop):
                    if isCollectionOfTypes(sequence) { return true }
                case .closureParameter(let closure, 0) where call.isInside(closure):
                    guard let taker = closure.receivingCall, let base = taker.base,
                        ["forEach", "map", "compactMap", "flatMap"].contains(taker.calledName ?? "")
                    else { continue }
                    if isCollectionOfTypes(base) { return true }
                case .unwrapped(let value): pending.append(value)
                case .variable(let binding, let declaration) where declaration.memberOf == nil:
                    if let value = binding.initializer?.value { pending.append(value) }
                default: continue
                }
            }
        }
        return false
    }

    /// Returns whether a collection can hold more than one element, as far as known.
    private func isCollectionOfTypes(_ expression: ExprSyntax) -> Bool {
        let origins = target.origins(of: expression)
        guard origins.count == 1, let array = origins[0].as(ArrayExprSyntax.self) else {
            return true
        }
        return array.elements.count > 1
    }

    private func typeNames(_ arguments: [ExprSyntax]) -> Set<String>? {
        var names: Set<String> = []
        for argument in arguments {
            let types = target.sampleTypes(of: argument)
            let identified = types.areKnown ? types : target.identifiedTypes(of: argument)
            if identified.areKnown {
                names.formUnion(identified.known.map(\.name))
            } else if argument.isRootedInType, let text = argument.shortText {
                names.insert(text)
            } else {
                return nil
            }
        }
        return names
    }
}
