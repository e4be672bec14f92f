import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("the schema is documented and its versions never change")
struct SchemaTests {
    private func schema(ofVersion version: String) throws -> [String] {
        let queue = try DatabaseQueue()
        try Schema.migrator.migrate(queue, upTo: version)
        return try queue.read { db in
            try String.fetchAll(
                db, sql: "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
        }
    }

    /// Released versions never change, because stores of all versions exist. A change needs a new
    /// migration.
    @Test("each version equals its fixture", arguments: ["1", "2", "3", "4", "5", "6"])
    func frozen(version: String) throws {
        let fixture = ProjectFiles.fixtures.appendingPathComponent("schema-\(version).sql")
        let text = try schema(ofVersion: version).map { $0 + ";\n" }.joined(separator: "\n")
        #expect(try String(contentsOf: fixture, encoding: .utf8) == text)
    }

    @Test("the fixture's tables hold what a person can read again by hand")
    func recordView() throws {
        let file = try TemporaryStore()
        var recording = Recording()
        recording.add(.steps, "Phone", 0, 60.5, 12, device: .phone)
        recording.add(.bodyMass, "Scale", 86_400, Sample.undeterminedEnd, 70)
        try file.add(recording)
        let rows = try file.open(.reading).read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM record ORDER BY start_utc")
        }
        let texts = rows.map { row in
            ["type", "source", "start_utc", "end_utc", "value", "unit", "device"].map {
                (row[$0] as (any DatabaseValueConvertible)?).map { "\($0)" } ?? "NULL"
            }.joined(separator: " ")
        }
        #expect(
            texts == [
                "HKQuantityTypeIdentifierStepCount Phone 2001-01-01 00:00:00 2001-01-01 00:01:00 "
                    + "12.0 count iPhone",
                "HKQuantityTypeIdentifierBodyMass Scale 2001-01-02 00:00:00 NULL 70.0 kg NULL",
            ])
    }

    @Test("every table and column is explained in Documentation/Schema.md")
    func documented() throws {
        let document = try String(
            contentsOf: ProjectFiles.tests.deletingLastPathComponent()
                .appendingPathComponent("Documentation/Schema.md"), encoding: .utf8)
        let store = try SampleStore.inMemory()
        let tables = try store.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') "
                    + "AND name NOT LIKE 'grdb_%' ORDER BY name")
        }
        #expect(tables.count == 39)
        for table in tables {
            let parts = document.components(separatedBy: "### `\(table)`")
            try #require(parts.count == 2, "no section, or two, for \(table)")
            let section = parts[1].components(separatedBy: "\n### ")[0]
            let columns = try store.read { try $0.columns(in: table).map(\.name) }
            for column in columns {
                #expect(section.contains("| `\(column)` |"), "\(table).\(column)")
            }
        }
    }

    @Test("every query in Documentation/Schema.md runs")
    func queries() throws {
        let document = try String(
            contentsOf: ProjectFiles.tests.deletingLastPathComponent()
                .appendingPathComponent("Documentation/Schema.md"), encoding: .utf8)
        let queries = document.components(separatedBy: "```sql\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
        #expect(queries.count >= 4)
        let store = try SampleStore.inMemory()
        for query in queries {
            try store.read { db in
                _ = try Row.fetchAll(db, sql: query)
            }
        }
    }
}
