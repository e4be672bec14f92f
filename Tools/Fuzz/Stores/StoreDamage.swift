import Foundation
import GRDBSQLite

/// Damages a store as defects, other programs and broken disks could: with SQL, byte by byte, and
/// by replacing files.
struct StoreDamage {
    let path: String
    /// The changes that were made, as text for a finding.
    private(set) var lines: [String] = []

    init(path: String) { self.path = path }

    private static let tables = [
        "store", "type", "source", "source_alias", "source_setting", "device", "unit", "origin",
        "metadata", "sample", "detail", "membership", "import", "removed", "tombstone",
        "raw_element", "characteristic", "authorization", "sync_identifier", "route",
        "export_file", "segment", "edit", "grdb_migrations", "intake_route", "receipt",
        "intake_cursor", "external_total", "received_record", "deletion", "twin", "source_match",
        "day_note", "medication", "attachment", "attachment_chunk", "object_authorization",
    ]

    /// SQL values of every SQLite type.
    private static let values = [
        "NULL", "''", "x''", "'abc'", "99999", "-1", "0", "1", "9223372036854775807",
        "-9223372036854775808", "1e308", "-1e308", "9e999", "-9e999", "1e19", "-1e19", "5e-324",
        "0.5", "63113904000", "-62135769600", "-63114076800", "x'00ff'", "x'ff'", "zeroblob(70000)",
        "'12abc'", "'2024-03-10'", "cast(x'6100620063' as text)", "cast(x'ff28c3' as text)",
        "'{\"a\":'", "'[]'", "'{}'", "'null'", "'{\"date\":1e400}'", "'[1,2,3]'",
        "printf('%.9000c','n')",
        "printf('%.9000c','[')", "4294967296", "2147483648", "1e15", "random()", "randomblob(64)",
        "'Europe/Nowhere'", "'watch'", "'snapshot'", "'=1+1'", "char(0x202E)",
        "4611686018427387904",
    ]

    /// The limit for one change, in units of 10,000 instructions of SQLite's virtual machine.
    private static let maximumSteps = 1_000

    mutating func damage(_ random: inout SeededRandom) {
        if random.percent(78) {
            for _ in 0...random.below(3) { change(&random) }
        } else {
            for _ in 0...random.below(2) { corruptBytes(&random) }
        }
    }

    // MARK: - SQL

    private mutating func change(_ random: inout SeededRandom) {
        var database: OpaquePointer?
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            sqlite3_close_v2(database)
            return
        }
        defer { sqlite3_close_v2(database) }
        let open = "PRAGMA writable_schema=ON; PRAGMA ignore_check_constraints=ON"
        sqlite3_exec(database, open, nil, nil, nil)
        let left = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        defer { left.deallocate() }
        // Aborts a statement after `maximumSteps` calls of the handler. It could run forever if it
        // reads a view with endless recursion that an earlier damage has created.
        sqlite3_progress_handler(
            database, 10_000,
            { left in
                guard let left = left?.assumingMemoryBound(to: Int.self) else { return 1 }
                left.pointee -= 1
                return left.pointee < 0 ? 1 : 0
            }, left)
        for _ in 0..<8 {
            left.initialize(to: StoreDamage.maximumSteps)
            let sql = statement(database, &random)
            if sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK {
                lines.append("sqlite3 s.sqlite \"\(open); \(sql)\"")
                return
            }
        }
    }

    private func statement(_ database: OpaquePointer?, _ random: inout SeededRandom) -> String {
        // Tables with samples and encoded data are changed more often.
        let busy = [
            "sample", "origin", "segment", "detail", "metadata", "import", "store", "route",
        ]
        let table = random.percent(45) ? random.pick(busy) : random.pick(StoreDamage.tables)
        let columns = columns(of: table, database)
        let column = "\"\(random.pick(columns))\""
        let some = rows(&random)
        switch random.below(100) {
        case 0..<58:
            return "UPDATE \(table) SET \(column) = \(random.pick(StoreDamage.values)) \(some)"
        case 58..<66: return "UPDATE \(table) SET \(column) = \(mixed(column, &random)) \(some)"
        case 66..<70:
            let other = "\"\(random.pick(columns))\""
            return "UPDATE \(table) SET \(column) = \(other) \(some)"
        case 70..<78: return "DELETE FROM \(table) \(some)"
        case 78..<83:
            return "INSERT OR REPLACE INTO \(table) VALUES ("
                + columns.map { _ in random.pick(StoreDamage.values) }.joined(separator: ", ") + ")"
        default: return schemaChange(table, column, &random)
        }
    }

    /// Returns an SQL expression that modifies the existing value.
    private func mixed(_ column: String, _ random: inout SeededRandom) -> String {
        let at = 1 + random.below(60)
        let byte = ["00", "ff", "80", "22", "5b", "7f"][random.below(6)]
        return random.pick([
            "substr(\(column), 1, \(at))", "substr(\(column), \(at))", "\(column) || \(column)",
            "substr(\(column), 1, \(at)) || x'\(byte)' || substr(\(column), \(at) + 2)",
            "cast(substr(cast(\(column) as blob), 1, \(at)) || x'\(byte)' "
                + "|| substr(cast(\(column) as blob), \(at) + 2) as blob)",
            "replace(\(column), '1', '1e999')", "replace(\(column), ':', ':-')",
            "replace(\(column), '\"', '')", "replace(\(column), ':', ':[')", "-\(column)",
            "\(column) * 1e18", "\(column) + 0.5", "cast(\(column) as text)", "hex(\(column))",
            "cast(\(column) as blob)", "upper(\(column))",
            "replace(\(column), '0', '9999999999999')",
        ])
    }

    private func rows(_ random: inout SeededRandom) -> String {
        random.pick([
            "", "WHERE random() % 3 = 0",
            "WHERE ROWID = (SELECT max(ROWID) FROM sample)", "WHERE abs(random()) % 20 = 0",
            "WHERE (random() & 7) = 1",
        ])
    }

    private func schemaChange(
        _ table: String, _ column: String, _ random: inout SeededRandom
    ) -> String {
        let set = "UPDATE sqlite_schema SET sql ="
        return random.pick([
            "CREATE TRIGGER zq AFTER INSERT ON sample BEGIN UPDATE sample SET value = value * 2; END",
            "CREATE TRIGGER zq BEFORE DELETE ON \(table) BEGIN SELECT RAISE(ABORT, 'zq'); END",
            "CREATE VIEW zq AS SELECT * FROM \(table)", "CREATE TABLE zq (a, b)",
            "CREATE INDEX zq ON \(table) (\(column))", "DROP TABLE \(table)",
            "DROP VIEW record; CREATE VIEW record AS SELECT * FROM record",
            "DROP VIEW record; CREATE TABLE record (a)", "DROP INDEX sample_order",
            "DROP TRIGGER sample_inserted", "DROP TRIGGER sample_deleted",
            "ALTER TABLE \(table) DROP COLUMN \(column)", "ALTER TABLE \(table) ADD COLUMN zq",
            "ALTER TABLE \(table) RENAME COLUMN \(column) TO zq",
            "ALTER TABLE \(table) RENAME TO zq",
            "DELETE FROM grdb_migrations", "INSERT INTO grdb_migrations VALUES ('v999')",
            "PRAGMA user_version = 999", "PRAGMA application_id = 7",
            "PRAGMA journal_mode = DELETE",
            "\(set) 'CREATE TABLE \(table) (a)' WHERE name = '\(table)'",
            "\(set) replace(sql, 'INTEGER', 'BLOB') WHERE name = '\(table)'",
            "\(set) 'junk' WHERE name = '\(table)'", "\(set) NULL WHERE name = 'sample_order'",
            "UPDATE sqlite_schema SET rootpage = \(random.below(60)) WHERE name = '\(table)'",
            "CREATE TABLE zz AS SELECT * FROM \(table); DROP TABLE \(table); "
                + "ALTER TABLE zz RENAME TO \(table)",
            "DROP TABLE \(table); CREATE VIEW \(table) AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL "
                + "SELECT x + 1 FROM c) SELECT x AS \(column) FROM c",
            "PRAGMA encoding = 'UTF-16'; VACUUM", "PRAGMA auto_vacuum = FULL; VACUUM",
            "PRAGMA page_size = 512; VACUUM", "REINDEX",
            "INSERT INTO sample SELECT sequence + 900000, "
                + "type, start_time, key, end_time, created, origin, metadata, value, NULL FROM sample",
        ])
    }

    private func columns(of table: String, _ database: OpaquePointer?) -> [String] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        var names: [String] = []
        let sql = "SELECT name FROM pragma_table_info('\(table)')"
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { names.append(String(cString: text)) }
        }
        return names
    }

    // MARK: - Bytes and files

    private mutating func corruptBytes(_ random: inout SeededRandom) {
        var bytes = Folder.bytes(path)
        let pages = bytes.count / 4096
        guard pages > 0 else { return }
        let kind = random.below(12)
        switch kind {
        case 0..<3:
            for _ in 0...random.below(40) {
                bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            }
        case 3: bytes[random.below(100)] = UInt8(truncatingIfNeeded: random.next())
        case 4:
            let page = 4096 * random.below(pages)
            bytes.replaceSubrange(page..<(page + 4096), with: [UInt8](repeating: 0, count: 4096))
        case 5:
            let (one, two) = (4096 * random.below(pages), 4096 * random.below(pages))
            let copy = Array(bytes[one..<(one + 4096)])
            bytes.replaceSubrange(two..<(two + 4096), with: copy)
        case 6: bytes.removeLast(random.below(bytes.count))
        case 7: bytes += random.bytes(random.below(20_000))
        case 8:
            // A byte of the header of a page.
            let at = 4096 * random.below(pages) + random.below(12)
            bytes[at] = UInt8(truncatingIfNeeded: random.next())
        default: return corruptSidecarFile(&random)
        }
        lines.append("bytes of the store changed, way \(kind)")
        Folder.write(bytes, to: path)
    }

    /// Replaces or damages the store or a file beside it.
    private mutating func corruptSidecarFile(_ random: inout SeededRandom) {
        let stem = (path as NSString).deletingPathExtension
        let names = [
            path + "-wal", path + "-shm", path + "-journal", path + ".lock",
            stem + ".weight-mirror.sqlite", stem + ".pages.cache", stem + ".watch.sqlite",
            stem + ".weight-mirror.photos", path,
        ]
        let name = random.pick(names)
        let kind = random.below(6)
        lines.append("\((name as NSString).lastPathComponent) replaced, way \(kind)")
        let old = Folder.bytes(name)
        Folder.remove(name)
        switch kind {
        case 0: Folder.write(random.bytes(random.below(9000)), to: name)
        case 1: Folder.write([], to: name)
        case 2:
            try? FileManager.default.createDirectory(
                atPath: name, withIntermediateDirectories: false)
        case 3: symlink(random.pick(["nowhere", name, "/dev/zero", "/dev/null"]), name)
        case 4: mkfifo(name, 0o600)
        default:
            var bytes = old
            for _ in 0..<20 where !bytes.isEmpty {
                bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            Folder.write(bytes, to: name)
        }
    }
}
