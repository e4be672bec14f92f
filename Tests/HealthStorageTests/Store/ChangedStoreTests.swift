import Foundation
import GRDB
import HealthCalendar
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

/// Stores that another program has changed: reads fail with the location of the error.
@Suite struct ChangedStoreTests {
    private func filled() throws -> TemporaryStore {
        let file = try TemporaryStore()
        var recording = Recording()
        for index in 0..<30 {
            let start = Double(index) * 100
            recording.add(.steps, "Phone", start, start + 60, 4711, device: .phone)
        }
        try file.add(recording)
        return file
    }

    private func refused(
        _ code: StoreError.Code = .corrupt, _ body: () throws -> Void
    ) throws -> StoreError {
        let error = try #require(throws: StoreError.self, performing: body)
        #expect(error.code == code, "\(error)")
        #expect(!error.description.contains("4711"))
        return error
    }

    @Test("an origin whose source isn't there is named, by statistics and samples")
    func danglingSource() throws {
        let file = try filled()
        try file.damage("UPDATE origin SET source = 99999")
        let store = try file.open(.reading)
        let error = try refused {
            _ = try store.statistics(SampleQuery(.steps), over: [0, 10_000])
        }
        #expect(error.description.contains("origin.source, row 1"))
        #expect(error.reason == .damagedValue(at: "origin.source, row 1"))
        _ = try refused { _ = try store.samples(SampleQuery(.steps)) }
        #expect(
            try SampleStore.forChecking(at: file.path).check().map(\.invariant)
                == ["references point to existing rows"])
    }

    @Test(
        "a value of another type in a sample's column ends an import and every read with its place",
        .timeLimit(.minutes(10)),
        arguments: [
            ("start_time", "x''"), ("start_time", "'soon'"), ("start_time", "9e999"),
            ("end_time", "x'00'"), ("key", "x''"), ("origin", "'a'"), ("origin", "77"),
            ("value", "'much'"), ("created", "x''"), ("metadata", "x'00'"),
        ])
    func sampleColumns(column: String, value: String) throws {
        let file = try filled()
        try file.damage(
            "UPDATE sample SET \(column) = \(value) WHERE sequence = 7")
        let store = try file.open(.reading)
        let error = try refused { _ = try store.samples(SampleQuery(.steps)) }
        #expect(error.description.contains("sample"))
        #expect(error.description.contains(column))
        if column == "start_time" {
            let wrong = try refused { _ = try store.starts(of: [.steps]) }
            #expect(
                wrong.description.contains("start_time") || wrong.description.contains("end_time"))
            _ = try refused { _ = try store.types() }
        }
        try store.close()
        var recording = Recording()
        for index in 0..<30 {
            let start = Double(index) * 100 + 7
            recording.add(.steps, "Phone", start, start + 60, 4711, device: .phone)
        }
        // Whether or not the import reads the row, it must end.
        do { try file.add(recording) } catch is StoreError {}
        // An import doesn't read the origin of a row that its export no longer contains. The row
        // has moved to `removed`, and no sample uses that origin any more.
        if value == "77" { return }
        #expect(try !SampleStore.forChecking(at: file.path).check().isEmpty)
    }

    @Test("a blob in place of an import's date is an error that doesn't show the row")
    func importColumns() throws {
        let file = try filled()
        try file.damage("UPDATE import SET export_date = x'00ff', ledger = '{\"4711\":1}'")
        let error = try refused { _ = try file.open(.reading).imports() }
        #expect(error.description.contains("import.export_date, row 1"))
    }

    @Test(
        "a ledger that is no JSON or counts beyond every store is an error, not a result",
        arguments: ["{\"4711", "[]", "{\"records\":{\"new\":9223372036854775807}}"])
    func ledgers(text: String) throws {
        let file = try filled()
        try file.damage("UPDATE import SET ledger = '\(text)'")
        let error = try refused { _ = try file.open(.reading).imports() }
        #expect(error.description.contains("import.ledger, row 1"))
    }

    @Test("moments and counts beyond every store are errors wherever they are read")
    func numbers() throws {
        for sql in [
            "UPDATE removed SET start_time = -9223372036854775808",
            "UPDATE removed SET start_time = 1e300",
            "UPDATE import SET first_sequence = -9223372036854775808",
            "UPDATE import SET last_sequence = 9223372036854775807",
        ] {
            let file = try filled()
            try file.add(Recording())
            try file.damage(sql)
            _ = try refused { _ = try file.open(.reading).difference(ofImport: 2) }
        }
        for column in ["imported_at", "export_date", "bytes"] {
            let file = try filled()
            try file.damage("UPDATE import SET \(column) = -9223372036854775808")
            _ = try refused { _ = try file.open(.reading).imports() }
        }
        let calendar = CalendarBuckets(timeZone: .gmt)
        for time in [-0x1p63, 0x1p63, .infinity, .nan] { #expect(calendar.day(time).isEmpty) }
    }

    @Test(
        "check names what reading refuses: numbers beyond every store, names of megabytes",
        arguments: [
            (
                "type.kind",
                "UPDATE type SET kind = 9223372036854775807 WHERE identifier LIKE '%StepCount'"
            ),
            ("import.export_date", "UPDATE import SET export_date = 1e300"),
            ("import.imported_at", "UPDATE import SET imported_at = -1e300"),
            ("import.first_sequence", "UPDATE import SET first_sequence = 9223372036854775807"),
            ("source.name", "UPDATE source SET name = printf('%.*c', 10000000, 'n')"),
        ])
    func checked(column: String, sql: String) throws {
        let file = try filled()
        try file.damage(sql)
        let found = try SampleStore.forChecking(at: file.path).check().map(\.invariant)
        #expect(found.contains("\(column) has only values of its declared type"), "\(found)")
        if column == "source.name" {
            _ = try refused { _ = try file.open(.reading).samples(SampleQuery(.steps)) }
        }
    }

    @Test("a view without end in the place of any table is refused before it is read")
    func endlessViews() throws {
        let file = try filled()
        let tables = try file.open(.reading).read { db in
            try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' "
                    + "AND name NOT LIKE 'sqlite%'")
        }
        #expect(tables.contains("grdb_migrations") && tables.contains("sample"))
        for table in tables {
            let file = try filled()
            try file.damage(
                """
                PRAGMA foreign_keys = OFF; DROP VIEW record; DROP TABLE \(table);
                CREATE VIEW \(table) AS WITH RECURSIVE c(x) AS
                    (SELECT 1 UNION ALL SELECT x + 1 FROM c)
                SELECT x AS identifier, x AS key, x AS value, x AS sequence FROM c
                """)
            for access in [SampleStore.Access.reading, .writing] {
                _ = try refused(.alteredSchema) { _ = try file.open(access) }
            }
            _ = try refused(.alteredSchema) { try file.add(Recording()) }
            let violations = try SampleStore.forChecking(at: file.path).check().map(\.invariant)
            #expect(violations.contains { $0.hasSuffix("table “\(table)” is missing") })
        }
    }

    @Test("numbers of changes beyond every store neither trap nor take memory")
    func counters() throws {
        for value in ["9223372036854775807", "-1", "x'00'", "'many'"] {
            let file = try filled()
            try file.damage("UPDATE store SET value = \(value) WHERE key = 'lastSequence'")
            _ = try refused { _ = try file.open(.reading).lastSequence }
            _ = try refused { try file.add(Recording()) }
        }
        let file = try filled()
        try file.damage("UPDATE type SET code = 2147483647, identifier = 'Strange'")
        var recording = Recording()
        recording.add(
            SampleType(code: 1, identifier: "Odd", name: "Odd", kind: .other), "A", 0, 1, 1)
        _ = try refused { try file.add(recording) }
    }

    @Test(
        "a store with an object that isn't ours is not opened, and check names it",
        arguments: [
            (
                """
                CREATE TRIGGER evil AFTER INSERT ON sample BEGIN
                    UPDATE sample SET value = value * 2; END
                """, "trigger “evil” is added"
            ),
            ("CREATE VIEW mine AS SELECT * FROM sample", "view “mine” is added"),
            ("CREATE TABLE mine (a)", "table “mine” is added"),
            ("CREATE INDEX mine ON sample (value)", "index “mine” is added"),
            ("ALTER TABLE sample ADD COLUMN mood TEXT", "table “sample” is altered"),
            ("DROP VIEW record", "view “record” is missing"),
        ])
    func foreignObjects(sql: String, text: String) throws {
        let file = try filled()
        try file.damage(sql)
        for access in [SampleStore.Access.reading, .writing] {
            let error = try refused(.alteredSchema) { _ = try file.open(access) }
            #expect(error.description.contains(text))
        }
        _ = try refused(.alteredSchema) { try file.add(Recording()) }
        let found = try SampleStore.forChecking(at: file.path).check().map(\.invariant)
        #expect(found == ["the schema is unchanged: \(text)"])
    }

    @Test("a trigger that is added while a store is open is found before the next write")
    func triggerMeanwhile() throws {
        let file = try filled()
        let store = try file.open()
        try store.setHomeZone(HomeZone(identifier: "Europe/Berlin", reason: .specified))
        try file.damage("CREATE TRIGGER evil AFTER UPDATE ON store BEGIN DELETE FROM sample; END")
        _ = try refused(.alteredSchema) {
            try store.setHomeZone(HomeZone(identifier: "Europe/Paris", reason: .specified))
        }
        #expect(try store.homeZone?.identifier == "Europe/Berlin")
    }

    @Test("what SQLite keeps for its planner may be there, and an older store with it")
    func analyzed() throws {
        let file = try filled()
        try file.damage("ANALYZE")
        #expect(try file.open().check() == [])
        try file.damage("REINDEX; VACUUM")
        #expect(try file.open(.reading).check() == [])
    }

    @Test("the digest of a new store's schema is the one that is known")
    func digest() throws {
        #expect(Schema.migrator.migrations.last == Schema.latestVersion)
        let digest = try SchemaComparison.digestOfNewStore()
        #expect(
            digest == Schema.latestDigest, "Schema.latestDigest: 0x\(String(digest, radix: 16))")
    }

    @Test("every connection that writes overwrites what is deleted")
    func secureDelete() throws {
        let file = try filled()
        let store = try file.open()
        let modes = try store.write { db in
            try ["secure_delete", "trusted_schema"].map {
                try Int.fetchOne(db, sql: "PRAGMA \($0)")
            }
        }
        #expect(modes == [1, 0])
    }

    @Test("no connection to a store lets SQL edit the schema as text", arguments: [true, false])
    func defensive(isReading: Bool) throws {
        let file = try filled()
        let store = try file.open(isReading ? .reading : .writing)
        #expect(try store.read { DefensiveMode.isOn($0) })
        guard !isReading else { return }
        #expect(throws: StoreError.self) {
            try store.write { db in
                try db.execute(sql: "PRAGMA writable_schema = ON")
                try db.execute(sql: "DELETE FROM sqlite_schema WHERE name = 'sample'")
            }
        }
    }

    @Test("an undone import leaves none of its texts in any file, nor does a deletion in the log")
    func undone() throws {
        let file = try filled()
        var recording = Recording()
        for index in 0..<30 {
            let start = Double(index) * 100
            recording.add(.steps, "Phone", start, start + 60, 4711, device: .phone)
        }
        for index in 0..<400 {
            let number = recording.add(.steps, "SECRETWATCH", 9_000 + Double(index), 9_000.5, 1)
            recording.batch.metadata.append([
                "HKWasUserEntered": .string("SECRETTEXT \(index)")
            ])
            recording.batch.samples[number].end = 9_001 + Double(index)
            recording.batch.samples[number].metadata = Int32(index)
        }
        try file.add(recording)
        let store = try file.open()
        #expect(try file.holds("SECRETTEXT") && file.holds("SECRETWATCH"))
        try store.undoImport(2)
        #expect(try !file.holds("SECRETTEXT"))
        #expect(try !file.holds("SECRETWATCH"))
        #expect(try store.check() == [])
    }
}

extension TemporaryStore {
    /// Returns whether any file in the folder contains a text.
    func holds(_ text: String) throws -> Bool {
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return try files.contains { try Data(contentsOf: $0).range(of: Data(text.utf8)) != nil }
    }
}
