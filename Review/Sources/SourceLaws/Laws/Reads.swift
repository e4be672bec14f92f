import SwiftSyntax

/// The ways in which a value of an SQLite file reaches Swift unchecked.
struct UncheckedAccess: Sendable {
    /// The exact names of methods: "fetchOne".
    var methods: Set<String> = []
    /// The prefixes of function names: "sqlite3_column_".
    var functionPrefixes: [String] = []
    /// Uses of `Row`: fetched, or cast to: `Row.fetchAll(db)`, `row as Row`.
    var rows: Set<RowUse> = []
    /// The names of subscripted values: "row".
    var subscripts: Set<String> = []

    enum RowUse: Sendable { case fetched, cast }
}

/// Unchecked access by target. In the store only its own reader may fetch. In the mirror, fetches
/// throw but row subscripts don't.
let uncheckedAccess: [String: UncheckedAccess] = [
    "HealthStorage": UncheckedAccess(
        methods: ["fetchOne", "fetchAll", "fetchCursor", "fetchSet"],
        functionPrefixes: ["sqlite3_column_", "sqlite3_bind_"], rows: [.cast]),
    "HealthSync": UncheckedAccess(
        functionPrefixes: ["sqlite3_column_", "sqlite3_bind_"], subscripts: ["row", "$0"]),
    "HealthDashboard": UncheckedAccess(functionPrefixes: ["sqlite3_"], rows: [.fetched]),
]

/// The names of rows, or of statements on a row, whose columns are read.
let rowNames: Set<String> = ["row", "rows", "$0"]

/// The methods that read a column.
let columnReads: Set<String> = [
    "int", "double", "doubleOrNaN", "text", "uuid", "value", "optional",
]

/// The files that check values.
let checkedReaders: Set<String> = [
    "CheckedRow.swift", "StoreStatement.swift", "ColumnRule.swift", "MirrorRowValues.swift",
]

extension SourceFile {
    /// Values of a file that are read without a type check. GRDB's accessors trap on a value of
    /// another type, or convert it.
    var uncheckedReads: [Breach] {
        guard let room, let unchecked = uncheckedAccess[room],
            !checkedReaders.contains(where: { path.hasSuffix("/" + $0) })
        else { return [] }
        return (callReads(unchecked) + castReads(unchecked) + subscriptReads(unchecked))
            .map { breach("\($0.what) reads what a file holds without a check", at: $0.node) }
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

    /// Returns unchecked subscript reads. For a closure's `$0`, only row-like subscripts count:
    /// `$0[0]`, `$0["uuid"]`.
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
    /// Columns and SQL parameters that are accessed by number and not by a name from
    /// `StatementField` or `RowColumn`.
    var positionalReads: [Breach] {
        guard let room, uncheckedAccess[room] != nil else { return [] }
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
            .map { breach("a column or a parameter called by its number", at: $0) }
    }
}

extension SubscriptCallExprSyntax {
    /// The row's name: "row" in `row[0]` and in `row?[0]`.
    fileprivate var rowName: String? {
        let optional = calledExpression.as(OptionalChainingExprSyntax.self)?.expression
        return (optional ?? calledExpression).as(DeclReferenceExprSyntax.self)?.baseName.text
    }
}
