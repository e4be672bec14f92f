import SwiftSyntax

extension Target {
    /// Returns the types of a part that can only be resolved through the arguments of function
    /// calls.
    func types(of part: QueryPart, _ calls: [KnownCall]) -> PossibleTypes {
        guard let call = part.node.as(FunctionCallExprSyntax.self) else {
            return PossibleTypes(isComplete: false)
        }
        let labels = ["sampleType", "type", "quantityType"]
        let type = labels.lazy.compactMap { call.argument($0) }.first
        guard let type else { return PossibleTypes(isComplete: false) }
        return sampleTypes(of: type, in: calls)
    }

    /// Returns whether a predicate restricts the query to sources, devices or a workout.
    func isOfSomeSources(_ predicate: ExprSyntax?, _ calls: [KnownCall]) -> Bool {
        guard let predicate else { return false }
        var pending = [predicate]
        var steps = 0
        while let next = pending.popLast(), steps < 40 {
            steps += 1
            for origin in origins(of: next) {
                if let name = origin.ownName,
                    case .parameter(let parameter) = binding(name, at: origin),
                    let entered = calls.last(where: { $0.function.id == parameter.function?.id }),
                    let argument = entered.argument(for: parameter)
                {
                    pending.append(argument)
                    continue
                }
                guard let call = origin.as(FunctionCallExprSyntax.self) else { continue }
                if Self.narrowsToSources(call) { return true }
                if call.constructedName == "NSCompoundPredicate",
                    let list = call.argument("andPredicateWithSubpredicates")
                        ?? call.argument("subpredicates")
                {
                    pending += elements(of: list)
                }
            }
        }
        return false
    }

    private static func narrowsToSources(_ call: FunctionCallExprSyntax) -> Bool {
        switch call.calledName {
        case "predicateForObjects":
            return call.argument("from") != nil || call.argument("withDeviceProperty") != nil
        case "predicateForWorkouts", "predicateForObject": return true
        case "NSPredicate":
            let text = call.argument("format")?.bare.plainString ?? ""
            return text.contains("ource") || text.contains("device") || text.contains("orkout")
        default: return false
        }
    }
}
