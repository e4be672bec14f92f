import SwiftSyntax

extension SyntaxProtocol {
    /// The body whose statements run in order with this node: closures that a loop's method calls at
    /// once (`forEach`, `map`) are passed through.
    var runningBody: Syntax {
        var body = enclosingBody
        while let closure = body.as(ClosureExprSyntax.self), let call = closure.receivingCall,
            FunctionCallExprSyntax.runAtOnce.contains(call.calledName ?? "")
        {
            body = closure.enclosingBody
        }
        return body
    }

    /// Whether an identifier stands anywhere inside.
    func contains(_ identifier: String) -> Bool {
        Syntax(self).descendants.contains { $0.as(TokenSyntax.self)?.text == identifier }
    }
}

extension FunctionCallExprSyntax {
    /// Methods that call their closure before they return, on the thread they were called on.
    static let runAtOnce: Set<String> = [
        "forEach", "map", "compactMap", "flatMap", "filter", "reduce", "sorted", "sort", "first",
        "firstIndex", "contains", "allSatisfy", "min", "max", "mapValues", "removeAll",
        "enumerateStatistics", "enumerated", "autoreleasepool", "withAnimation", "sync", "withLock",
        "last", "partition", "drop", "prefix",
    ]
}
