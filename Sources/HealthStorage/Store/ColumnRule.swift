import GRDB
import GRDBSQLite

/// The values that a column of a query may hold, derived from the declaration of the table's
/// column.
///
/// A computed column may hold anything, unless its name (`AS start_time`) marks it as a time of a
/// sample.
struct ColumnRule {
    /// The allowed SQLite types, one bit for each of the five.
    private let types: UInt8
    /// The range check of each row's value.
    private let check: Check

    init(_ statement: OpaquePointer, _ column: Int32) {
        func text(_ pointer: UnsafePointer<CChar>?) -> String {
            pointer.map { String(cString: $0) } ?? ""
        }
        let name = text(sqlite3_column_name(statement, column))
        let content = ColumnContent(of: name)
        let found: [Int32]? =
            switch text(sqlite3_column_decltype(statement, column)) {
            case "INTEGER": [SQLITE_INTEGER]
            case "REAL": [SQLITE_FLOAT, SQLITE_INTEGER]
            case "TEXT": [SQLITE_TEXT]
            case "BLOB": [SQLITE_BLOB]
            default: content == .sampleTime ? [SQLITE_FLOAT, SQLITE_INTEGER] : nil
            }
        guard let found else {
            (types, check) = (.max, .nothing)
            return
        }
        // Aggregates such as min and max are NULL if there are no rows.
        let isComputed = sqlite3_column_decltype(statement, column) == nil
        let isFull = !isComputed && ColumnContent.neverEmpty.contains(name)
        let empty = isFull ? [] : [SQLITE_NULL]
        types = (found + empty).reduce(0) { $0 | 1 << UInt8(truncatingIfNeeded: $1) }
        check = content.check
    }

    /// Returns whether the current row's value in a column has an allowed type and is in range.
    @inline(__always)
    func allows(_ statement: OpaquePointer, _ column: Int32) -> Bool {
        let type = UInt8(truncatingIfNeeded: sqlite3_column_type(statement, column))
        guard types & (1 << type) != 0 else { return false }
        switch check {
        case .nothing: return true
        case .nonnegativeInteger(let maximum):
            return UInt64(bitPattern: sqlite3_column_int64(statement, column)) <= UInt64(maximum)
        case .integer(let maximum):
            return sqlite3_column_int64(statement, column).magnitude <= maximum
        case .real(let maximum): return abs(sqlite3_column_double(statement, column)) <= maximum
        case .bytes(let maximum): return sqlite3_column_bytes(statement, column) <= maximum
        }
    }

    /// Returns whether a value is in the range of a column of this name, for rows read through
    /// GRDB.
    static func allows(_ value: DatabaseValue, in name: String) -> Bool {
        let bounds = ColumnContent(of: name).bounds
        return switch value.storage {
        case .int64(let number): bounds.integer.map { number.magnitude <= $0 } ?? true
        case .double(let number): bounds.real.map { abs(number) <= $0 } ?? true
        case .string(let text): bounds.length.map { text.utf8.count <= $0 } ?? true
        default: true
        }
    }

    /// Returns an SQL condition that is true for values out of the column's range; nil if there is
    /// no bound, or if another check covers it.
    static func rangeViolation(of name: String, _ type: String) -> String? {
        let column = name.quotedDatabaseIdentifier
        let content = ColumnContent(of: name)
        let bounds = content.bounds
        return switch type {
        case "INTEGER": bounds.integer.map { "\(column) NOT BETWEEN -\($0) AND \($0)" }
        // Another rule covers the times of samples.
        case "REAL" where content != .sampleTime: bounds.real.map { "abs(\(column)) > \($0)" }
        case "TEXT": bounds.length.map { "length(\(column)) > \($0)" }
        default: nil
        }
    }

    /// The largest distance of any stored time from the reference date (2001), in seconds.
    static let latestTime: Double = 1e12

    /// The range check of a value, prepared as one comparison.
    fileprivate enum Check {
        case nothing
        /// From 0 to the bound, both inclusive.
        case nonnegativeInteger(upTo: Int64)
        case integer(upTo: Int64.Magnitude)
        case real(upTo: Double)
        case bytes(upTo: Int32)
    }
}

/// The kinds of content that columns hold, by column name, with their ranges.
private enum ColumnContent {
    /// Any other column, such as an id or a code.
    case number
    /// Any 64-bit pattern.
    case bits
    /// A sequence number.
    case sequence
    /// A count, a size, or a sequence number of an import, with which code calculates.
    case count
    /// A start, end or creation time of a sample.
    case sampleTime
    /// Another time, also under the aliases that queries use.
    case otherTime
    /// A name or short text of at most 1 MB.
    case name

    /// The largest magnitude of numbers and the largest number of bytes of texts; nil for no bound.
    struct Bounds {
        var integer: Int64.Magnitude?
        var real: Double?
        var length: Int?
    }

    private static let names: [(ColumnContent, [String])] = [
        (.bits, ["key", "until_key", "digest"]),
        (.sequence, ["sequence"]),
        (
            .count,
            [
                "count", "bytes", "position", "first_sequence", "last_sequence",
                "removed_sequence", "rows", "matched", "days", "size",
            ]
        ),
        (.sampleTime, ["start_time", "end_time", "created"]),
        (
            .otherTime,
            [
                "first", "last", "imported_at", "export_date", "earliest", "whole", "damaged",
                "received_at", "reported_at", "modified", "staged",
            ]
        ),
        (
            .name,
            [
                "name", "identity", "identifier", "bundle_identifier", "product_type", "version",
                "folded", "symbol", "manufacturer", "model", "hardware", "firmware", "software",
                "local_identifier", "udi", "file", "locale", "content_type",
            ]
        ),
    ]

    /// Names of columns that are never NULL in a row.
    static let neverEmpty: Set<String> = [
        "sequence", "type", "start_time", "key", "end_time", "origin", "until_time", "until_key",
    ]

    private static let byName = Dictionary(
        uniqueKeysWithValues: names.flatMap { content, names in names.map { ($0, content) } })

    init(of name: String) { self = ColumnContent.byName[name] ?? .number }

    /// The range of the values. Integers up to 2^53 are exact as doubles, and sums of up to a
    /// thousand of them don't overflow.
    var bounds: Bounds {
        let number: Int64.Magnitude = 1 << 53
        return switch self {
        case .bits: Bounds()
        case .number, .sequence, .count: Bounds(integer: number)
        case .sampleTime, .otherTime: Bounds(integer: number, real: ColumnRule.latestTime)
        case .name: Bounds(integer: number, length: 1 << 20)
        }
    }

    /// The check that ``StoreStatement`` makes for every row. Ids, bit patterns and times that
    /// don't belong to a sample have none, to save time.
    var check: ColumnRule.Check {
        let bounds = bounds
        switch self {
        case .number, .bits, .otherTime: return .nothing
        case .sequence: return .nonnegativeInteger(upTo: SequenceSet.highest)
        case .count: return bounds.integer.map { .integer(upTo: $0) } ?? .nothing
        case .sampleTime: return bounds.real.map { .real(upTo: $0) } ?? .nothing
        case .name:
            return bounds.length.map { .bytes(upTo: Int32(clamping: $0)) } ?? .nothing
        }
    }
}
