import SwiftSyntax

extension SampleSearch {
    /// Follows a call backwards: a collection method, a descriptor's result or a function of the
    /// target.
    mutating func step(call: FunctionCallExprSyntax, _ state: State) {
        guard let name = call.calledName else { return isComplete = false }
        if name.hasSuffix("Continuation"), let closure = call.closures.first {
            return step(resumedIn: closure, state)
        }
        if let base = call.base {
            if !step(method: name, of: base, call, state) { step(into: call, state) }
            return
        }
        switch name {
        case "failure": break
        case "success":
            guard let value = call.unlabelledArgument(0) else { return isComplete = false }
            follow(value, state)
        case "Array", "Set", "Dictionary":
            guard let list = call.argument("grouping") ?? call.unlabelledArgument(0) else {
                return isComplete = false
            }
            follow(list, narrowed(state, by: call))
        default: step(into: call, state)
        }
    }

    /// Follows a part of a tuple that a function of the target returns.
    mutating func step(part place: Int, of value: ExprSyntax, _ state: State) {
        for origin in target.origins(of: value, calls: .notFollowed) {
            var state = state
            var tuples = [origin]
            if let call = origin.as(FunctionCallExprSyntax.self) {
                guard state.calls.count < 4, let function = target.function(calledBy: call) else {
                    return isComplete = false
                }
                state.calls.append(KnownCall(function: function, call: call))
                tuples = target.results(of: function).flatMap { target.origins(of: $0) }
            }
            for tuple in tuples {
                let elements = tuple.as(TupleExprSyntax.self).map { Array($0.elements) } ?? []
                guard elements.indices.contains(place) else { return isComplete = false }
                follow(elements[place].expression, state)
            }
        }
    }

    /// Follows a method that returns samples or quantities of its base. Returns false for other
    /// methods.
    private mutating func step(
        method: String, of base: ExprSyntax, _ call: FunctionCallExprSyntax, _ state: State
    ) -> Bool {
        var state = state
        switch method {
        case "result", "results": step(descriptor: base, state)
        case "sumQuantity", "averageQuantity", "minimumQuantity", "maximumQuantity",
            "mostRecentQuantity":
            state.isStatistics = true
            follow(base, state)
        case "statistics", "objects": step(typed: call, base, state)
        case "filter", "sorted", "prefix", "suffix", "dropFirst", "dropLast", "drop", "reversed",
            "first", "last", "min", "max", "shuffled", "removeFirst", "removeLast", "popLast",
            "randomElement":
            follow(base, narrowed(state, by: call))
        case "get": follow(base, state)
        case "map", "compactMap", "flatMap": step(mapped: call, base, state)
        default: return false
        }
        return true
    }

    /// Marks the path as restricted to some sources if a call's arguments check the source,
    /// directly or through a function or variable of the target.
    private func narrowed(_ state: State, by call: FunctionCallExprSyntax) -> State {
        var state = state
        for argument in call.arguments.map({ Syntax($0) }) + call.closures.map({ Syntax($0) })
        where argument.mentionsSource || argument.names.contains(where: target.asksForSource) {
            state.isOfSomeSources = true
        }
        return state
    }

    private mutating func step(descriptor base: ExprSyntax, _ state: State) {
        for origin in target.origins(of: base, calls: .notFollowed) {
            guard let call = origin.as(FunctionCallExprSyntax.self) else {
                return isComplete = false
            }
            if let query = HealthQuery(call) {
                add(query, state)
            } else if let function = target.function(calledBy: call), state.calls.count < 4 {
                var inner = state
                inner.calls.append(KnownCall(function: function, call: call))
                for result in target.results(of: function) {
                    for made in target.origins(of: result) {
                        guard let call = made.as(FunctionCallExprSyntax.self),
                            let query = HealthQuery(call)
                        else { return isComplete = false }
                        add(query, inner)
                    }
                }
            } else {
                return isComplete = false
            }
        }
    }

    /// `workout.statistics(for: type)`, `correlation.objects(for: type)`;
    /// `collection.statistics(for: day)`.
    private mutating func step(
        typed call: FunctionCallExprSyntax, _ base: ExprSyntax, _ state: State
    ) {
        guard let argument = call.argument("for") else { return follow(base, state) }
        let types = target.sampleTypes(of: argument)
        if types.areKnown {
            add(call.calledName == "objects" ? .rawSamples : .statistics, types, state)
        } else if call.calledName == "statistics" {
            follow(base, state)
        } else {
            isComplete = false
        }
    }

    /// Follows `map`, which keeps samples if it casts them or takes their quantity. Otherwise it
    /// transforms them.
    private mutating func step(
        mapped call: FunctionCallExprSyntax, _ base: ExprSyntax, _ state: State
    ) {
        var state = state
        guard let closure = call.closures.first else {
            let path = call.unlabelledArgument(0)?.shortText ?? ""
            if path.hasSuffix("\\.quantity") || path.hasSuffix(".quantity") {
                return follow(base, state)
            }
            return isComplete = false
        }
        let results = target.results(of: closure.statements)
        let keeps = results.allSatisfy { result in
            let bare = result.bare
            if let name = bare.ownName { return name == closure.parameter(0) }
            let member = bare.as(MemberAccessExprSyntax.self)
            return member?.declName.baseName.text == "quantity"
                && member?.base?.bare.ownName == closure.parameter(0)
        }
        if !keeps {
            guard closure.takesMember("doubleValue") else { return isComplete = false }
            state.measures.append(closure)
        }
        if call.calledName == "flatMap" && !keeps { return isComplete = false }
        follow(base, state)
    }

    /// Follows the values that a continuation in `withCheckedContinuation { continuation in … }`
    /// receives.
    private mutating func step(resumedIn closure: ClosureExprSyntax, _ state: State) {
        guard let name = closure.parameter(0) else { return isComplete = false }
        var values: [ExprSyntax] = []
        for call in closure.all(FunctionCallExprSyntax.self)
        where call.calledName == "resume" && call.base?.bare.ownName == name {
            if let value = call.argument("returning") {
                values.append(value)
            } else if let result = call.argument("with")?.bare.as(FunctionCallExprSyntax.self),
                result.calledName == "success", let value = result.unlabelledArgument(0)
            {
                values.append(value)
            }
        }
        if values.isEmpty { return isComplete = false }
        for value in values { follow(value, state) }
    }

    /// Follows a call into a function of the target.
    private mutating func step(into call: FunctionCallExprSyntax, _ state: State) {
        var state = state
        guard state.calls.count < 4, let function = target.function(calledBy: call) else {
            return isComplete = false
        }
        state.calls.append(KnownCall(function: function, call: call))
        let results = target.results(of: function)
        if results.isEmpty { isComplete = false }
        for result in results { follow(result, state) }
    }
}

extension SampleSearch {
    /// Follows a closure's parameter: an element of a collection, or the value that a query or a
    /// function of the target passes to the closure.
    mutating func step(_ closure: ClosureExprSyntax, _ place: Int, _ state: State) {
        var state = state
        if let collection = closure.collection(ofParameter: place) {
            let name = closure.receivingCall?.calledName
            let isOptional =
                ["map", "flatMap"].contains(name) && collection.bare.is(MemberAccessExprSyntax.self)
            state.isElement = state.isElement || !isOptional
            return follow(collection, state)
        }
        if let (query, property) = target.query(handledBy: closure) {
            let isSecond =
                property == "statisticsUpdateHandler" ? place == 1 || place == 2 : place == 1
            if isSecond { add(query, state) } else { isComplete = false }
            return
        }
        guard let call = closure.receivingCall else { return isComplete = false }
        if call.calledName == "enumerateStatistics", place == 0, let base = call.base {
            state.isStatistics = true
            state.isElement = true
            return follow(base, state)
        }
        step(closure, place, passedTo: call, state)
    }

    /// Follows the values that `fetchSteps` passes to its closure in `fetchSteps { samples in … }`.
    private mutating func step(
        _ closure: ClosureExprSyntax, _ place: Int, passedTo call: FunctionCallExprSyntax,
        _ state: State
    ) {
        guard state.calls.count < 4, let function = target.function(calledBy: call) else {
            return isComplete = false
        }
        let known = KnownCall(function: function, call: call)
        let parameter = function.signature.parameterClause.parameters.first {
            known.argument(for: $0)?.as(ClosureExprSyntax.self)?.id == closure.id
        }
        guard let parameter, let body = function.body else { return isComplete = false }
        let name = parameter.ownName
        var inner = state
        inner.calls.append(known)
        var isCalled = false
        for call in body.all(FunctionCallExprSyntax.self)
        where call.calledExpression.bare.ownName == name {
            guard let value = call.unlabelledArgument(place) else { continue }
            isCalled = true
            follow(value, inner)
        }
        if !isCalled { isComplete = false }
    }
}

extension Target {
    /// Returns whether a function or variable with this name checks which source wrote a sample.
    fileprivate func asksForSource(_ name: String) -> Bool {
        let functions = functions(name)
        let members = index.computed[name] ?? []
        guard functions.count + members.count < 8 else { return false }
        return functions.contains { $0.body?.mentionsSource ?? false }
            || members.contains { $0.accessorBlock?.mentionsSource ?? false }
    }
}

extension SyntaxProtocol {
    /// The names used as values or members anywhere inside, including key paths.
    fileprivate var names: [String] {
        Syntax(self).descendants.compactMap {
            $0.as(DeclReferenceExprSyntax.self)?.baseName.text
        }
    }
}
