import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("a store of version 1 is migrated")
struct MigrationTests {
    /// Creates an imported store with the schema of version 1.
    private func versionOne() throws -> TemporaryStore {
        let file = try TemporaryStore()
        var recording = Recording()
        for index in 0..<20 {
            let start = Double(index) * 100
            recording.add(.steps, "Phone", start, start + 60, 10, device: .phone)
        }
        let workout = recording.add(.workout, "Phone", 0, 100, .nan, unit: nil, device: .phone)
        recording.batch.details[workout] = .workout(Workout(activityType: 37))
        try file.add(recording)
        return try file.copied(version: 1)
    }

    @Test("opening it for writing migrates it, and every sample is there")
    func migrates() throws {
        let file = try versionOne()
        let store = try file.open()
        #expect(try store.check() == [])
        #expect(try store.uuids(.steps).count == 20)
        let workout = try store.objects([SampleRequest(.workout)])
        #expect(workout.batch.details[0] == .workout(Workout(activityType: 37)))
        try store.save(1, .steps, 0)
        #expect(try store.uuids(.steps).count == 21)
    }

    @Test("opening it for reading migrates it too, so that no command asks for another import")
    func migratesForReading() throws {
        let file = try versionOne()
        let store = try file.open(.reading)
        #expect(try store.uuids(.steps).count == 20)
    }

    @Test(
        "a file that may not be written is refused for reading, with what helps",
        .enabled(if: getuid() != 0))
    func readOnlyFile() throws {
        let file = try versionOne()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o400], ofItemAtPath: file.path)
        let error = #expect(throws: StoreError.self) { try file.open(.reading) }
        #expect(error?.code == .failed)
    }
}

/// Files of every version, created from the checked-in schemas.
@Suite("a store of any version keeps all its results")
struct MigrationFixtureTests {
    private static let points = (0..<50).map { index in
        RoutePoint(
            time: Double(index), latitude: 48 + Double(index) / 1000, longitude: 11,
            altitude: 500, horizontalAccuracy: 4, verticalAccuracy: 3, course: -1, speed: 2)
    }

    /// Creates a store with two exports of a person. The second one changes and removes samples of
    /// the first.
    private func filled(routes: [WorkoutRoute]) throws -> TemporaryStore {
        let file = try TemporaryStore()
        var random = SeededRandom(seed: 3)
        var export = RandomExport(using: &random)
        for _ in 0..<2 {
            var recording = export.recording
            let run = recording.add(.workout, "Phone", 0, 100, .nan, unit: nil, device: .phone)
            recording.batch.details[run] = .workout(Workout(activityType: 37, routes: routes))
            try file.add(recording)
            for _ in 0..<4 { export.edit(using: &random) }
        }
        return file
    }

    @Test("opened, it gives every result of the current version", arguments: [1, 2, 3, 4, 5, 6])
    func results(version: Int) throws {
        let file = try filled(routes: [])
        let old = try file.copied(version: version)
        for access in [SampleStore.Access.reading, .writing] {
            let (store, today) = (try old.open(access), try file.open(.reading))
            defer {
                try? store.close()
                try? today.close()
            }
            #expect(try StoreQueryDump(store).difference(from: StoreQueryDump(today)) == [])
            #expect(try store.difference(ofImport: 2).new == today.difference(ofImport: 2).new)
        }
    }

    @Test("its newest import is undone, and the next export is compared with what it holds")
    func continues() throws {
        let file = try filled(routes: [])
        for version in 1...6 {
            let old = try file.copied(version: version)
            let store = try old.open()
            defer { try? store.close() }
            try store.save(1, .steps, 0)
            let before = try StoreQueryDump(store)
            var recording = Recording()
            recording.add(.bodyMass, "Scale", 0, 0, 70)
            #expect(try old.add(recording, as: .addition).records.new == 1)
            try store.undoImport(3)
            #expect(try StoreQueryDump(store).difference(from: before) == [])
            try store.undoImport(2)
            try store.undoImport(1)
            #expect(try store.types().map(\.type) == [.steps])
        }
    }

    @Test("routes of version 3 keep their points, and go with their import")
    func routes() throws {
        let route = WorkoutRoute(start: 0, end: 49, points: Self.points)
        let old = try filled(routes: [route]).copied(version: 3)
        let store = try old.open()
        defer { try? store.close() }
        let found = try store.objects([SampleRequest(.workout)])
        guard case .workout(let workout)? = found.batch.details[0] else {
            Issue.record("no workout")
            return
        }
        let number = try #require(workout.routes.first?.storedPoints)
        #expect(try store.routePoints(number) == Self.points)
        try store.undoImport(2)
        #expect(try store.routePoints(number) == Self.points)
        try store.undoImport(1)
        #expect(throws: StoreError.self) { try store.routePoints(number) }
        #expect(try store.check() == [])
    }
}

extension TemporaryStore {
    /// Copies the rows into the schema of a version.
    fileprivate func copied(version: Int) throws -> TemporaryStore {
        let old = try TemporaryStore()
        let fixture = ProjectFiles.fixtures.appendingPathComponent("schema-\(version).sql")
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: old.path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: String(contentsOf: fixture, encoding: .utf8))
            try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
            for number in 1...version {
                try db.execute(
                    sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: ["\(number)"])
            }
            try db.execute(sql: "ATTACH ? AS new", arguments: [path])
            let tables = try String.fetchAll(
                db,
                sql: "SELECT name FROM main.sqlite_schema WHERE type = 'table' "
                    + "AND name NOT LIKE 'grdb_%' AND name NOT LIKE 'sqlite_%' "
                    // The table is derived data, and empty before version 4.
                    + "AND name <> 'segment'")
            for table in tables {
                let columns = try db.columns(in: table).map { "\"\($0.name)\"" }
                    .joined(separator: ", ")
                try db.execute(
                    sql: "INSERT INTO main.\(table) (\(columns)) "
                        + "SELECT \(columns) FROM new.\(table)")
            }
            try db.execute(sql: "DETACH new")
        }
        try queue.close()
        return old
    }
}

@Suite("A store with another catalogue")
struct CatalogueAdoptionTests {
    @Test("a type that was added to the catalogue later gets its code, with its samples")
    func adoption() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/adopt-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/health.sqlite"
        try SampleStore(at: path, access: .creating).close()
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(
                sql: """
                    INSERT INTO type (code, identifier, kind) VALUES (20001, 'HKQuantityTypeIdentifierStepCount', 1);
                    INSERT INTO origin (id) VALUES (1);
                    INSERT INTO sample (sequence, type, start_time, key, end_time, origin, value)
                    VALUES (1, 20001, 0, 0, 60, 1, 12);
                    """)
        }
        try queue.close()
        let store = try SampleStore(at: path, access: .writing)
        let steps = try store.type(named: "stepCount")
        #expect(try store.samples(SampleQuery(steps)).samples.map(\.value) == [12])
        #expect(try store.types().map(\.type.code) == [steps.code])
        try store.close()
    }
}
