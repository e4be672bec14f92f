import SwiftSyntax

extension FunctionCallExprSyntax {
    /// `context.save()`: what ends a transaction.
    var isCommit: Bool {
        base != nil && arguments.isEmpty && closures.isEmpty
            && ["save", "commit", "saveContext", "commitWrite"].contains(calledName ?? "")
    }
}
