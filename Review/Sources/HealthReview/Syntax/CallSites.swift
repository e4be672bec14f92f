import SwiftSyntax

/// Every call in a target by the name that is called; made once by a rule that asks for callers.
///
/// - Complexity: O(calls).
struct CallSites {
    private var byName: [String: [FunctionCallExprSyntax]] = [:]
    private let target: Target

    init(_ target: Target) {
        self.target = target
        for file in target.files {
            for (name, calls) in file.uses.callsByName { byName[name, default: []] += calls }
        }
    }

    /// The calls of a function; none if the target has another of its name.
    func calls(of function: FunctionDeclSyntax) -> [FunctionCallExprSyntax] {
        let name = function.name.text
        return target.functions(name).count == 1 ? byName[name] ?? [] : []
    }

    /// The calls that give a function away by its name: `types.forEach(sync)`.
    func applications(of function: FunctionDeclSyntax) -> [FunctionCallExprSyntax] {
        (byName["forEach"] ?? []).filter {
            $0.unlabelledArgument(0)?.bare.ownName == function.name.text
        }
    }
}

extension Target {
    /// The function of the target that a call leads to, if there is only one of its name: `load()`,
    /// `self.load()`, `AnchorStore.load()`, `anchors.load()`.
    func calledFunction(_ call: FunctionCallExprSyntax) -> FunctionDeclSyntax? {
        guard let name = call.calledName else { return nil }
        if let own = call.calledExpression.bare.ownName,
            case .function(let function) = binding(own, at: call)
        {
            return function
        }
        guard call.base != nil else { return nil }
        let named = functions(name)
        guard named.count == 1,
            named[0].signature.parameterClause.parameters.count >= call.arguments.count
        else { return nil }
        let labels = named[0].signature.parameterClause.parameters.map(\.firstName.text)
        return call.arguments.allSatisfy { labels.contains($0.label?.text ?? "_") } ? named[0] : nil
    }
}

extension FunctionCallExprSyntax {
    /// The arguments by the names the function knows them by; defaults where none is given.
    func argumentsByParameter(of function: FunctionDeclSyntax) -> [String: ExprSyntax] {
        var found: [String: ExprSyntax] = [:]
        var rest = Array(arguments)
        for parameter in function.signature.parameterClause.parameters {
            let label = parameter.firstName.text == "_" ? nil : parameter.firstName.text
            let name = (parameter.secondName ?? parameter.firstName).text
            if let place = rest.firstIndex(where: { $0.label?.text == label }) {
                found[name] = rest.remove(at: place).expression
            } else if let value = parameter.defaultValue?.value {
                found[name] = value
            }
        }
        return found
    }
}
