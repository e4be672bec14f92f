import SwiftSyntax

extension Target {
    /// Returns the HealthKit class of a value, or of a list's elements: `HKSource` for a source
    /// query's results and for `sample.sourceRevision.source`. The result is nil if it can't be
    /// resolved.
    func elementTypeName(of expression: ExprSyntax) -> String? {
        elementTypeName(of: expression, depth: 0)
    }

    private func elementTypeName(of expression: ExprSyntax, depth: Int) -> String? {
        guard depth < 8 else { return nil }
        for origin in origins(of: expression, calls: .notFollowed) {
            if let name = typeName(ofOrigin: origin, depth: depth + 1) { return name }
        }
        return nil
    }

    private func typeName(ofOrigin origin: ExprSyntax, depth: Int) -> String? {
        if let member = origin.as(MemberAccessExprSyntax.self) {
            return typeName(of: member, depth: depth)
        }
        if let call = origin.as(FunctionCallExprSyntax.self) {
            return typeName(of: call, depth: depth)
        }
        if let call = origin.as(SubscriptCallExprSyntax.self) {
            return elementTypeName(of: call.calledExpression, depth: depth)
        }
        guard let name = origin.ownName else { return nil }
        if name == "sourceRevision" { return "HKSourceRevision" }
        switch binding(name, at: origin) {
        case .parameter(let parameter): return parameter.type.elementName
        case .variable(let binding, _): return binding.typeAnnotation?.type.elementName
        case .element(let list, _): return elementTypeName(of: list, depth: depth)
        case .closureParameter(let closure, let place):
            if let list = closure.collection(ofParameter: place) {
                return elementTypeName(of: list, depth: depth)
            }
            if let query = query(handledBy: closure)?.query, place == 1 {
                return Self.results[query.kind]
            }
            return closure.typeName(ofParameter: place)
        default: return nil
        }
    }

    private func typeName(of member: MemberAccessExprSyntax, depth: Int) -> String? {
        guard let base = member.base else { return nil }
        switch member.declName.baseName.text {
        case "sourceRevision": return "HKSourceRevision"
        case "source":
            let owner = elementTypeName(of: base, depth: depth) ?? ""
            let isHealth = owner == "HKSourceRevision" || Self.samples.contains(owner)
            return isHealth ? "HKSource" : nil
        case "sources": return binding("sources", at: member) == nil ? "HKSource" : nil
        case "first", "last", "addedSamples": return elementTypeName(of: base, depth: depth)
        default: return nil
        }
    }

    private func typeName(of call: FunctionCallExprSyntax, depth: Int) -> String? {
        switch call.calledName {
        case "filter", "sorted", "prefix", "suffix", "reversed", "first", "last", "min", "max",
            "dropFirst", "Array", "Set":
            guard let list = call.base ?? call.unlabelledArgument(0) else { return nil }
            return elementTypeName(of: list, depth: depth)
        case "default": return call.base?.shortText == "HKSource" ? "HKSource" : nil
        default: return function(calledBy: call)?.signature.returnClause?.type.elementName
        }
    }

    private static let results: [HealthQuery.Kind: String] = [
        .sample: "HKSample", .anchored: "HKSample", .correlation: "HKCorrelation",
        .source: "HKSource", .statistics: "HKStatistics",
    ]
    private static let samples: Set<String> = [
        "HKObject", "HKSample", "HKQuantitySample", "HKCategorySample", "HKCorrelation",
        "HKWorkout",
    ]
}

extension ClosureExprSyntax {
    /// Returns the annotated type of a parameter: `HKSource` in `{ (source: HKSource) in … }`.
    fileprivate func typeName(ofParameter place: Int) -> String? {
        guard case .parameterClause(let clause) = signature?.parameterClause else { return nil }
        let parameters = Array(clause.parameters)
        return parameters.indices.contains(place) ? parameters[place].type?.elementName : nil
    }
}
