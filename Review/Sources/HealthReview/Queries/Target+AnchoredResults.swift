import SwiftSyntax

extension Target {
    /// Returns whether an expression is a result of `HKAnchoredObjectQueryDescriptor`.
    func isAnchoredResult(_ expression: ExprSyntax) -> Bool {
        if let name = expression.ownName, let found = binding(name, at: expression) {
            switch found {
            case .element(let sequence, _): return isAnchoredCall(sequence, "results")
            case .parameter(let parameter): return parameter.type.namesAnchoredQuery
            case .variable(let binding, _):
                if let type = binding.typeAnnotation?.type { return type.namesAnchoredQuery }
            default: break
            }
        }
        return isAnchoredCall(expression, "result")
    }

    /// Returns whether a query starts without an anchor: `anchor: nil`.
    func isFromBeginning(_ query: HealthQuery) -> Bool {
        guard let anchor = query.call.argument("anchor") else { return false }
        let values = ValueSearch.values(of: anchor, self)
        return !values.isEmpty
            && values.allSatisfy { value in
                let origin = value.expression
                return origin.is(NilLiteralExprSyntax.self) || isNeverAssigned(origin)
                    || origin.as(FunctionCallExprSyntax.self)?.constructedName == "HKQueryAnchor"
            }
    }

    /// Returns whether an optional variable of the target is never set, and so is nil.
    private func isNeverAssigned(_ expression: ExprSyntax) -> Bool {
        guard case .variable(let binding, let declaration) = binding(of: expression),
            !declaration.isConstant, binding.initializer == nil, binding.accessorBlock == nil,
            declaration.attributes.isEmpty, let name = binding.boundName,
            binding.typeAnnotation?.type.is(OptionalTypeSyntax.self) == true
        else { return false }
        return (index.assignments[name] ?? []).isEmpty
            && (index.memberAssignments[name] ?? []).isEmpty
    }

    /// Returns the only descriptor whose `result(for:)` an expression is, or whose `results(for:)`
    /// it is an element of.
    func descriptorQuery(of expression: ExprSyntax) -> HealthQuery? {
        var source = expression
        if case .element(let sequence, _) = binding(of: expression) { source = sequence }
        let calls = origins(of: source).compactMap { $0.as(FunctionCallExprSyntax.self) }
        guard calls.count == 1, ["result", "results"].contains(calls[0].calledName),
            let base = calls[0].base
        else { return nil }
        let descriptors = origins(of: base)
            .compactMap { $0.as(FunctionCallExprSyntax.self) }.compactMap { HealthQuery($0) }
        return descriptors.count == 1 ? descriptors[0] : nil
    }

    /// Returns whether every origin is `descriptor.result(for:)` of an anchored query.
    private func isAnchoredCall(_ expression: ExprSyntax, _ name: String) -> Bool {
        let origins = origins(of: expression)
        return !origins.isEmpty
            && origins.allSatisfy { origin in
                guard let call = origin.as(FunctionCallExprSyntax.self), call.calledName == name,
                    call.argument("for") != nil, let base = call.base
                else { return false }
                return self.origins(of: base).allSatisfy { descriptor in
                    if let call = descriptor.as(FunctionCallExprSyntax.self) {
                        return call.constructedName == "HKAnchoredObjectQueryDescriptor"
                    }
                    guard let name = descriptor.ownName else { return false }
                    switch binding(name, at: descriptor) {
                    case .parameter(let parameter): return parameter.type.namesAnchoredQuery
                    case .variable(let binding, _):
                        return binding.typeAnnotation?.type.namesAnchoredQuery ?? false
                    default: return false
                    }
                }
            }
    }
}

extension TypeSyntax {
    fileprivate var namesAnchoredQuery: Bool {
        all(TokenSyntax.self).contains { $0.text == "HKAnchoredObjectQueryDescriptor" }
    }
}
