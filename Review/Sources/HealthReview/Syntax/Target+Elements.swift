import SwiftSyntax

extension Target {
    /// Returns the elements of a list that the source shows: a literal, a `Set`, a sum of lists, or
    /// a local variable with appended elements. The result is empty for other lists.
    func elements(of expression: ExprSyntax) -> [ExprSyntax] { elements(of: expression, depth: 0) }

    private func elements(of expression: ExprSyntax, depth: Int) -> [ExprSyntax] {
        let origins = origins(of: expression)
        guard depth < 4, origins.count == 1 else { return [] }
        let origin = origins[0]
        if let array = origin.as(ArrayExprSyntax.self) {
            if array.elements.isEmpty { return appended(to: expression).map(\.value) }
            return array.elements.flatMap { self.origins(of: $0.expression) }
        }
        if let call = origin.as(FunctionCallExprSyntax.self), call.arguments.count == 1,
            ["Set", "Array"].contains(call.constructedName), let list = call.unlabelledArgument(0)
        {
            return elements(of: list, depth: depth + 1)
        }
        if let sum = origin.as(SequenceExprSyntax.self) {
            let terms = Array(sum.elements)
            let operators = terms.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            guard
                operators.allSatisfy({ $0.as(BinaryOperatorExprSyntax.self)?.operator.text == "+" })
            else { return [] }
            let parts = stride(from: 0, to: terms.count, by: 2).map {
                elements(of: terms[$0], depth: depth + 1)
            }
            return parts.contains(where: \.isEmpty) ? [] : parts.flatMap(\.self)
        }
        return []
    }

    /// Returns the values appended to a local list, each with its enclosing loop.
    func appended(to list: ExprSyntax) -> [(value: ExprSyntax, loop: ForStmtSyntax?)] {
        guard let name = list.bare.ownName, let file = file(of: list) else { return [] }
        let function = list.enclosingFunction
        return (file.uses.callsByName["append"] ?? []).compactMap { call in
            guard call.base?.bare.ownName == name, call.isInside(function),
                let value = call.unlabelledArgument(0)
            else { return nil }
            return (value, call.enclosing(ForStmtSyntax.self))
        }
    }
}
