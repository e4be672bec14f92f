import Foundation
import GRDB
import HealthArchive
import HealthCalendar
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

/// A store as plain SQL tables, and the document that describes them.
@Suite("An export for SQL")
struct ExportDatabaseTests {
    private let folder: TemporaryFolder
    private let calendar: CalendarBuckets

    init() throws {
        folder = try TemporaryFolder()
        calendar = CalendarBuckets(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
    }

    private func person(_ seed: UInt64) throws -> SampleStore {
        let zip = try folder.write("\(seed).zip", SyntheticPerson(seed: seed).zip)
        let path = folder.path + "/\(seed).sqlite"
        _ = try ExportImporter(
            path: zip, store: path, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0
        ).run()
        return try SampleStore(at: path, access: .reading)
    }

    private func samples(
        of store: SampleStore, _ selection: ExportSelection = ExportSelection(),
        as name: String = "plain.sqlite"
    ) throws -> DatabaseQueue {
        let path = folder.path + "/" + name
        let database = try ExportDatabase(at: path, .samples, calendar)
        try database.write(characteristics: store.characteristics())
        try store.forEachExportedBatch(selection, of: 7, routes: .inline) { try database.write($0) }
        try database.close()
        return try DatabaseQueue(path: path)
    }

    private func mergedIntervals(of store: SampleStore, _ type: SampleType) throws -> DatabaseQueue
    {
        let path = folder.path + "/merged.sqlite"
        let database = try ExportDatabase(at: path, .mergedIntervals, calendar)
        try store.forEachMergedDay(SampleQuery(type), in: calendar, unit: "count") {
            try database.write($0.intervals, of: type, unit: "count")
        }
        try database.close()
        return try DatabaseQueue(path: path)
    }

    /// Returns the SQL statements in the document, in order.
    private func queries() throws -> [String] {
        return try page().components(separatedBy: "```sql\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }

    @Test("every sample is a row, with the same words as a line of JSON")
    func rows() throws {
        let store = try person(11)
        let database = try samples(of: store)
        let lines = SampleLines(.jsonLines, calendar)
        var expected: [[String: Any]] = []
        try store.forEachExportedBatch(ExportSelection()) { exported in
            for line in lines.text(exported).split(separator: "\n") {
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                expected.append(try #require(object as? [String: Any]))
            }
        }
        let rows = try database.read {
            try Row.fetchAll($0, sql: "SELECT * FROM sample ORDER BY id")
        }
        #expect(rows.count == expected.count && rows.count > 50)
        let names = [
            "uuid": "uuid", "type": "type", "start_date": "start", "end_date": "end",
            "value_name": "valueName", "unit": "unit", "source": "source",
            "bundle_identifier": "bundleIdentifier", "source_version": "sourceVersion",
            "created_date": "created",
        ]
        for (row, line) in zip(rows, expected) {
            for (column, key) in names {
                #expect(row[column] as String? == line[key] as? String, "\(column)")
            }
            #expect(row["value"] as Double? == line["value"] as? Double)
            for column in ["metadata", "device"] {
                let text: String? = row[column == "device" ? "device_json" : column]
                let object = try text.map {
                    try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary
                }
                #expect((object ?? nil) == line[column] as? NSDictionary)
            }
            let start = try calendar.time(row["start_date"])
            #expect(row["start_unix"] as Double == start + 978_307_200)
        }
    }

    @Test(
        "workouts have their totals, parts and every point of their routes; rings and members are there"
    )
    func parts() throws {
        let store = try person(12)
        let database = try samples(of: store)
        var (points, routes, workouts, members) = (0, 0, 0, 0)
        try store.forEachExportedBatch(ExportSelection(), routes: .inline) { exported in
            members += exported.members.values.map(\.count).reduce(0, +)
            for case .workout(let workout) in exported.batch.details.values {
                workouts += 1
                routes += workout.routes.count
                points += workout.routes.map(\.points.count).reduce(0, +)
            }
        }
        func number(_ sql: String) throws -> Int {
            try database.read { try Int.fetchOne($0, sql: sql) } ?? -1
        }
        #expect(points > 0 && members >= 6)
        #expect(try number("SELECT count(*) FROM workout WHERE distance = 8.25") == workouts)
        #expect(try number("SELECT sum(routes) FROM workout") == routes)
        #expect(try number("SELECT count(*) FROM route_point") == points)
        #expect(try number("SELECT sum(points) FROM route") == points)
        #expect(try number("SELECT count(*) FROM member") == members)
        #expect(try number("SELECT count(*) FROM activity_summary") == 3)
        #expect(try number("SELECT count(*) FROM workout_event WHERE type = 'pause'") == workouts)
        #expect(try number("SELECT count(*) FROM workout_statistics") == workouts)
        let told = "SELECT count(*) FROM sample WHERE detail LIKE '%latitude%'"
        #expect(try number(told) == 0)
        let born = try database.read {
            try String.fetchOne(
                $0, sql: "SELECT value FROM characteristic WHERE identifier LIKE '%DateOfBirth'")
        }
        #expect(born == "1980-03-01")
    }

    @Test(
        "the page's queries run: each day's stretches are the statistics, routes and pressures are found"
    )
    func examples() throws {
        let queries = try queries()
        try #require(queries.count == 3)
        let store = try person(13)
        let steps = try store.type(named: "stepCount")
        let summary = try #require(try store.types().first { $0.type == steps })
        let days = try calendar.edges(from: summary.first, to: summary.last.nextUp, by: .day)
        let sums = try store.statistics(SampleQuery(steps), over: days).buckets.compactMap {
            $0.merged.sum
        }.filter { $0 > 0 }
        let merged = try mergedIntervals(of: store, steps).read {
            try Row.fetchAll($0, sql: queries[0])
        }
        #expect(merged.count == sums.count && sums.count > 1)
        for (row, sum) in zip(merged, sums) {
            #expect(abs((row["steps"] as Double) - sum) < 1e-9 * sum)
            #expect((row["counted_from"] as String).isEmpty == false)
        }
        let database = try samples(of: store)
        let routes = try database.read { try Row.fetchAll($0, sql: queries[1]) }
        let withPoints = try database.read {
            try Int.fetchOne(
                $0, sql: "SELECT count(DISTINCT workout_uuid) FROM route WHERE points > 0")
        }
        #expect(routes.count == withPoints && !routes.isEmpty)
        #expect(routes.allSatisfy { ($0["highest"] as Double) >= 500 })
        let pressures = try database.read { try Row.fetchAll($0, sql: queries[2]) }
        #expect(pressures.count == 3)
        #expect(pressures.allSatisfy { $0["systolic"] == 120.0 && $0["diastolic"] == 80.0 })
    }

    private func page() throws -> String {
        try String(
            contentsOf: ProjectFiles.tests.deletingLastPathComponent()
                .appendingPathComponent("Documentation/ExportSchema.md"), encoding: .utf8)
    }

    @Test("the page names every table and every column, and none that isn't there")
    func columns() throws {
        let page = try page()
        var written: [String: Set<String>] = [:]
        var table = ""
        for line in page.split(separator: "\n") {
            if line.hasPrefix("### `") { table = String(line.dropFirst(5).prefix { $0 != "`" }) }
            if line.hasPrefix("## ") { table = "" }
            if !table.isEmpty, line.hasPrefix("| `") {
                written[table, default: []].insert(String(line.dropFirst(3).prefix { $0 != "`" }))
            }
        }
        let store = try person(14)
        let steps = try store.type(named: "stepCount")
        var there: [String: Set<String>] = [:]
        for database in [try samples(of: store), try mergedIntervals(of: store, steps)] {
            try database.read { db in
                for name in try String.fetchAll(
                    db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
                {
                    there[name, default: []].formUnion(try db.columns(in: name).map(\.name))
                }
            }
        }
        #expect(written == there)
    }

    @Test("a range and a type narrow the rows; equal stores give equal tables")
    func narrowed() throws {
        let store = try person(15)
        let steps = try store.type(named: "stepCount")
        let summary = try #require(try store.types().first { $0.type == steps })
        let middle = (summary.first + summary.last) / 2
        let part = ExportSelection(types: [steps], from: middle)
        let expected = try store.samples(SampleQuery(steps, from: middle)).samples.count
        let few = try samples(of: store, part).read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM sample")
        }
        #expect(few == expected && expected < summary.samples && expected > 0)
        let databases = [try samples(of: store, as: "a"), try samples(of: store, as: "b")]
        let contents = try databases.map { database in
            try database.read { db in
                try ["sample", "route", "route_point", "member"].map {
                    try Row.fetchAll(db, sql: "SELECT * FROM \($0)")
                }
            }
        }
        #expect(contents[0] == contents[1])
    }

    @Test("notes on days are rows of a table and lines of JSON, and a range narrows them")
    func notes() throws {
        let store = try SampleStore(at: folder.path + "/noted.sqlite", access: .creating)
        try store.setDayNote("Ran a \"fever\"\nall day", on: CivilDate(2024, 3, 10), now: 0.25)
        try store.setDayNote("Well again", on: CivilDate(2024, 3, 11), now: 60)
        let path = folder.path + "/plain.sqlite"
        let database = try ExportDatabase(at: path, .samples, calendar)
        try store.forEachExportedDayNotes(ExportSelection(in: calendar), of: 1) {
            #expect($0.count == 1)
            try database.write(dayNotes: $0)
        }
        try database.close()
        let rows = try DatabaseQueue(path: path).read {
            try Row.fetchAll($0, sql: "SELECT * FROM day_note ORDER BY day")
        }
        #expect(rows.map { $0["day"] as String } == ["2024-03-10", "2024-03-11"])
        let first = try #require(rows.first)
        #expect(first["text"] as String == "Ran a \"fever\"\nall day")
        #expect(first["modified_date"] as String == "2001-01-01T01:00:00.250+01:00")
        #expect(first["modified_unix"] as Double == 978_307_200.25)
        func days(_ selection: ExportSelection) throws -> [String] {
            var days: [String] = []
            try store.forEachExportedDayNotes(selection) { days += $0.map(\.day.description) }
            return days
        }
        let (tenth, eleventh) = (try calendar.time("2024-03-10"), try calendar.time("2024-03-11"))
        #expect(try days(ExportSelection(from: eleventh, in: calendar)) == ["2024-03-11"])
        #expect(try days(ExportSelection(to: eleventh, in: calendar)) == ["2024-03-10"])
        #expect(try days(ExportSelection(from: tenth + 9, to: tenth + 10, in: calendar)).count == 1)
        #expect(try days(ExportSelection(from: tenth, to: tenth, in: calendar)) == [])
        let steps = try #require(Catalogue.type(named: "stepCount"))
        #expect(try days(ExportSelection(types: [steps], in: calendar)) == [])
        let lines = SampleLines(.jsonLines, calendar)
        let day = CivilDate(2024, 3, 11)
        #expect(
            try lines.text(dayNotes: store.dayNotes(day...day))
                == #"{"type":"dayNote","day":"2024-03-11","text":"Well again","#
                + #""modified":"2001-01-01T01:01:00+01:00"}"# + "\n")
        #expect(try SampleLines(.csv, calendar).text(dayNotes: store.dayNotes(day...day)) == "")
    }

    @Test("what can't be written is said with the file's name")
    func full() throws {
        let store = try person(16)
        let database = try ExportDatabase(at: folder.path + "/x.sqlite", .samples, calendar)
        // A missing table simulates any failure during the export.
        let other = try DatabaseQueue(path: folder.path + "/x.sqlite")
        try other.write { try $0.execute(sql: "DROP TABLE sample") }
        #expect {
            try store.forEachExportedBatch(ExportSelection()) { try database.write($0) }
        } throws: {
            ($0 as? StoreError)?.description.contains("x.sqlite can't be written") == true
        }
    }
}
