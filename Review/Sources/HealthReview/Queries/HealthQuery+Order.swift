import SwiftSyntax

/// The order in which a sample query returns its samples.
enum SampleOrder: Sendable, Equatable {
    /// No sort descriptors: any order.
    case none
    /// By date, oldest first.
    case ascending
    /// By date, newest first.
    case descending
}

/// The largest number of samples that a query returns.
enum SampleLimit: Sendable, Equatable {
    case none
    case number(Int)
}

extension Target {
    /// Returns a query's order by its first sort descriptor; nil if it can't be determined.
    func order(of query: HealthQuery, _ calls: [KnownCall] = []) -> SampleOrder? {
        guard let given = query.call.argument("sortDescriptors") else { return nil }
        let list = argument(given, of: calls)
        let origins = origins(of: list)
        guard origins.count == 1 else { return nil }
        if origins[0].is(NilLiteralExprSyntax.self) { return SampleOrder.none }
        if let array = origins[0].as(ArrayExprSyntax.self) {
            guard let first = array.elements.first?.expression else {
                let isFilled = appended(to: list).isEmpty == false
                return isFilled ? nil : SampleOrder.none
            }
            return order(ofDescriptor: first, calls)
        }
        return nil
    }

    private func order(ofDescriptor expression: ExprSyntax, _ calls: [KnownCall]) -> SampleOrder? {
        let origins = origins(of: expression)
        guard origins.count == 1, let call = origins[0].as(FunctionCallExprSyntax.self),
            ["NSSortDescriptor", "SortDescriptor", "init"].contains(call.calledName),
            let key = call.arguments.first?.expression.shortText?.lowercased(),
            key.contains("startdate") || key.contains("enddate")
        else { return nil }
        if let ascending = call.argument("ascending") {
            let values = self.origins(of: argument(ascending, of: calls))
            guard values.count == 1, let literal = values[0].as(BooleanLiteralExprSyntax.self)
            else { return nil }
            return literal.literal.tokenKind == .keyword(.true) ? .ascending : .descending
        }
        guard let order = call.argument("order") else { return .ascending }
        switch order.bare.as(MemberAccessExprSyntax.self)?.declName.baseName.text {
        case "forward": return .ascending
        case "reverse": return .descending
        default: return nil
        }
    }

    /// Returns a query's limit; nil if it can't be determined.
    func limit(of query: HealthQuery, _ calls: [KnownCall] = []) -> SampleLimit? {
        guard let given = query.call.argument("limit") else {
            return query.form == .descriptor ? SampleLimit.none : nil
        }
        let expression = argument(given, of: calls)
        if let number = integer(expression) {
            return number == 0 ? SampleLimit.none : .number(number)
        }
        let origins = origins(of: expression)
        guard origins.count == 1 else { return nil }
        if origins[0].is(NilLiteralExprSyntax.self) { return SampleLimit.none }
        let name = origins[0].lastName
        if name == "HKObjectQueryNoLimit" { return SampleLimit.none }
        guard let call = origins[0].as(FunctionCallExprSyntax.self),
            call.constructedName == "Int",
            call.unlabelledArgument(0)?.bare.lastName == "HKObjectQueryNoLimit"
        else { return nil }
        return SampleLimit.none
    }

    /// Returns the argument of an entered call for a parameter, or the expression itself.
    private func argument(_ expression: ExprSyntax, of calls: [KnownCall]) -> ExprSyntax {
        guard let name = expression.bare.ownName,
            case .parameter(let parameter) = binding(name, at: expression),
            let known = calls.last(where: { $0.function.id == parameter.function?.id })
        else { return expression }
        return known.argument(for: parameter) ?? expression
    }
}

/// A query whose samples an expression holds, in the query's order.
struct OrderedSource {
    let query: HealthQuery
    /// The calls that lead to it.
    let calls: [KnownCall]
}

extension Target {
    /// Returns the queries whose samples an expression holds in their order; empty if the order
    /// changes on the way or a step can't be followed.
    ///
    /// - Complexity: bounded: 40 steps.
    func orderedSources(of expression: ExprSyntax) -> [OrderedSource] {
        var found: [OrderedSource] = []
        var pending: [(ExprSyntax, [KnownCall])] = [(expression, [])]
        var seen: Set<SyntaxIdentifier> = []
        while let (next, calls) = pending.popLast(), seen.count < 40 {
            for origin in origins(of: next, calls: .notFollowed)
            where seen.insert(origin.id).inserted {
                if let call = origin.as(FunctionCallExprSyntax.self) {
                    step(call, calls, &pending, &found)
                } else if let member = origin.as(MemberAccessExprSyntax.self) {
                    guard member.declName.baseName.text == "addedSamples", let base = member.base
                    else { continue }
                    pending.append((base, calls))
                } else if let name = origin.as(DeclReferenceExprSyntax.self) {
                    step(name, calls, &pending, &found)
                }
            }
        }
        return found
    }

    private func step(
        _ call: FunctionCallExprSyntax, _ calls: [KnownCall],
        _ pending: inout [(ExprSyntax, [KnownCall])], _ found: inout [OrderedSource]
    ) {
        guard let name = call.calledName else { return }
        switch name {
        case "result":
            guard call.argument("for") != nil, let base = call.base else { return }
            for origin in origins(of: base) {
                if let made = origin.as(FunctionCallExprSyntax.self), let query = HealthQuery(made)
                {
                    found.append(OrderedSource(query: query, calls: calls))
                }
            }
        case "compactMap", "map", "filter":
            if let base = call.base { pending.append((base, calls)) }
        case "success", "Array":
            if let value = call.unlabelledArgument(0) { pending.append((value, calls)) }
        default:
            if name.hasSuffix("Continuation"), let closure = call.closures.first {
                pending += resumed(in: closure).map { ($0, calls) }
            } else if calls.count < 3, let function = function(calledBy: call) {
                let entered = calls + [KnownCall(function: function, call: call)]
                pending += results(of: function).map { ($0, entered) }
            }
        }
    }

    private func step(
        _ name: DeclReferenceExprSyntax, _ calls: [KnownCall],
        _ pending: inout [(ExprSyntax, [KnownCall])], _ found: inout [OrderedSource]
    ) {
        switch binding(name.baseName.text, at: name) {
        case .closureParameter(let closure, let place):
            if let query = query(handledBy: closure)?.query {
                if place == 1 { found.append(OrderedSource(query: query, calls: calls)) }
            } else if let call = closure.receivingCall, calls.count < 3,
                let function = function(calledBy: call)
            {
                let known = KnownCall(function: function, call: call)
                pending += values(passedTo: closure, at: place, known).map { ($0, calls + [known]) }
            }
        case .parameter(let parameter):
            guard let function = parameter.function, calls.isEmpty else { return }
            pending += self.calls(of: function).prefix(4).compactMap { known in
                known.argument(for: parameter).map { ($0, []) }
            }
        case .opaque:
            if let result = successSubject(of: name.baseName.text, at: name) {
                pending.append((result, calls))
            }
        default: break
        }
    }

    private func resumed(in closure: ClosureExprSyntax) -> [ExprSyntax] {
        let name = closure.parameter(0) ?? ""
        return closure.all(FunctionCallExprSyntax.self).compactMap { call in
            call.calledName == "resume" && call.base?.bare.ownName == name
                ? call.argument("returning") : nil
        }
    }

    private func values(
        passedTo closure: ClosureExprSyntax, at place: Int, _ known: KnownCall
    ) -> [ExprSyntax] {
        let parameter = known.function.signature.parameterClause.parameters.first {
            known.argument(for: $0)?.as(ClosureExprSyntax.self)?.id == closure.id
        }
        guard let parameter, let body = known.function.body else { return [] }
        return body.all(FunctionCallExprSyntax.self).compactMap { call in
            call.calledExpression.bare.ownName == parameter.ownName
                ? call.unlabelledArgument(place) : nil
        }
    }
}
