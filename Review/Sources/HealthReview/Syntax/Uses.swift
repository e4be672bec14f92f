import SwiftSyntax

/// What a file's code does, in the order of the source.
struct Uses: Sendable {
    var imports: Set<String> = []
    /// Every identifier that stands anywhere, closures' `$0` too.
    var names: Set<String> = []
    var calls: [FunctionCallExprSyntax] = []
    /// The same by what is called: `execute` for `store.execute(query)`.
    var callsByName: [String: [FunctionCallExprSyntax]] = [:]
    var closures: [ClosureExprSyntax] = []
    var memberAccesses: [MemberAccessExprSyntax] = []
    var forceUnwraps: [ForceUnwrapExprSyntax] = []
    var assignments: [Assignment] = []
}
