import SwiftSyntax

extension FunctionCallExprSyntax {
    /// Whether the call commits a transaction, like `context.save()`.
    var isCommit: Bool {
        base != nil && arguments.isEmpty && closures.isEmpty
            && ["save", "commit", "saveContext", "commitWrite"].contains(calledName ?? "")
    }
}
