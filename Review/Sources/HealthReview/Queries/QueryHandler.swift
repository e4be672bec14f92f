import SwiftSyntax

/// What a query calls back: a closure, or a function of the target.
struct QueryHandler: Sendable {
    /// The property it was assigned to, as `updateHandler`; nil if it was given at construction.
    let property: String?
    /// The closure or the function's declaration.
    let node: Syntax
    let statements: CodeBlockItemListSyntax

    init(_ closure: ClosureExprSyntax, property: String?) {
        self.property = property
        node = Syntax(closure)
        statements = closure.statements
    }

    init?(_ function: FunctionDeclSyntax, property: String?) {
        guard let body = function.body else { return nil }
        self.property = property
        node = Syntax(function)
        statements = body.statements
    }

    /// The name of a parameter, `$1` where a closure names none; nil where it is `_`.
    func parameter(_ place: Int) -> String? {
        if let closure = node.as(ClosureExprSyntax.self) { return closure.parameter(place) }
        let name = functionParameter(place)?.text
        return name == "_" ? nil : name
    }

    /// The token of a parameter, to point at; the brace where a closure names none.
    func parameterToken(_ place: Int) -> TokenSyntax? {
        node.as(ClosureExprSyntax.self)?.parameterToken(place) ?? functionParameter(place)
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
    /// The handlers of a query: those given at construction, and those assigned in the same function.
    ///
    /// Names are followed to a closure or to the target's only function of the name.
    func handlers(of query: HealthQuery, in file: SourceFile) -> [QueryHandler] {
        guard query.form == .callback else { return [] }
        var found = query.call.closures.compactMap { QueryHandler($0, property: nil) }
        for argument in query.call.arguments
        where argument.label?.text.hasSuffix("andler") == true
            && !argument.expression.is(ClosureExprSyntax.self)
        {
            found += handlers(from: argument.expression, property: nil)
        }
        guard let variable = query.variable else { return found }
        let scope = query.call.enclosingFunction
        for assignment in file.uses.assignments {
            guard let member = assignment.target.as(MemberAccessExprSyntax.self),
                member.declName.baseName.text.hasSuffix("andler"),
                member.base?.bare.ownName == variable, assignment.node.isInside(scope),
                let value = assignment.singleValue
            else { continue }
            found += handlers(from: value, property: member.declName.baseName.text)
        }
        return found
    }

    private func handlers(from expression: ExprSyntax, property: String?) -> [QueryHandler] {
        origins(of: expression).compactMap { origin in
            if let closure = origin.as(ClosureExprSyntax.self) {
                return QueryHandler(closure, property: property)
            }
            guard let name = origin.ownName,
                case .function(let function) = binding(name, at: origin)
            else { return nil }
            return QueryHandler(function, property: property)
        }
    }
}
