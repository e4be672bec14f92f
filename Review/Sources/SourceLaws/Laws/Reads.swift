import SwiftSyntax

/// The ways to read or bind SQLite values that a target must not use, because they don't check the
/// type.
struct UncheckedAccess: Sendable {
    /// The complete names of forbidden methods: "fetchOne".
    var methods: Set<String> = []
    /// The prefixes of the names of forbidden functions: "sqlite3_column_".
    var functionPrefixes: [String] = []
    /// The forbidden uses of GRDB's `Row`: `Row.fetchAll(db)` is `fetched`, `row as Row` is `cast`.
    var rows: Set<RowUse> = []
    /// The names of values whose subscripts are forbidden: "row" for `row[0]`.
    var subscripts: Set<String> = []

    enum RowUse: Sendable { case fetched, cast }
}

/// The forbidden ways to read or bind, by target. Targets that aren't listed aren't checked.
///
/// HealthStorage uses GRDB's fetch methods only in ``checkedReaders``. HealthSync may use them
/// anywhere, since they throw an error for a value that can't be converted. It may not use row
/// subscripts, which trap.
let uncheckedAccess: [String: UncheckedAccess] = [
    "HealthStorage": UncheckedAccess(
        methods: ["fetchOne", "fetchAll", "fetchCursor", "fetchSet"],
        functionPrefixes: ["sqlite3_column_", "sqlite3_bind_"], rows: [.cast]),
    "HealthSync": UncheckedAccess(
        functionPrefixes: ["sqlite3_column_", "sqlite3_bind_"], subscripts: ["row", "$0"]),
    "HealthDashboard": UncheckedAccess(functionPrefixes: ["sqlite3_"], rows: [.fetched]),
]

/// The names by which a subscript with a column number is recognized as a read of a database row:
/// `row[0]`.
let rowNames: Set<String> = ["row", "rows", "$0"]

/// The names of methods that read a column, which is their first argument.
let columnReads: Set<String> = [
    "int", "double", "doubleOrNaN", "text", "uuid", "value", "optional",
]

/// The files that may read in any way, because they check the types of the values.
let checkedReaders: Set<String> = [
    "CheckedRow.swift", "StoreStatement.swift", "ColumnRule.swift", "MirrorRowValues.swift",
]

extension SourceFile {
    /// Reads of SQLite values without a check of their type, as ``uncheckedAccess`` defines them.
    ///
    /// GRDB's accessors trap on a value of another type, or convert it.
    var uncheckedReads: [Violation] {
        guard let target, let unchecked = uncheckedAccess[target],
            !checkedReaders.contains(where: { path.hasSuffix("/" + $0) })
        else { return [] }
        return (callReads(unchecked) + castReads(unchecked) + subscriptReads(unchecked))
            .map { violation("\($0.what) reads what a file holds without a check", at: $0.node) }
    }

    private typealias Read = (what: String, node: Syntax)

    private func callReads(_ unchecked: UncheckedAccess) -> [Read] {
        let methods = all(MemberAccessExprSyntax.self).compactMap { member -> Read? in
            let name = member.declName.baseName.text
            let isFetchedRow =
                unchecked.rows.contains(.fetched)
                && member.path.map { $0.hasPrefix("Row.fetch") } == true
            return unchecked.methods.contains(name) || isFetchedRow
                ? (".\(name)(…)", Syntax(member)) : nil
        }
        let functions = all(DeclReferenceExprSyntax.self).compactMap { reference -> Read? in
            let name = reference.baseName.text
            return unchecked.functionPrefixes.contains { name.hasPrefix($0) }
                ? ("\(name)(…)", Syntax(reference)) : nil
        }
        return methods + functions
    }

    private func castReads(_ unchecked: UncheckedAccess) -> [Read] {
        guard unchecked.rows.contains(.cast) else { return [] }
        let types = all(TypeExprSyntax.self).filter {
            $0.type.trimmedDescription == "Row"
                && $0.previousToken(viewMode: .sourceAccurate)?.tokenKind == .keyword(.as)
        }
        return types.map { ("as Row", Syntax($0)) }
    }

    /// Returns reads by a subscript of a row. A subscript of `$0`, which may be something else,
    /// counts only with 0, 1 or a string literal: `$0[0]`, `$0["uuid"]`.
    private func subscriptReads(_ unchecked: UncheckedAccess) -> [Read] {
        all(SubscriptCallExprSyntax.self).compactMap { call in
            guard
                let name = call.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text,
                unchecked.subscripts.contains(name), let argument = call.arguments.first?.expression
            else { return nil }
            let looksLikeRow =
                argument.is(StringLiteralExprSyntax.self)
                || ["0", "1"].contains(argument.trimmedDescription)
            return name != "$0" || looksLikeRow ? ("\(name)[…]", Syntax(call)) : nil
        }
    }
}

extension SourceFile {
    /// Columns and SQL parameters that are accessed by a number, in the targets that
    /// ``uncheckedAccess`` lists.
    ///
    /// Code should name them with cases of an enum: a `StatementField` or a `RowColumn`.
    var positionalReads: [Violation] {
        guard let target, uncheckedAccess[target] != nil else { return [] }
        let subscripts = all(SubscriptCallExprSyntax.self).filter { call in
            call.arguments.first?.expression.is(IntegerLiteralExprSyntax.self) == true
                && call.rowName.map(rowNames.contains) == true
        }
        let calls = all(FunctionCallExprSyntax.self).filter { call in
            guard let name = call.method else { return false }
            let isRead =
                columnReads.contains(name)
                && call.arguments.first?.expression.is(IntegerLiteralExprSyntax.self) == true
            return isRead || name == "bind" && call.arguments.contains { $0.label?.text == "at" }
        }
        return (subscripts.map { Syntax($0) } + calls.map { Syntax($0) })
            .map { violation("a column or a parameter called by its number", at: $0) }
    }
}

extension SubscriptCallExprSyntax {
    /// The name of the subscripted value: "row" for `row[0]` and `row?[0]`. Nil if it isn't a plain
    /// name.
    fileprivate var rowName: String? {
        let optional = calledExpression.as(OptionalChainingExprSyntax.self)?.expression
        return (optional ?? calledExpression).as(DeclReferenceExprSyntax.self)?.baseName.text
    }
}
