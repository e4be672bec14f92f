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
    /// Expressions with operators, as a flat list: `a + b`, `x = y`.
    var sequences: [SequenceExprSyntax] = []
    /// Names that stand for values, by name: `x`, `f` in `f()`, also as the base of a member.
    var references: [String: [DeclReferenceExprSyntax]] = [:]
    var strings: [StringLiteralExprSyntax] = []
}
