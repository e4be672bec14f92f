import SwiftSyntax

/// Who calls a target's functions.
struct CallIndex {
    private let target: Target
    private let byName: [String: [FunctionCallExprSyntax]]

    /// - Complexity: O(calls in the target).
    init(_ target: Target) {
        self.target = target
        byName = Dictionary(grouping: target.files.flatMap(\.uses.calls)) { $0.calledName ?? "" }
    }

    /// The calls of a function; none if the target has several of its name, or if they are of another
    /// shape than the function.
    func calls(of function: FunctionDeclSyntax) -> [FunctionCallExprSyntax] {
        guard target.isOnly(function) else { return [] }
        let labels = Set(function.signature.parameterClause.parameters.map(\.firstName.text))
        return (byName[function.name.text] ?? []).filter { call in
            call.arguments.allSatisfy { labels.contains($0.label?.text ?? "_") }
        }
    }

    /// The closures that are given for a parameter of one of the target's functions.
    func closures(givenFor parameter: FunctionParameterSyntax) -> [ClosureExprSyntax] {
        guard let function = parameter.enclosing(FunctionDeclSyntax.self) else { return [] }
        let parameters = Array(function.signature.parameterClause.parameters)
        guard let place = parameters.firstIndex(where: { $0.id == parameter.id }) else { return [] }
        let label = parameter.firstName.text
        return calls(of: function).compactMap { call in
            let given = label == "_" ? call.unlabelledArgument(place) : call.argument(label)
            if let closure = given?.bare.as(ClosureExprSyntax.self) { return closure }
            return place == parameters.count - 1 ? call.trailingClosure : nil
        }
    }
}

extension Target {
    /// Whether no other function of the target has a function's name.
    func isOnly(_ function: FunctionDeclSyntax) -> Bool {
        let name = function.name.text
        return files.reduce(0) { $0 + ($1.declarations.functions[name]?.count ?? 0) } == 1
    }

    /// The parameter of a function that a call calls: `completion` of `completion(steps)`.
    func calledParameter(of call: FunctionCallExprSyntax) -> FunctionParameterSyntax? {
        switch binding(of: call.calledExpression) {
        case .parameter(let parameter): return parameter
        case .unwrapped(let value):
            guard case .parameter(let parameter) = binding(of: value) else { return nil }
            return parameter
        default: return nil
        }
    }
}
