import SwiftSyntax

extension Target {
    /// Returns the parts of a query with a list of parts: a literal, a `map` over a list of types,
    /// or a list that parts are appended to.
    func parts(ofList list: ExprSyntax) -> [QueryPart] {
        let origins = origins(of: list)
        if origins.count == 1, let call = origins[0].as(FunctionCallExprSyntax.self),
            ["map", "compactMap"].contains(call.calledName), let closure = call.closures.first,
            let types = call.base
        {
            return parts(madeBy: closure, from: types)
        }
        if origins.count == 1, let array = origins[0].as(ArrayExprSyntax.self),
            array.elements.isEmpty
        {
            return appended(to: list).flatMap { value, loop in
                parts(of: value, in: loop)
            }
        }
        return elements(of: list).compactMap { QueryPart($0, in: self) }
    }

    /// Returns a part for each type in
    /// `types.map { HKQueryDescriptor(sampleType: $0, predicate: nil) }`.
    private func parts(madeBy closure: ClosureExprSyntax, from types: ExprSyntax) -> [QueryPart] {
        guard let parameter = closure.parameter(0) else { return [] }
        let results = results(of: closure.statements)
        guard results.count == 1 else { return [] }
        return elements(of: types).compactMap {
            QueryPart(results[0].bare, in: self, where: parameter, is: $0)
        }
    }

    private func parts(of value: ExprSyntax, in loop: ForStmtSyntax?) -> [QueryPart] {
        guard let loop else { return origins(of: value).compactMap { QueryPart($0, in: self) } }
        guard let name = loop.pattern.as(IdentifierPatternSyntax.self)?.identifier.text else {
            return []
        }
        return elements(of: loop.sequence).compactMap {
            QueryPart(value.bare, in: self, where: name, is: $0)
        }
    }
}

extension QueryPart {
    /// Creates a part from an expression in which a name stands for one element of a list.
    init?(_ origin: ExprSyntax, in target: Target, where name: String, is element: ExprSyntax) {
        guard let part = QueryPart(origin, in: target) else { return nil }
        self = part
        guard let call = origin.as(FunctionCallExprSyntax.self),
            let type = (call.argument("sampleType") ?? call.argument("type"))?.bare
        else { return }
        if type.ownName == name {
            types = target.sampleTypes(of: element)
            self.type = element
        } else if let made = type.as(FunctionCallExprSyntax.self),
            let identifier = made.unlabelledArgument(0) ?? made.argument("forIdentifier"),
            identifier.bare.ownName == name
        {
            types = target.identifiedTypes(of: element)
            self.type = element
        }
    }
}
