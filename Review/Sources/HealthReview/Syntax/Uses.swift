import SwiftSyntax

/// The statements and expressions of a file that rules need, in source order.
struct Uses: Sendable {
    var imports: Set<String> = []
    /// Every identifier, including closures' `$0`.
    var names: Set<String> = []
    var calls: [FunctionCallExprSyntax] = []
    /// The calls by the called name: `execute` for `store.execute(query)`.
    var callsByName: [String: [FunctionCallExprSyntax]] = [:]
    var closures: [ClosureExprSyntax] = []
    /// Tuples with two or more elements.
    var tuples: [TupleExprSyntax] = []
    var memberAccesses: [MemberAccessExprSyntax] = []
    var forceUnwraps: [ForceUnwrapExprSyntax] = []
    var assignments: [Assignment] = []
    var strings: [StringLiteralExprSyntax] = []
}
