import Foundation
import GRDB
import HealthArchive
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

/// Damaged files, and files that aren't stores: typed errors, and a consistent store afterwards.
@Suite struct ImportDamageTests {
    /// An export with one element of each kind.
    private static let export = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE HealthData [
        <!-- HealthKit Export Version: 14 -->
        <!ELEMENT HealthData (ExportDate,Me,Record*)>
        <!ATTLIST HealthData locale CDATA #REQUIRED>
        ]>
        <HealthData locale="de_DE">
         <ExportDate value="2024-05-01 10:00:00 +0200"/>
         <Me HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet"/>
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Sam’s Phone" unit="count" \
        startDate="2024-03-10 09:00:00 +0100" endDate="2024-03-10 09:05:00 +0100" value="100"/>
         <Record type="HKQuantityTypeIdentifierStepCount" sourceName="B" unit="count" \
        startDate="2024-03-10 10:00:00 +0100" endDate="2024-03-10 10:05:00 +0100" value="7">
          <MetadataEntry key="HKWasUserEntered" value="1"/>
         </Record>
         <Correlation type="HKCorrelationTypeIdentifierFood" sourceName="B" \
        startDate="2024-03-10 10:00:00 +0100" endDate="2024-03-10 10:00:00 +0100">
          <Record type="HKQuantityTypeIdentifierDietaryEnergyConsumed" sourceName="B" unit="kcal" \
        startDate="2024-03-10 10:00:00 +0100" endDate="2024-03-10 10:00:00 +0100" value="250"/>
         </Correlation>
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="5" \
        durationUnit="min" sourceName="B" startDate="2024-03-10 10:00:00 +0100" \
        endDate="2024-03-10 10:05:00 +0100">
          <WorkoutEvent type="HKWorkoutEventTypePause" date="2024-03-10 10:01:00 +0100"/>
         </Workout>
         <ActivitySummary dateComponents="2024-03-10" activeEnergyBurned="400"/>
         <StateOfMind valence="0.5"><Label>calm &amp; clear</Label></StateOfMind>
        </HealthData>

        """

    private let folder: TemporaryFolder
    private var store: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func importFile(_ path: String, into store: String) throws -> ImportReport {
        try ExportImporter(
            path: path, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0
        ).run()
    }

    @Test(
        "a file truncated at any byte is rejected, or adds complete elements and deletes nothing",
        .inTestAll)
    func truncation() throws {
        let bytes = Array(ImportDamageTests.export.utf8)
        let whole = try importFile(folder.write("whole.xml", bytes), into: store)
        #expect(whole.isComplete && whole.outcome.records.new == 3)
        let samples = try StoreState.of(store)
        #expect(samples.isValid)
        let step = ImportModelTests.torture ? 1 : 41
        var partial = 0
        for length in stride(from: 0, to: bytes.count - 2, by: step) {
            let path = try folder.write("cut.xml", Array(bytes[..<length]))
            let fresh = folder.path + "/fresh.sqlite"
            try? FileManager.default.removeItem(atPath: fresh)
            do {
                let report = try importFile(path, into: fresh)
                #expect(!report.isComplete, "cut at \(length)")
                #expect(report.outcome.kind == .partial, "cut at \(length)")
                #expect(report.outcome.records.new <= 3, "cut at \(length)")
                let again = try importFile(path, into: store)
                #expect(again.outcome.records.new == 0, "cut at \(length)")
                #expect(again.outcome.vanished == 0, "cut at \(length)")
                partial += 1
            } catch is ArchiveError {
                #expect(length < 600, "cut at \(length)")
                #expect(try StoreState.of(fresh) == .absent, "cut at \(length)")
            }
            #expect(try StoreState.of(fresh).isValid, "cut at \(length)")
        }
        #expect(partial > 20)
        #expect(try StoreState.of(store).isValid)
    }

    @Test("flipped bytes in the XML or zip give a valid store or a typed error", .inTestAll)
    func flips() throws {
        let xml = Array(ImportDamageTests.export.utf8)
        let zip = try zipped(xml)
        _ = try importFile(folder.write("whole.xml", xml), into: store)
        for seed in 0..<UInt64(ImportModelTests.torture ? 4000 : 80) {
            var random = SeededRandom(seed: seed)
            var bytes = seed % 2 == 0 ? xml : zip
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            let path = try folder.write("flipped.\(seed % 2 == 0 ? "xml" : "zip")", bytes)
            let target = Bool.random(using: &random) ? store : folder.path + "/fresh.sqlite"
            let before = try StoreState.of(target)
            do {
                _ = try importFile(path, into: target)
            } catch is ArchiveError {
                #expect(try StoreState.of(target) == before, "seed \(seed)")
            } catch is StoreError {
                #expect(try StoreState.of(target) == before, "seed \(seed)")
            }
            try #require(try StoreState.of(target).isValid, "seed \(seed)")
        }
    }

    private func zipped(_ xml: [UInt8]) throws -> [UInt8] {
        let path = folder.path + "/export.zip"
        let writer = try ZipWriter(
            path: path,
            modified: ZipTimestamp(year: 2024, month: 5, day: 1, hour: 0, minute: 0, second: 0))
        try writer.begin("apple_health_export/export.xml")
        try writer.write(String(decoding: xml, as: UTF8.self))
        try writer.finish()
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test("a second import at the same time is refused and the first one goes on")
    func twoAtOnce() throws {
        let path = try folder.write("whole.xml", ImportDamageTests.export)
        for _ in 0..<2 {
            let other = Refusal()
            let report = try ExportImporter(
                path: path, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0,
                progress: { [store] _, _ in
                    do {
                        _ = try ExportImporter(
                            path: path, store: store, systemTimeZone: "UTC", now: 0
                        ).run()
                    } catch {
                        other.error = error as? StoreError
                    }
                }
            ).run()
            #expect(other.error?.code == .busy)
            #expect(report.outcome.records.read == 3)
        }
    }

    /// An error written by the import's thread, and read after it has ended.
    private final class Refusal: @unchecked Sendable {
        var error: StoreError?
    }

    @Test("a cancelled import leaves the store unchanged")
    func cancellation() throws {
        let path = try folder.write("whole.xml", ImportDamageTests.export)
        func stopped() throws {
            _ = try ExportImporter(
                path: path, store: store, systemTimeZone: "UTC", now: 0, isCancelled: { true }
            ).run()
        }
        let error = #expect(throws: StoreError.self) { try stopped() }
        #expect(error?.code == .cancelled)
        #expect(try StoreState.of(store) == .absent)
        _ = try importFile(path, into: store)
        let before = try StoreState.of(store)
        #expect(throws: StoreError.self) { try stopped() }
        #expect(try StoreState.of(store) == before)
    }

    @Test("a file that is no store, and one of a newer version, are not touched")
    func foreignFiles() throws {
        let path = try folder.write("whole.xml", ImportDamageTests.export)
        let note = try folder.write("note.sqlite", "Dear diary")
        try expectRefusal(path, note, .notAStore)
        let other = folder.path + "/other.sqlite"
        let queue = try DatabaseQueue(path: other)
        try queue.write { try $0.execute(sql: "CREATE TABLE diary (day TEXT)") }
        try queue.close()
        try expectRefusal(path, other, .notAStore)
        _ = try importFile(path, into: store)
        let newer = try DatabaseQueue(path: store)
        try newer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9999')") }
        try newer.close()
        try expectRefusal(path, store, .newerVersion)
    }

    private func expectRefusal(
        _ export: String, _ store: String, _ code: StoreError.Code
    ) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: store))
        let error = #expect(throws: StoreError.self) { try importFile(export, into: store) }
        #expect(error?.code == code)
        #expect(try Data(contentsOf: URL(fileURLWithPath: store)) == before)
    }

    @Test("new stores and their folders are accessible to the owner only")
    func modes() throws {
        let path = try folder.write("whole.xml", ImportDamageTests.export)
        let store = folder.path + "/a/b/health.sqlite"
        _ = try importFile(path, into: store)
        #expect(try mode(folder.path + "/a") == 0o700)
        #expect(try mode(folder.path + "/a/b") == 0o700)
        #expect(try mode(store) == 0o600)
        try expectPrivateFiles(in: folder.path + "/a/b")
        // The permissions of an existing folder don't change.
        let open = folder.path + "/open"
        try FileManager.default.createDirectory(
            atPath: open, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o755])
        _ = try importFile(path, into: open + "/health.sqlite")
        #expect(try mode(open) == 0o755)
        #expect(try mode(open + "/health.sqlite") == 0o600)
        _ = try importFile(path, into: open + "/health.sqlite")
        try expectPrivateFiles(in: open)
    }

    private func expectPrivateFiles(in folder: String) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            #expect(try mode(folder + "/" + name) == 0o600, "\(name)")
            #expect(!name.hasSuffix(".importing"))
            // A reader may leave the write-ahead log, but it must be empty.
            if name.hasSuffix("-wal") { #expect(try size(folder + "/" + name) == 0) }
        }
    }

    @Test("a stale write-ahead log of a deleted store is not applied to a new one")
    func staleLog() throws {
        let path = try folder.write("whole.xml", ImportDamageTests.export)
        _ = try importFile(path, into: store)
        let expected = try StoreState.of(store)
        let queue = try DatabaseQueue(path: store)
        try queue.write { try $0.execute(sql: "DELETE FROM sample") }
        let log = try Data(contentsOf: URL(fileURLWithPath: store + "-wal"))
        try #require(!log.isEmpty)
        try queue.close()
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: store + suffix)
        }
        try log.write(to: URL(fileURLWithPath: store + "-wal"))
        _ = try importFile(path, into: store)
        #expect(try StoreState.of(store) == expected)
    }

    private func size(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("an unwritable path is named in the error")
    func unwritablePlace() throws {
        let path = try folder.write("whole.xml", ImportDamageTests.export)
        let file = try folder.write("file", "x")
        let places = [
            file + "/health.sqlite", "/proc/openhealth/health.sqlite", "/proc/health.sqlite",
        ]
        for place in places {
            let error = #expect(throws: StoreError.self) { try importFile(path, into: place) }
            #expect(error?.code == .notPermitted)
            #expect(
                error?.description.contains((place as NSString).deletingLastPathComponent) == true)
        }
        let closed = folder.path + "/closed"
        try FileManager.default.createDirectory(
            atPath: closed, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o500])
        if !FileManager.default.isWritableFile(atPath: closed) {
            #expect(throws: StoreError.self) { try importFile(path, into: closed + "/h.sqlite") }
        }
    }
}
