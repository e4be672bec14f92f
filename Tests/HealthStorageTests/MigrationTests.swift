import Foundation
import GRDB
import HealthEngine
import HealthTesting
import Testing

@testable import HealthStorage

@Suite("a store of version 1 goes on")
struct MigrationTests {
    /// An imported store as version 1 left it.
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
        try file.damage(
            """
            DROP TABLE sync_identifier; DROP INDEX tombstone_uuid; DROP INDEX origin_content;
            ALTER TABLE tombstone DROP COLUMN member_types;
            ALTER TABLE type DROP COLUMN has_details;
            ALTER TABLE origin DROP COLUMN operating_system;
            ALTER TABLE origin DROP COLUMN product_type;
            CREATE UNIQUE INDEX origin_content ON origin
                (ifnull(source, 0), ifnull(version, ''), ifnull(device, 0), ifnull(unit, 0));
            DELETE FROM grdb_migrations WHERE identifier = '2';
            """)
        return file
    }

    @Test("opening it for writing brings it up to date, and every sample is there")
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

    @Test("opening it for reading does too, so that no command asks for another import")
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
