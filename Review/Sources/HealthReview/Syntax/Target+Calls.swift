import SwiftSyntax

/// A call of a function of the target, used to resolve the function's parameters.
struct KnownCall: Sendable {
    let function: FunctionDeclSyntax
    let call: FunctionCallExprSyntax

    /// Returns the argument for a parameter, or its default value if the call omits it.
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

    /// The arguments by the parameters' internal names, with default values for omitted ones.
    var arguments: [String: ExprSyntax] {
        function.signature.parameterClause.parameters.reduce(into: [:]) { all, parameter in
            if let value = argument(for: parameter) { all[parameter.ownName] = value }
        }
    }

    /// Returns the trailing closure for the last parameter.
    private func trailing(_ parameter: FunctionParameterSyntax) -> ExprSyntax? {
        guard function.signature.parameterClause.parameters.last?.id == parameter.id else {
            return nil
        }
        return call.trailingClosure.map { ExprSyntax($0) }
    }
}

extension Target {
    /// Returns the function of the target that a call resolves to: `load()`, `self.load()`,
    /// `anchors.load()`. The result is nil if there is none or more than one candidate.
    func function(calledBy call: FunctionCallExprSyntax) -> FunctionDeclSyntax? {
        guard let name = call.calledName else { return nil }
        if let own = call.calledExpression.bare.ownName,
            case .function(let found) = binding(own, at: call)
        {
            return found.accepts(call) ? found : nil
        }
        let namesakes = functions(name)
        guard namesakes.count < 64 else { return nil }
        let named = namesakes.filter { $0.accepts(call) }
        if named.count == 1 { return named[0] }
        // A protocol's requirement and the only function that fulfils it.
        let bodies = named.filter { $0.body != nil }
        return bodies.count == 1 ? bodies[0] : nil
    }

    /// Returns the calls of a function in the target, without calls that may resolve to another
    /// one.
    ///
    /// - Complexity: O(calls of the name). The result is empty for names that eight or more
    ///   functions share.
    func calls(of function: FunctionDeclSyntax) -> [KnownCall] {
        let name = function.name.text
        let namesakes = functions(name).count
        let calls = index.calls[name] ?? []
        guard namesakes < 8, namesakes == 1 || calls.count < 64 else { return [] }
        return calls.compactMap { call in
            function.accepts(call)
                && (namesakes == 1 || self.function(calledBy: call)?.id == function.id)
                ? KnownCall(function: function, call: call) : nil
        }
    }

    /// Returns the calls that pass a function by name: `types.forEach(sync)`.
    func applications(of function: FunctionDeclSyntax) -> [FunctionCallExprSyntax] {
        (index.calls["forEach"] ?? []).filter {
            $0.unlabelledArgument(0)?.bare.ownName == function.name.text
        }
    }

    /// Returns the function parameter that a call invokes: `completion` in `completion(steps)`.
    func calledParameter(of call: FunctionCallExprSyntax) -> FunctionParameterSyntax? {
        switch binding(of: call.calledExpression) {
        case .parameter(let parameter): return parameter
        case .unwrapped(let value):
            guard case .parameter(let parameter) = binding(of: value) else { return nil }
            return parameter
        default: return nil
        }
    }

    /// Returns the closures passed for a parameter of one of the target's functions.
    func closures(passedFor parameter: FunctionParameterSyntax) -> [ClosureExprSyntax] {
        guard let function = parameter.function else { return [] }
        return calls(of: function).compactMap {
            $0.argument(for: parameter)?.bare.as(ClosureExprSyntax.self)
        }
    }
}

extension Target {
    /// Returns the calls of a member that holds a closure, where a value of the type is made of
    /// closures: `client.save(97)` for `Client(save: { percent in … })`.
    func calls(ofMember closure: ClosureExprSyntax) -> [FunctionCallExprSyntax] {
        guard let argument = closure.parent?.as(LabeledExprSyntax.self),
            let label = argument.label?.text,
            let call = argument.parent?.parent?.as(FunctionCallExprSyntax.self),
            let name = call.constructedName,
            case .variable(let binding, _) = member(label, of: name),
            binding.typeAnnotation?.type.all(FunctionTypeSyntax.self).isEmpty == false
        else { return [] }
        return (index.calls[label] ?? []).filter { $0.base != nil }
    }
}

extension FunctionDeclSyntax {
    /// Returns whether a call's labels match the function's.
    fileprivate func accepts(_ call: FunctionCallExprSyntax) -> Bool {
        var labels = call.arguments.map { $0.label?.text ?? "_" }[...]
        var missing = 0
        for parameter in signature.parameterClause.parameters {
            if labels.first == parameter.firstName.text {
                labels = labels.dropFirst()
                if parameter.ellipsis != nil { labels = labels.drop { $0 == "_" } }
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
    /// The function that the parameter belongs to; nil for initializers.
    var function: FunctionDeclSyntax? {
        parent?.parent?.parent?.parent?.as(FunctionDeclSyntax.self)
    }

    /// The internal name: `date` in `since date: Date`.
    var ownName: String { (secondName ?? firstName).text }
}
