import SwiftSyntax

/// The handler of a query, which runs on HealthKit's queue: a closure or a function of the target.
struct QueryHandler: Sendable {
    /// The property it was assigned to, such as `updateHandler`; nil if it was passed at
    /// construction.
    let property: String?
    /// The expression that was passed: a closure or a name.
    let value: ExprSyntax
    /// The closure, or the declaration of the function.
    let node: Syntax
    let statements: CodeBlockItemListSyntax

    init(_ closure: ClosureExprSyntax, as value: ExprSyntax, property: String?) {
        (self.property, self.value) = (property, value)
        node = Syntax(closure)
        statements = closure.statements
    }

    init?(_ function: FunctionDeclSyntax, as value: ExprSyntax, property: String?) {
        guard let body = function.body else { return nil }
        (self.property, self.value) = (property, value)
        node = Syntax(function)
        statements = body.statements
    }

    var closure: ClosureExprSyntax? { node.as(ClosureExprSyntax.self) }

    /// Returns the name of a parameter, `$1` for a closure without names, or nil for `_`.
    func parameter(_ place: Int) -> String? {
        if let closure { return closure.parameter(place) }
        let name = functionParameter(place)?.text
        return name == "_" ? nil : name
    }

    /// Returns the parameter's token for the finding's location, or the brace for a closure without
    /// names.
    func parameterToken(_ place: Int) -> TokenSyntax? {
        closure?.parameterToken(place) ?? functionParameter(place)
    }

    private func functionParameter(_ place: Int) -> TokenSyntax? {
        guard let list = node.as(FunctionDeclSyntax.self)?.signature.parameterClause.parameters,
            list.count > place
        else { return nil }
        let parameter = list[list.index(list.startIndex, offsetBy: place)]
        return parameter.secondName ?? parameter.firstName
    }
}

extension Target {
    /// Returns the handlers of a query: those passed at construction and those assigned to its
    /// properties.
    ///
    /// A name is resolved to a closure, or to the target's function if only one has that name.
    func handlers(of query: HealthQuery) -> [QueryHandler] {
        guard query.form == .callback else { return [] }
        var given = query.call.closures.map { ExprSyntax($0) }
        for argument in query.call.arguments
        where argument.label?.text.hasSuffix("andler") == true
            && !argument.expression.is(ClosureExprSyntax.self)
        {
            given.append(argument.expression)
        }
        return given.flatMap { handlers(from: $0, property: nil) }
            + assignedHandlers.values(of: query).flatMap {
                handlers(from: $0.value, property: $0.property)
            }
    }

    /// The handlers of queries that arrive as parameters, wherever those queries are constructed.
    var handlersOfPassedQueries: [QueryHandler] {
        assignedHandlers.ofPassedQueries.flatMap {
            handlers(from: $0.value, property: $0.property)
        }
    }

    private func handlers(from expression: ExprSyntax, property: String?) -> [QueryHandler] {
        let value = expression.bare
        return origins(of: value).compactMap { origin in
            if let closure = origin.as(ClosureExprSyntax.self) {
                return QueryHandler(closure, as: value, property: property)
            }
            return function(named: origin).flatMap {
                QueryHandler($0, as: value, property: property)
            }
        }
    }

    /// Returns whether a query continues after its first results.
    func isLongRunning(_ query: HealthQuery) -> Bool {
        guard query.form == .callback else { return false }
        let property: String
        switch query.kind {
        case .observer: return true
        case .anchored, .activitySummary: property = "updateHandler"
        case .statisticsCollection: property = "statisticsUpdateHandler"
        default: return false
        }
        return assignedHandlers.values(of: query).contains {
            $0.property == property && !$0.value.is(NilLiteralExprSyntax.self)
        }
    }

    /// Returns the query that a closure handles, and the property that the closure is assigned to.
    /// The property is nil for a handler passed at construction.
    func query(handledBy closure: ClosureExprSyntax) -> (query: HealthQuery, property: String?)? {
        if let call = closure.receivingCall, let query = HealthQuery(call) { return (query, nil) }
        guard let list = closure.parent, let sequence = list.parent?.as(SequenceExprSyntax.self),
            let assignment = Assignment(sequence),
            let member = assignment.target.as(MemberAccessExprSyntax.self), let base = member.base
        else { return nil }
        for origin in origins(of: base, calls: .notFollowed) {
            if let call = origin.as(FunctionCallExprSyntax.self), let query = HealthQuery(call) {
                return (query, member.declName.baseName.text)
            }
        }
        return nil
    }
}
