import Foundation
import GRDB
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

@Suite("Workout routes beside an export")
struct WorkoutRouteTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    @Test("undoing an import removes its routes")
    func undone() throws {
        try importFile(
            zip(
                WorkoutRouteTests.export(WorkoutRouteTests.route(WorkoutRouteTests.one)),
                [(WorkoutRouteTests.one, WorkoutRouteTests.gpx(WorkoutRouteTests.point(1)))]))
        #expect(try points().map(\.count) == [1])
        let opened = try SampleStore(at: store, access: .writing)
        defer { try? opened.close() }
        #expect(try opened.undoImport(1).removed == 1)
        #expect(try opened.check() == [])
        #expect(try opened.imports().isEmpty)
    }

    @Test(
        "points that no workout names any more go at the next import; an undo still finds its own")
    func orphans() throws {
        func export(_ date: String, _ point: Int?) throws -> String {
            let xml =
                point == nil
                ? "<HealthData locale=\"de_DE\"><ExportDate value=\"\(date) 10:00:00 +0200\"/>"
                    + "</HealthData>"
                : Self.export(Self.route(Self.one), date: date)
            return try zip(
                xml, point.map { [(Self.one, Self.gpx(Self.point($0)))] } ?? [])
        }
        func stored() throws -> Int? {
            let queue = try DatabaseQueue(path: store)
            defer { try? queue.close() }
            return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM route") }
        }
        try importFile(export("2024-05-01", 1))
        let first = try points()
        // An older export has other points, which aren't applied.
        #expect(try importFile(export("2024-04-01", 2)).outcome.kind == .addition)
        #expect(try stored() == 1)
        #expect(try points() == first)
        // The workout has vanished, but an undo may restore it.
        #expect(try importFile(export("2024-06-01", nil)).outcome.vanished == 1)
        #expect(try stored() == 1)
        let opened = try SampleStore(at: store, access: .writing)
        defer { try? opened.close() }
        try opened.undoImport(3)
        #expect(try points() == first)
        let workout = try opened.objects([SampleRequest(opened.type(named: "workout"))])
        let source = try #require(opened.sources(of: nil).first)
        try opened.delete([workout.uuids[0]], by: source.bundleIdentifier)
        #expect(try stored() == 1)
        try importFile(export("2024-06-02", nil))
        #expect(try stored() == 0)
    }

    // MARK: - Creating exports

    private static func route(
        _ file: String?, minute: Int = 0, locations: String = ""
    ) -> String {
        """
        <WorkoutRoute sourceName="Watch" startDate="2024-03-10 10:0\(minute):00 +0100" \
        endDate="2024-03-10 10:0\(minute):59 +0100">
        \(file.map { "<FileReference path=\"\($0)\"/>" } ?? locations)
        </WorkoutRoute>
        """
    }

    private static func export(_ routes: String, date: String = "2024-05-01") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <HealthData locale="de_DE">
         <ExportDate value="\(date) 10:00:00 +0200"/>
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="5" \
        durationUnit="min" sourceName="Watch" startDate="2024-03-10 10:00:00 +0100" \
        endDate="2024-03-10 10:05:00 +0100">
        \(routes)
         </Workout>
        </HealthData>
        """
    }

    private static func point(_ second: Int, latitude: String = "48.5", more: String = "") -> String
    {
        let second = second < 10 ? "0\(second)" : "\(second)"
        return "<trkpt lon=\"11.25\" lat=\"\(latitude)\"><ele>520.125</ele>"
            + "<time>2024-03-10T09:00:\(second)Z</time><extensions><speed>3.5</speed>"
            + "<course>-1</course><hAcc>4.25</hAcc><vAcc>3</vAcc></extensions>\(more)</trkpt>"
    }

    private static func gpx(_ points: String) -> String {
        "<?xml version=\"1.0\"?><gpx version=\"1.1\"><trk><name>Route</name><trkseg>"
            + points + "</trkseg></trk></gpx>"
    }

    private static let one = "/workout-routes/route_2024-03-10_10.01am.gpx"
    private static let two = "/workout-routes/route_2024-03-10_10.02am.gpx"

    /// Returns an export as a zip, with files by the path that references use.
    private func zip(_ xml: String, _ files: [(String, String)]) throws -> String {
        let entries =
            [CraftedZip.Entry("apple_health_export/export.xml", xml)]
            + files.map { CraftedZip.Entry("apple_health_export" + $0.0, $0.1) }
        return try folder.write("export.zip", CraftedZip(entries).bytes)
    }

    @discardableResult
    private func importFile(_ path: String) throws -> ImportReport {
        try ExportImporter(
            path: path, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0
        ).run()
    }

    /// Returns the points of each route of the only workout.
    private func points() throws -> [[RoutePoint]] {
        let opened = try SampleStore(at: store, access: .reading)
        defer { try? opened.close() }
        #expect(try opened.check() == [])
        let type = try opened.type(named: "HKWorkoutTypeIdentifier")
        let found = try opened.objects([SampleRequest(type)])
        guard case .workout(let workout)? = found.batch.details[0] else { return [] }
        return try workout.routes.map { route in
            #expect(route.points.isEmpty)
            return try route.storedPoints.map { try opened.routePoints($0) } ?? []
        }
    }

    private func read(_ text: String) -> Result<RouteFile.Contents, RouteFile.Fault> {
        Result { () throws(RouteFile.Fault) in
            try RouteFile.read(MemoryStream(Array(text.utf8)), name: "route.gpx")
        }
    }

    private func fault(_ text: String) -> RouteFile.Fault? {
        if case .failure(let fault) = read(text) { return fault }
        return nil
    }

    // MARK: - From file to store

    @Test("each route of a workout gets its own file's points, in order of time")
    func several() throws {
        let xml = Self.export(Self.route(Self.one) + Self.route(Self.two, minute: 1))
        let report = try importFile(
            zip(
                xml,
                [
                    (Self.one, Self.gpx(Self.point(9) + Self.point(3))),
                    (Self.two, Self.gpx(Self.point(30))),
                ]))
        #expect(report.routes.files == 2 && report.routes.points == 3)
        #expect(report.companions.isEmpty)
        let found = try points()
        #expect(found.map(\.count) == [2, 1])
        let start = 731_754_000.0  // 2024-03-10T09:00:00Z
        #expect(found.first?.map(\.time) == [start + 3, start + 9])
        #expect(
            found.last == [
                RoutePoint(
                    time: start + 30, latitude: 48.5, longitude: 11.25, altitude: 520.125,
                    horizontalAccuracy: 4.25, verticalAccuracy: 3, course: -1, speed: 3.5)
            ])
    }

    @Test("the same export again changes nothing, and keeps each route once")
    func again() throws {
        let path = try zip(
            Self.export(Self.route(Self.one)), [(Self.one, Self.gpx(Self.point(1)))])
        try importFile(path)
        let before = try points()
        let report = try importFile(path)
        #expect(report.outcome.workouts.unchanged == 1 && report.outcome.workouts.new == 0)
        #expect(try points() == before)
        let queue = try DatabaseQueue(path: store)
        #expect(try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM route") } == 1)
    }

    @Test("inline points of an iOS 12 export are stored as well")
    func inline() throws {
        let location = """
            <Location date="2024-03-10 10:00:07 +0100" latitude="48.123456789012345" \
            longitude="11.5" altitude="500" horizontalAccuracy="5" verticalAccuracy="4" \
            course="90" speed="3"/>
            """
        try importFile(
            folder.write(
                "export.xml", Self.export(Self.route(nil, locations: location + location))))
        #expect(
            try points().map { $0.map(\.latitude) } == [[48.123456789012345, 48.123456789012345]])
    }

    @Test("a missing file is named, a damaged one quarantined; workout and other route are there")
    func missingAndDamaged() throws {
        let xml = Self.export(
            Self.route("/workout-routes/none.gpx") + Self.route(Self.one)
                + Self.route(Self.two, minute: 1))
        let whole = Self.gpx(Self.point(1))
        let report = try importFile(
            zip(xml, [(Self.one, String(whole.dropLast(20))), (Self.two, whole)]))
        #expect(report.routes.missingFiles == ["/workout-routes/none.gpx"])
        #expect(
            report.routes.faults == [
                .init(file: String(Self.one.dropFirst()), reason: "truncated")
            ])
        #expect(report.outcome.workouts.new == 1 && report.isComplete)
        #expect(try points().map(\.count) == [0, 0, 1])
        let queue = try DatabaseQueue(path: store)
        let kept = try queue.read {
            try String.fetchAll($0, sql: "SELECT reason FROM raw_element")
        }
        #expect(kept == ["quarantined"])
    }

    @Test("a file whose checksum doesn't fit is left out")
    func checksum() throws {
        var entry = CraftedZip.Entry("apple_health_export" + Self.one, Self.gpx(Self.point(1)))
        entry.checksum ^= 1
        let xml = CraftedZip.Entry(
            "apple_health_export/export.xml", Self.export(Self.route(Self.one)))
        let report = try importFile(folder.write("export.zip", CraftedZip([xml, entry]).bytes))
        #expect(report.routes.faults.map(\.reason) == ["can't be read"])
        #expect(try points() == [[]])
    }

    @Test("the zip after its bare xml brings the routes, and the xml after it keeps them")
    func filling() throws {
        let xml = Self.export(Self.route(Self.one))
        let bare = try folder.write("export.xml", xml)
        let first = try importFile(bare)
        #expect(first.routes.missing == 1)
        #expect(try points() == [[]])
        let second = try importFile(zip(xml, [(Self.one, Self.gpx(Self.point(1)))]))
        #expect(second.outcome.workouts.unchanged == 1)
        #expect(try points().map(\.count) == [1])
        let later = try folder.write(
            "later.xml", Self.export(Self.route(Self.one), date: "2024-06-01"))
        let third = try importFile(later)
        #expect(third.outcome.workouts.unchanged == 1 && third.routes.missing == 1)
        #expect(try points().map(\.count) == [1])
    }

    @Test("a later export with other points changes the workout, under the same UUID")
    func changed() throws {
        try importFile(
            zip(Self.export(Self.route(Self.one)), [(Self.one, Self.gpx(Self.point(1)))]))
        let report = try importFile(
            zip(
                Self.export(Self.route(Self.one), date: "2024-06-01"),
                [(Self.one, Self.gpx(Self.point(1) + Self.point(2)))]))
        #expect(report.outcome.workouts.changed == 1)
        #expect(try points().map(\.count) == [2])
    }

    @Test("a reference outside the folder finds only a file of the export with that name")
    func climbing() throws {
        let outside = try folder.write("secret.gpx", Self.gpx(Self.point(1)))
        let xml = Self.export(Self.route("/../secret.gpx") + Self.route(outside, minute: 1))
        try folder.write("in/export.xml", xml)
        let report = try importFile(folder.path + "/in")
        #expect(report.routes.missing == 2 && report.routes.files == 0)
        let climber = CraftedZip([
            CraftedZip.Entry("export.xml", xml),
            CraftedZip.Entry("../secret.gpx", Self.gpx(Self.point(1))),
        ])
        #expect(throws: ArchiveError.self) {
            try importFile(folder.write("climber.zip", climber.bytes))
        }
    }

    // MARK: - Single files

    @Test("points without a valid time or coordinate are skipped and counted")
    func strangePoints() throws {
        let bad = [
            Self.point(1, latitude: "NaN"), Self.point(1, latitude: "91"),
            Self.point(1, latitude: ""), "<trkpt lat=\"1\" lon=\"2\"/>",
            "<trkpt lat=\"1\" lon=\"2\"><time>yesterday</time></trkpt>",
            "<trkpt lat=\"1\" lon=\"2\"><time>2024-03-10T09:00:00</time></trkpt>",
        ]
        let contents = try read(Self.gpx(bad.joined() + Self.point(2))).get()
        #expect(contents.points.count == 1 && contents.leftOut == bad.count)
    }

    @Test("elements may have a prefix; missing fields of a point are unknown")
    func prefixes() throws {
        let text = """
            <g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"><g:trk><g:trkseg>
            <g:trkpt lat="48" lon="11"><g:time>2024-03-10T09:00:01.500Z</g:time>
            <g:extensions><x:speed xmlns:x="y">2.5</x:speed></g:extensions></g:trkpt>
            </g:trkseg></g:trk></g:gpx>
            """
        #expect(
            try read(text).get().points == [
                RoutePoint(
                    time: 731_754_001.5, latitude: 48, longitude: 11, altitude: 0,
                    horizontalAccuracy: -1, verticalAccuracy: -1, course: -1, speed: 2.5)
            ])
    }

    @Test(
        "an invalid route file has a reason",
        arguments: [
            ("", RouteFile.Fault.noRoute), ("PK\u{3}\u{4}", .noRoute), ("<kml/>", .noRoute),
            ("<gpx/>", .noPoints), ("<gpx><trk></trk></gpx>", .noPoints),
            ("<gpx><trk><trkseg><trkpt lat=\"1\"", .truncated),
            ("<!DOCTYPE gpx [<!ENTITY a SYSTEM \"/etc/passwd\">]><gpx/>", .unreadable),
        ])
    func faults(text: String, fault: RouteFile.Fault) {
        #expect(self.fault(text) == fault)
    }

    @Test("a file of 200 MB with a handful of points is read without holding it")
    func large() throws {
        let contents = try RouteFile.read(
            LongGPX(points: 3, comments: 200), name: "route.gpx")
        #expect(contents.points.count == 3)
    }

    @Test("more points than three days of seconds are refused")
    func tooLong() {
        #expect(throws: RouteFile.Fault.tooLong) {
            try RouteFile.read(LongGPX(points: 300_000, comments: 0), name: "route.gpx")
        }
    }
}

/// A GPX file generated while it is read: points, then comments of a megabyte each.
private final class LongGPX: ByteStream {
    private var pieces: [(text: [UInt8], times: Int)]
    private var position = 0
    private(set) var consumedByteCount: Int64 = 0

    init(points: Int, comments: Int) {
        let point = "<trkpt lat=\"1\" lon=\"2\"><time>2024-03-10T09:00:01Z</time></trkpt>"
        let comment = "<!-- " + String(repeating: "x", count: 1 << 20) + " -->"
        pieces = [
            (Array("<gpx><trk><trkseg>".utf8), 1), (Array(point.utf8), points),
            (Array(comment.utf8), comments), (Array("</trkseg></trk></gpx>".utf8), 1),
        ]
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        while let first = pieces.first {
            if first.times == 0 {
                pieces.removeFirst()
                continue
            }
            let count = min(buffer.count, first.text.count - position)
            buffer.copyBytes(from: first.text[position..<position + count])
            position += count
            consumedByteCount += Int64(count)
            if position == first.text.count {
                position = 0
                pieces[0].times -= 1
            }
            return count
        }
        return 0
    }
}
