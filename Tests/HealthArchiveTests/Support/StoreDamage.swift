import Foundation
import GRDB
import HealthTesting

/// A random change of a store's file by another program: of values through SQL, or of bytes.
struct StoreDamage {
    private var random: SeededRandom
    /// Descriptions of the changes, for a failure's message.
    private(set) var log: [String] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func damage(_ path: String) throws {
        let count = Int.random(in: 1...3, using: &random)
        if Int.random(in: 0..<4, using: &random) == 0 {
            for _ in 0..<count { try changeBytes(of: path) }
        } else {
            try changeValues(of: path, count)
        }
    }

    // MARK: - Values

    private mutating func changeValues(of path: String, _ count: Int) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let tables = try queue.read { db in
            try String.fetchAll(
                db,
                sql:
                    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                    + " ORDER BY name")
        }
        for _ in 0..<count {
            guard let table = tables.randomElement(using: &random) else { continue }
            let columns = try queue.read { try $0.columns(in: table).map(\.name) }
            guard let column = columns.randomElement(using: &random) else { continue }
            let sql = statement(table, "\"\(column)\"")
            log.append(sql)
            // A change that violates a constraint is skipped.
            queue.writeWithoutTransaction { try? $0.execute(sql: sql) }
        }
        try queue.close()
    }

    private mutating func statement(_ table: String, _ column: String) -> String {
        let all = Bool.random(using: &random)
        let place = all ? "" : " WHERE \(column) IS \(someValue(of: table, column))"
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return "DELETE FROM \(table)\(place)"
        case 1: return "INSERT OR REPLACE INTO \(table) SELECT * FROM \(table)\(place)"
        case 2:
            let value = someValue(of: table, column)
            return "UPDATE OR IGNORE \(table) SET \(column) = \(value)\(place)"
        case 3:
            let byte = Int.random(in: 0..<24, using: &random)
            let hex = String(UInt8.random(in: .min ... .max, using: &random), radix: 16)
            let pair = hex.count < 2 ? "0" + hex : hex
            return
                "UPDATE OR IGNORE \(table) SET \(column) = CAST(substr(CAST(\(column) AS BLOB), 1, "
                + "\(byte)) || x'\(pair)' || substr(CAST(\(column) AS BLOB), \(byte + 2)) AS BLOB)"
                + place
        default:
            let value = Self.values.randomElement(using: &random) ?? "NULL"
            return "UPDATE OR IGNORE \(table) SET \(column) = \(value)\(place)"
        }
    }

    /// Returns SQL for the value of a random row, without SQLite's `random()`, which has no seed.
    private mutating func someValue(of table: String, _ column: String) -> String {
        let number = Int.random(in: 0..<10_000, using: &random)
        let count = "(SELECT max(count(*), 1) FROM \(table))"
        return "(SELECT \(column) FROM \(table) LIMIT 1 OFFSET \(number) % \(count))"
    }

    private static let values = [
        "NULL", "''", "x''", "x'00'", "x'ff00ff00ff00ff00ff00ff00ff00ff00'", "0", "-1", "1",
        "99999",
        "9223372036854775807", "-9223372036854775808", "4294967296", "2147483647", "1e308",
        "-1e308",
        "9e999", "-9e999", "0.5", "-0.0", "'text'", "'9e99'", "'{}'", "'[]'", "'{\"workout\":{}}'",
        "'{\"series\":[[0,1e999,1]]}'", "'[[9223372036854775807,0]]'", "'Mars/Olympus'",
        "zeroblob(100000)", "printf('%.*c', 100000, '[')", "char(0, 55296, 8238)",
    ]

    // MARK: - Bytes

    private mutating func changeBytes(of path: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let size = 4096
        let pages = bytes.count / size
        guard pages > 1 else { return }
        let (a, b) = (
            Int.random(in: 0..<pages, using: &random), Int.random(in: 0..<pages, using: &random)
        )
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            log.append("page \(a) zeroed")
            for index in a * size..<(a + 1) * size { bytes[index] = 0 }
        case 1:
            log.append("pages \(a) and \(b) swapped")
            for index in 0..<size { bytes.swapAt(a * size + index, b * size + index) }
        case 2:
            log.append("cut to page \(a) and \(b) bytes")
            bytes.removeLast(bytes.count - min(bytes.count, a * size + b))
        default:
            let count = Int.random(in: 1...16, using: &random)
            for _ in 0..<count {
                let place = a * size + Int.random(in: 0..<size, using: &random)
                bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            }
            log.append("\(count) bytes of page \(a) replaced")
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
}
