import SwiftSyntax

/// The only file that may convert floating-point numbers to integers directly.
let conversionHome = "Sources/HealthEngine/WholeNumber.swift"

private let integerTypes: Set<String> = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
]

extension SourceFile {
    /// Calls of `Int(…)` with a floating-point number, which trap on NaN and on values that don't
    /// fit, such as the 1e19 steps of a damaged record.
    ///
    /// Only arguments that are visibly floating-point are found: a rounding, a float literal, an
    /// interval. A value declared in another file isn't, so such conversions need a manual check.
    var trappingConversions: [Breach] {
        guard room != nil, path != conversionHome else { return [] }
        return all(FunctionCallExprSyntax.self).compactMap { call in
            guard let type = call.freeFunction, integerTypes.contains(type),
                let argument = call.arguments.first, argument.label == nil,
                FloatingPointSearch.finds(in: argument.expression)
            else { return nil }
            return breach(
                "\(type)(…) of a floating-point number traps on what doesn't fit: "
                    + "use clamping: or exactly:", at: call)
        }
    }
}

/// Finds evidence that an expression is a floating-point number.
private final class FloatingPointSearch: SyntaxVisitor {
    private var found = false

    static func finds(in expression: ExprSyntax) -> Bool {
        let search = FloatingPointSearch(viewMode: .sourceAccurate)
        search.walk(expression)
        return search.found || isInterval(expression)
    }

    /// Returns whether a value's name suggests a time interval.
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
