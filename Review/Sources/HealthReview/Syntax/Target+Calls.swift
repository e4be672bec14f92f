import SwiftSyntax

/// A call of a function of the target, for what its parameters stand for.
struct KnownCall: Sendable {
    let function: FunctionDeclSyntax
    let call: FunctionCallExprSyntax

    /// What is given for a parameter; its default where the call leaves it away.
    func argument(for parameter: FunctionParameterSyntax) -> ExprSyntax? {
        let label = parameter.firstName.text
        if label != "_" {
            return call.argument(label) ?? trailing(parameter) ?? parameter.defaultValue?.value
        }
        var place = 0
        for other in function.signature.parameterClause.parameters {
            if other.id == parameter.id { break }
            if other.firstName.text == "_" { place += 1 }
        }
        let unlabelled = Array(call.arguments).filter { $0.label == nil }
        if unlabelled.count > place { return unlabelled[place].expression }
        return trailing(parameter) ?? parameter.defaultValue?.value
    }

    /// A closure behind the call belongs to the last parameter.
    private func trailing(_ parameter: FunctionParameterSyntax) -> ExprSyntax? {
        guard function.signature.parameterClause.parameters.last?.id == parameter.id else {
            return nil
        }
        return call.trailingClosure.map { ExprSyntax($0) }
    }
}

extension Target {
    /// The function of the target that a call calls; nil if there is none or more than one it could be.
    func function(calledBy call: FunctionCallExprSyntax) -> FunctionDeclSyntax? {
        guard let name = call.calledName else { return nil }
        if let own = call.calledExpression.bare.ownName,
            case .function(let found) = binding(own, at: call)
        {
            return accepts(found, call) ? found : nil
        }
        let namesakes = index.functions[name] ?? []
        guard namesakes.count < 64 else { return nil }
        let named = namesakes.filter { accepts($0, call) }
        return named.count == 1 ? named[0] : nil
    }

    /// The calls of a function all over the target; empty if another function could be meant by them.
    func callers(of function: FunctionDeclSyntax) -> [KnownCall] {
        let name = function.name.text
        let namesakes = index.functions[name]?.count ?? 0
        guard namesakes < 8 else { return [] }
        let calls = index.calls[name] ?? []
        guard calls.count < 64 else { return [] }
        return calls.compactMap { call in
            accepts(function, call) && self.function(calledBy: call)?.id == function.id
                ? KnownCall(function: function, call: call) : nil
        }
    }

    /// Whether a call's labels are those of the function.
    private func accepts(_ function: FunctionDeclSyntax, _ call: FunctionCallExprSyntax) -> Bool {
        var labels = call.arguments.map { $0.label?.text ?? "_" }[...]
        let parameters = function.signature.parameterClause.parameters
        var missing = 0
        for parameter in parameters {
            if labels.first == parameter.firstName.text {
                labels = labels.dropFirst()
            } else if parameter.defaultValue == nil {
                missing += 1
            }
        }
        return labels.isEmpty
            && missing <= (call.trailingClosure == nil ? 0 : 1)
                + call.additionalTrailingClosures.count
    }
}

extension FunctionParameterSyntax {
    /// The function it belongs to; nil for initializers'.
    var function: FunctionDeclSyntax? {
        parent?.parent?.parent?.parent?.as(FunctionDeclSyntax.self)
    }
}
