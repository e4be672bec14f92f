import SwiftSyntax

/// The only file under `Sources` that may convert floating-point numbers to integers with an
/// initializer that traps, such as `Int(_:)`.
let conversionFile = "Sources/HealthEngine/WholeNumber.swift"

private let integerTypes: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
]

extension SourceFile {
    /// Calls of `Int(…)` or another integer type with a floating-point number, in a target under
    /// `Sources`.
    ///
    /// They trap on NaN and on values that don't fit, such as the 1e19 steps of a damaged record.
    /// Types are unknown here. So a call is found only if its argument shows that it is
    /// floating-point: by a `rounded()`, a float literal, `Double(…)` or the name of an interval.
    /// Other variables need a manual check.
    var trappingConversions: [Violation] {
        guard target != nil, path != conversionFile else { return [] }
        return all(FunctionCallExprSyntax.self).compactMap { call in
            guard let type = call.freeFunction, integerTypes.contains(type),
                let argument = call.arguments.first, argument.label == nil,
                FloatingPointSearch.finds(in: argument.expression)
            else { return nil }
            return violation(
                "\(type)(…) of a floating-point number traps on what doesn't fit: "
                    + "use clamping: or exactly:", at: call)
        }
    }
}

/// Searches an expression for signs that it is a floating-point number.
private final class FloatingPointSearch: SyntaxVisitor {
    private var found = false

    static func finds(in expression: ExprSyntax) -> Bool {
        let search = FloatingPointSearch(viewMode: .sourceAccurate)
        search.walk(expression)
        return search.found || isInterval(expression)
    }

    /// Returns whether an expression is a name that ends in `duration` or `seconds`, or a member
    /// `clamped`, which HealthSync declares for `Double`.
    private static func isInterval(_ expression: ExprSyntax) -> Bool {
        let value = expression.unwrapped
        let name =
            value.as(MemberAccessExprSyntax.self)?.declName.baseName.text
            ?? value.as(DeclReferenceExprSyntax.self)?.baseName.text ?? ""
        let isMember = value.is(MemberAccessExprSyntax.self)
        return ["duration", "seconds"].contains { name.hasSuffix($0) }
            || (name == "clamped" && isMember)
    }

    override func visit(_ node: FloatLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        found = true
        return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        if node.method == "rounded" || node.freeFunction == "Double" { found = true }
        return .visitChildren
    }

    override func visit(_ node: TupleExprSyntax) -> SyntaxVisitorContinueKind {
        if Self.isInterval(ExprSyntax(node)) { found = true }
        return .visitChildren
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        let name = node.baseName.text
        if name.contains("timeInterval") || name.contains("TimeInterval") { found = true }
        return .skipChildren
    }
}
