import Synchronization

/// The columns of each ``StatementField`` type that was used.
private let columnNames = Mutex<[ObjectIdentifier: [String]]>([:])

/// A column that a statement reads or a parameter that it takes, by name instead of position.
///
/// The SQL text is made from the cases, in their order, so a name always matches its position:
/// ```swift
/// enum Parameter: Int32, StatementField { case type, from }
/// enum Column: Int32, StatementField { case sequence, startTime }
///
/// let rows = try StoreStatement<Parameter, Column>(
///     db,
///     "SELECT \(Column.columns) FROM sample "
///         + "WHERE type = \(Parameter.type) AND start_time >= \(Parameter.from)")
/// try rows.bind(type.code, to: .type)
/// try rows.bind(0, to: .from)
/// while try rows.step() { read(rows.int(.sequence), rows.double(.startTime)) }
/// ```
protocol StatementField: CaseIterable {
    /// The position, from 0, in the order of the cases.
    var position: Int32 { get }
    /// The column's name or the expression that computes it. The default is the case's name in
    /// snake case: `start_time` for `startTime`.
    var sql: String { get }
}

extension StatementField where Self: RawRepresentable, RawValue == Int32 {
    @inline(__always)
    var position: Int32 { rawValue }
}

extension StatementField {
    var sql: String {
        String(describing: self).reduce(into: "") { name, letter in
            if letter.isUppercase { name += "_" }
            name += letter.lowercased()
        }
    }

    static var count: Int32 { Int32(allCases.count) }

    /// The column list of a `SELECT`, such as "sequence, type, start_time".
    static var columns: String { names.joined(separator: ", ") }

    /// The column of each case.
    ///
    /// They are computed once, because that takes longer than a small query.
    fileprivate static var names: [String] {
        let key = ObjectIdentifier(Self.self)
        return columnNames.withLock { known in
            if let names = known[key] { return names }
            let names = allCases.map(\.sql)
            known[key] = names
            return names
        }
    }

    /// The columns and parameters of an `INSERT`, such as "(parent, child) VALUES (?1, ?2)".
    static var inserted: String { inserted(rows: 1) }

    /// The columns and parameters of an `INSERT` of several rows.
    static func inserted(rows: Int32) -> String {
        let values = (0..<rows).map { row in
            let marks = (1...count).map { "?\(row * count + $0)" }
            return "(" + marks.joined(separator: ", ") + ")"
        }
        return "(\(columns)) VALUES " + values.joined(separator: ", ")
    }
}

extension StatementField where Self: Hashable {
    /// Returns the column list with some columns replaced by expressions, such as `NULL` for a
    /// missing one.
    static func columns(_ others: [Self: String]) -> String {
        zip(allCases, names).map { others[$0] ?? $1 }.joined(separator: ", ")
    }
}

extension DefaultStringInterpolation {
    /// Appends a place as its parameter: "?2" for the second case.
    mutating func appendInterpolation(_ place: some StatementField) {
        appendLiteral("?\(place.position + 1)")
    }
}

/// The places of a statement without columns, or without parameters.
enum NoFields: StatementField {
    var position: Int32 { switch self {} }

    static var allCases: [NoFields] { [] }
}

/// The places of a statement with one column, or one parameter.
enum SingleField: Int32, StatementField { case value }

/// The places of one enum followed by those of another, for places that several statements share
/// and those that only one of them has.
enum JoinedFields<First: StatementField, Second: StatementField>: StatementField {
    case first(First)
    case second(Second)

    var position: Int32 {
        switch self {
        case .first(let place): place.position
        case .second(let place): First.count + place.position
        }
    }

    var sql: String {
        switch self {
        case .first(let place): place.sql
        case .second(let place): place.sql
        }
    }

    static var allCases: [JoinedFields] {
        First.allCases.map { .first($0) } + Second.allCases.map { .second($0) }
    }
}

/// The columns of `membership`.
enum Membership: Int32, StatementField {
    case parent, child
}
