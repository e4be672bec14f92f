import GRDB
import GRDBSQLite

/// What may stand in a column of a query, by the declaration of the table's column. A computed column
/// may hold anything, unless its name (`AS start_time`) says that it is a moment.
struct ColumnRule {
    /// A bit for each of SQLite's five types.
    private let types: UInt8
    /// What else holds of the values: a number of a row, or a moment.
    private enum Range { case any, sequence, time, count, name }
    private let range: Range

    /// Moments of samples lie within this many seconds of 2001, whoever wrote them.
    private static let latestTime: Double = 1e12
    private static let times: Set<String> = ["start_time", "end_time", "created"]
    private static let counts: Set<String> = [
        "count", "bytes", "position", "first_sequence", "last_sequence", "removed_sequence",
    ]
    /// Any 64 bits; other integers are numbers that a store counts or gives out.
    private static let anyBits: Set<String> = ["key", "until_key", "digest"]
    /// No number of rows, bytes or changes is larger, and sums of such numbers fit.
    private static let largestCount = 1 << 53
    /// Moments beside those of samples, also as queries call them.
    private static let otherTimes: Set<String> = [
        "first", "last", "imported_at", "export_date", "earliest", "whole", "damaged",
    ]
    /// Names and short texts; imports take 16 KB at most.
    private static let names: Set<String> = [
        "name", "identity", "identifier", "bundle_identifier", "product_type", "version", "folded",
        "symbol", "manufacturer", "model", "hardware", "firmware", "software", "local_identifier",
        "udi", "file", "locale",
    ]
    private static let longestName = 1 << 20
    private static let neverEmpty: Set<String> = [
        "sequence", "type", "start_time", "key", "end_time", "origin", "until_time", "until_key",
    ]

    init(_ statement: OpaquePointer, _ column: Int32) {
        func text(_ pointer: UnsafePointer<CChar>?) -> String {
            pointer.map { String(cString: $0) } ?? ""
        }
        let name = text(sqlite3_column_name(statement, column))
        let found: [Int32]? =
            switch text(sqlite3_column_decltype(statement, column)) {
            case "INTEGER": [SQLITE_INTEGER]
            case "REAL": [SQLITE_FLOAT, SQLITE_INTEGER]
            case "TEXT": [SQLITE_TEXT]
            case "BLOB": [SQLITE_BLOB]
            default: ColumnRule.times.contains(name) ? [SQLITE_FLOAT, SQLITE_INTEGER] : nil
            }
        guard let found else {
            (types, range) = (.max, .any)
            return
        }
        // Of no rows the least and the greatest are NULL.
        let isComputed = sqlite3_column_decltype(statement, column) == nil
        let isFull = !isComputed && ColumnRule.neverEmpty.contains(name)
        let empty = isFull ? [] : [SQLITE_NULL]
        types = (found + empty).reduce(0) { $0 | 1 << UInt8(truncatingIfNeeded: $1) }
        range =
            name == "sequence"
            ? .sequence
            : ColumnRule.times.contains(name)
                ? .time
                : ColumnRule.counts.contains(name)
                    ? .count : ColumnRule.names.contains(name) ? .name : .any
    }

    /// What holds of no value of a column beside its type, as SQL; nil where nothing does.
    static func excess(of name: String, _ type: String) -> String? {
        let column = name.quotedDatabaseIdentifier
        switch type {
        case "INTEGER" where !anyBits.contains(name):
            return "\(column) NOT BETWEEN -\(largestCount) AND \(largestCount)"
        // Those of samples have a rule of their own.
        case "REAL" where otherTimes.contains(name):
            return "abs(\(column)) > \(latestTime)"
        case "TEXT" where names.contains(name):
            return "length(\(column)) > \(longestName)"
        default: return nil
        }
    }

    /// Whether a number may stand in a column of this name, for rows that are read through GRDB.
    static func allows(_ value: DatabaseValue, in name: String) -> Bool {
        switch value.storage {
        case .int64(let number): anyBits.contains(name) || number.magnitude <= largestCount
        case .double(let number):
            !(times.contains(name) || otherTimes.contains(name)) || abs(number) <= latestTime
        case .string(let text): !names.contains(name) || text.utf8.count <= longestName
        default: true
        }
    }

    @inline(__always)
    func allows(_ statement: OpaquePointer, _ column: Int32) -> Bool {
        let type = UInt8(truncatingIfNeeded: sqlite3_column_type(statement, column))
        guard types & (1 << type) != 0 else { return false }
        switch range {
        case .any: return true
        case .sequence:
            return UInt64(bitPattern: sqlite3_column_int64(statement, column))
                <= UInt64(SequenceSet.highest)
        case .name:
            return sqlite3_column_bytes(statement, column) <= Int32(ColumnRule.longestName)
        case .count:
            return sqlite3_column_int64(statement, column).magnitude <= ColumnRule.largestCount
        case .time: return abs(sqlite3_column_double(statement, column)) <= ColumnRule.latestTime
        }
    }
}
