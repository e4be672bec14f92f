import SwiftSyntax

extension SyntaxProtocol {
    /// The body whose statements run in sequence with this node. Closures that a method calls
    /// immediately (`forEach`, `map`) are skipped.
    var runningBody: Syntax {
        var body = enclosingBody
        while let closure = body.as(ClosureExprSyntax.self), let call = closure.receivingCall,
            FunctionCallExprSyntax.runAtOnce.contains(call.calledName ?? "")
        {
            body = closure.enclosingBody
        }
        return body
    }

    /// Returns whether an identifier occurs anywhere inside.
    func contains(_ identifier: String) -> Bool {
        Syntax(self).descendants.contains { $0.as(TokenSyntax.self)?.text == identifier }
    }
}

extension FunctionCallExprSyntax {
    /// Methods that call their closure before they return, on the calling thread.
    static let runAtOnce: Set<String> = [
        "forEach", "map", "compactMap", "flatMap", "filter", "reduce", "sorted", "sort", "first",
        "firstIndex", "contains", "allSatisfy", "min", "max", "mapValues", "removeAll",
        "enumerateStatistics", "enumerated", "autoreleasepool", "withAnimation", "sync", "withLock",
        "last", "partition", "drop", "prefix",
    ]
}
