import Foundation
import GRDB
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

/// A store exported as an Apple Health export and imported into another store.
@Suite("Export and reimport of a store")
struct StoreExportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @discardableResult
    private func importFile(_ path: String, into store: String) throws -> ImportReport {
        try ExportImporter(
            path: path, store: folder.path + "/" + store, timeZone: "Europe/Berlin",
            systemTimeZone: "UTC", now: 0
        ).run()
    }

    private func open(_ store: String) throws -> SampleStore {
        try SampleStore(at: folder.path + "/" + store, access: .writing)
    }

    /// Exports a store as a zip and imports it into another one.
    private func copy(_ store: SampleStore, as name: String) throws -> StoreExportTally {
        let zip = folder.path + "/\(name).zip"
        let tally = try StoreExport(store, madeAt: 800_000_000, offset: 3600)
            .write(ExportSelection(), to: zip)
        try importFile(zip, into: name)
        return tally
    }

    @Test("random exports are reimported with equal query results, routes, files and raw elements")
    func random() throws {
        for seed in TestTier.seeds(6, from: 1) {
            let person = SyntheticPerson(seed: seed)
            let zip = try folder.write("\(seed).zip", person.zip)
            let report = try importFile(zip, into: "\(seed)")
            #expect(report.isComplete, "seed \(seed)")
            let store = try open("\(seed)")
            defer { try? store.close() }
            let tally = try copy(store, as: "copy-\(seed)")
            let other = try open("copy-\(seed)")
            defer { try? other.close() }
            let (before, after) = (try StoreQueryDump(store), try StoreQueryDump(other))
            #expect(before.lines.count > 100, "seed \(seed)")
            #expect(after.difference(from: before) == [], "seed \(seed)")
            let missing = try lostRoutes(store)
            var losses: [ExportLoss: Int] = [.homeZone: 1]
            if missing > 0 { losses[.missingRouteFiles] = missing }
            #expect(tally.losses == losses, "seed \(seed)")
            #expect(
                tally.files == person.files.count { !$0.0.hasPrefix("workout") }, "seed \(seed)")
        }
    }

    private func lostRoutes(_ store: SampleStore) throws -> Int {
        var count = 0
        try store.forEachExportedBatch(ExportSelection()) { exported in
            for case .workout(let workout) in exported.batch.details.values {
                count += workout.routes.count { $0.storedPoints == nil }
            }
        }
        return count
    }

    @Test("routes of one name with other points get files of their own; an equal one is shared")
    func routeNames() throws {
        func export(_ hour: Int, _ latitude: Int, twice: Bool, date: String) throws -> String {
            let route = """
                <WorkoutRoute sourceName="W" startDate="2024-03-10 \(hour):00:00 +0000" \
                endDate="2024-03-10 \(hour):30:00 +0000">\
                <FileReference path="/workout-routes/same.gpx"/></WorkoutRoute>
                """
            let xml = """
                <HealthData><ExportDate value="\(date) 10:00:00 +0000"/>\
                <Workout workoutActivityType="HKWorkoutActivityTypeWalking" sourceName="W" \
                startDate="2024-03-10 \(hour):00:00 +0000" endDate="2024-03-10 \(hour):40:00 +0000">\
                \(twice ? route + route : route)</Workout></HealthData>
                """
            let gpx = """
                <gpx><trk><trkseg><trkpt lat="\(latitude)" lon="2"><ele>1</ele>\
                <time>2024-03-10T\(hour):00:00.250Z</time></trkpt></trkseg></trk></gpx>
                """
            let entries = [
                CraftedZip.Entry("export.xml", xml),
                CraftedZip.Entry("workout-routes/same.gpx", gpx),
            ]
            return try folder.write("\(hour).zip", CraftedZip(entries).bytes)
        }
        try importFile(export(10, 48, twice: true, date: "2024-05-02"), into: "store")
        try importFile(export(12, 49, twice: false, date: "2024-05-01"), into: "store")
        let store = try open("store")
        defer { try? store.close() }
        let tally = try copy(store, as: "copy")
        #expect(tally.losses == [.renamedFiles: 1, .homeZone: 1])
        #expect(tally.names[.renamedFiles] == ["same.gpx"])
        let other = try open("copy")
        defer { try? other.close() }
        #expect(try points(other) == points(store))
        #expect(try points(other).map { $0.map(\.latitude) } == [[48], [48], [49]])
        #expect(try points(other).last?.first?.time.truncatingRemainder(dividingBy: 1) == 0.25)
    }

    /// Returns the points of every route, by workout.
    private func points(_ store: SampleStore) throws -> [[RoutePoint]] {
        var found: [[RoutePoint]] = []
        try store.forEachExportedBatch(ExportSelection(), routes: .inline) { exported in
            for (_, detail) in exported.batch.details.sorted(by: { $0.key < $1.key }) {
                if case .workout(let workout) = detail { found += workout.routes.map(\.points) }
            }
        }
        return found
    }

    @Test("a route saved by a program is reimported in its workout and reported")
    func savedRoute() throws {
        try importFile(folder.write("none.xml", "<HealthData></HealthData>"), into: "store")
        let store = try open("store")
        defer { try? store.close() }
        let places = (0..<3).map {
            RoutePoint(
                time: 700_000_000 + Double($0) / 4, latitude: 48.5, longitude: 11,
                altitude: 500, horizontalAccuracy: 5, verticalAccuracy: 4, course: 90, speed: 3)
        }
        var batch = SampleBatch(sources: [Source(name: "App", bundleIdentifier: "com.example.app")])
        batch.origins = [Origin(source: 0, version: "1")]
        batch.samples = [
            Sample(
                type: try #require(Catalogue.type(named: "workout")).code, origin: 0,
                start: 699_999_000, end: 700_002_000),
            Sample(
                type: try #require(Catalogue.type(named: "workoutRoute")).code, origin: 0,
                start: 700_000_000, end: 700_000_001),
        ]
        batch.details = [0: .workout(Workout(activityType: 37)), 1: .route(places)]
        let ids = [
            SampleUUID(high: 1 << 14, low: 1 << 63 | 1), SampleUUID(high: 2 << 14, low: 1 << 63),
        ]
        var first = batch
        first.samples.removeLast()
        first.details[1] = nil
        try store.save(first, uuids: [ids[0]], at: 700_002_000)
        var second = batch
        second.samples.removeFirst()
        second.details = [0: .route(places)]
        try store.save(second, uuids: [ids[1]], associatedWith: ids[0], at: 700_002_000)
        let tally = try copy(store, as: "copy")
        #expect(tally.losses[.savedRoutes] == 1)
        #expect(tally.losses[.unsupportedSamples] == nil)
        let other = try open("copy")
        defer { try? other.close() }
        #expect(try points(other) == [places])
    }

    @Test("elements that can't be written at top level are omitted and reported")
    func elements() throws {
        let long = String(repeating: "x", count: RawXMLText.limit)
        let xml = """
            <HealthData><ExportDate value="2024-05-02 10:00:00 +0000"/>
            <VisionPrescription type="Glasses" dateIssued="2024-01-01"><RightEye sphere="-1"/>\
            </VisionPrescription>
            <ActivitySummary dateComponents="2024-03-10" appleStandHours="3" tomorrow="1"/>
            <Big><Part a="\(long)"/></Big>
            <Group><Record type="HKQuantityTypeIdentifierStepCount" sourceName="W" unit="count" \
            startDate="2024-03-10 10:00:00 +0000" endDate="2024-03-10 10:10:00 +0000" value="5">\
            <MetadataEntry key="a" value="b"/></Record></Group>
            <Workout workoutActivityType="HKWorkoutActivityTypeWalking" sourceName="W" \
            startDate="2024-03-10 10:00:00 +0000" endDate="2024-03-10 10:40:00 +0000">\
            <WorkoutRoute sourceName="W" startDate="never" endDate="2024-03-10 10:30:00 +0000"/>\
            <Nested/></Workout>
            </HealthData>
            """
        try importFile(folder.write("export.xml", xml), into: "store")
        let store = try open("store")
        defer { try? store.close() }
        let tally = try copy(store, as: "copy")
        #expect(tally.losses[.rawElements] == 4)
        #expect(
            tally.names[.rawElements]?.sorted() == [
                "ActivitySummary", "Big", "Group", "WorkoutRoute",
            ])
        let other = try open("copy")
        defer { try? other.close() }
        var kept: [String] = []
        try other.forEachRawElement { kept.append($0.element) }
        #expect(kept.sorted() == ["Nested"])
        #expect(try other.types().map(\.samples) == store.types().map(\.samples))
    }

    @Test("a partial export has no files or characteristics and is an addition")
    func part() throws {
        let zip = try folder.write("person.zip", SyntheticPerson(seed: 3).zip)
        try importFile(zip, into: "store")
        let store = try open("store")
        defer { try? store.close() }
        let out = folder.path + "/steps.zip"
        let steps = try store.type(named: "stepCount")
        let tally = try StoreExport(store, madeAt: 800_000_000, offset: 0)
            .write(ExportSelection(types: [steps]), to: out)
        #expect(tally.files == 0 && Array(tally.samples.keys) == [steps.identifier])
        try importFile(out, into: "copy")
        let other = try open("copy")
        defer { try? other.close() }
        #expect(
            try other.characteristics()["HKCharacteristicTypeIdentifierDateOfBirth"] != "1980-03-01"
        )
        let before = try StoreQueryDump(store).lines
        try importFile(out, into: "store")
        #expect(try StoreQueryDump(store).lines == before)
        var kept = 0
        try other.forEachRawElement { _ in kept += 1 }
        try other.forEachImportedFile { _ in kept += 1 }
        #expect(kept == 0)
    }

    @Test("files with duplicate names are renamed; unsafe names are omitted")
    func fileNames() throws {
        try importFile(folder.write("none.xml", "<HealthData></HealthData>"), into: "store")
        let queue = try DatabaseQueue(path: folder.path + "/store")
        try queue.write { db in
            for (name, content) in [
                ("clinical-records/a.json", "old"), ("clinical-records/a.json", "new"),
                ("../../b.json", "climber"),
            ] {
                try db.execute(
                    sql: "INSERT INTO export_file (import, kind, name, content) "
                        + "VALUES (1, 'clinicalRecord', ?, ?)",
                    arguments: [name, Data(content.utf8)])
            }
        }
        try queue.close()
        let store = try open("store")
        defer { try? store.close() }
        let tally = try copy(store, as: "copy")
        #expect(tally.files == 2)
        #expect(tally.losses == [.renamedFiles: 1, .unnamedFiles: 1, .homeZone: 1])
        let other = try open("copy")
        defer { try? other.close() }
        var names: [String] = []
        try other.forEachImportedFile { names.append($0.name) }
        #expect(names == ["clinical-records/a.json", "clinical-records/a_2.json"])
    }

    @Test("a read snapshot is isolated from later writes")
    func readSnapshot() throws {
        try importFile(folder.write("1.zip", SyntheticPerson(seed: 1).zip), into: "store")
        let store = try SampleStore(at: folder.path + "/store", access: .reading)
        defer { try? store.close() }
        let later = try folder.write("2.zip", SyntheticPerson(seed: 2).zip)
        let before = try store.types()
        let lines = try store.withReadSnapshot { snapshot in
            let first = try StoreQueryDump(snapshot).lines
            try importFile(later, into: "store")
            #expect(try snapshot.types() == before)
            #expect(try snapshot.withReadSnapshot { try StoreQueryDump($0).lines } == first)
            return first
        }
        #expect(try store.types() != before)
        #expect(try StoreQueryDump(store).lines != lines)
    }
}
