import HealthEngine
import HealthTesting
import Testing

@testable import HealthArchive

@Suite struct ExportWriterTests {
    private static let steps: Int32 = Catalogue.type(named: "stepCount")?.code ?? -1
    private static let workout: Int32 = Catalogue.type(named: "workout")?.code ?? -1

    private func export(
        _ batch: SampleBatch, offset: Int = 0,
        types: @escaping (Int32) -> SampleType? = { _ in nil }
    ) -> (lines: [String], tally: ExportTally, routes: [String: String]) {
        var bytes: [UInt8] = []
        var routes: [String: String] = [:]
        var writer = ExportWriter<Never>(
            header: ExportHeader(locale: "en_US", exportDate: 0, offset: offset), types: types,
            routes: { routes[$0] = String(decoding: $1, as: UTF8.self) },
            sink: { bytes.append(contentsOf: $0) })
        writer.write(batch)
        let tally = writer.finish()
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        return (Array(lines.drop { !$0.hasPrefix("<HealthData") }), tally, routes)
    }

    private func batch(_ samples: Sample..., name: String = "Pen & <Paper>") -> SampleBatch {
        SampleBatch(
            samples: samples, sources: [Source(name: name, bundleIdentifier: "a")],
            origins: [Origin(source: 0, version: "1", unit: "count")])
    }

    @Test("a record has Apple's attributes in Apple's order")
    func record() {
        let sample = Sample(
            type: Self.steps, origin: 0, start: 60, end: 120.9, created: 180, value: 72)
        let lines = export(batch(sample), offset: -12_600).lines
        #expect(
            lines[3]
                == " <Record type=\"HKQuantityTypeIdentifierStepCount\""
                + " sourceName=\"Pen &amp; &lt;Paper&gt;\" sourceVersion=\"1\" unit=\"count\""
                + " creationDate=\"2000-12-31 20:33:00 -0330\""
                + " startDate=\"2000-12-31 20:31:00 -0330\""
                + " endDate=\"2000-12-31 20:32:00 -0330\" value=\"72\"/>")
    }

    @Test("an export of nothing is a whole document with every characteristic as not set")
    func nothing() {
        let lines = export(SampleBatch()).lines
        #expect(lines.count == 4)
        #expect(lines[1] == " <ExportDate value=\"2001-01-01 00:00:00 +0000\"/>")
        #expect(
            lines[2].contains(
                "HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexNotSet\""))
        #expect(lines[3] == "</HealthData>")
    }

    @Test("characters XML cannot hold become U+FFFD and are counted, line breaks survive")
    func characters() {
        let sample = Sample(type: Self.steps, origin: 0, start: 0, end: 0, value: 1)
        let (lines, tally, _) = export(
            batch(sample, name: "a\u{0B}b\u{0}\n\"c\"\u{FFFE}\u{202F}Ж🏃"))
        #expect(
            lines[3].contains(
                "\"a\u{FFFD}b\u{FFFD}&#10;&quot;c&quot;\u{FFFD}\u{202F}Ж🏃\""))
        #expect(tally.replacedCharacters == 3)
    }

    @Test("samples without a writable date, value or type are left out and counted")
    func leftOut() {
        let nan = Sample(type: Self.steps, origin: 0, start: .nan, end: 1, value: 1)
        let far = Sample(type: Self.steps, origin: 0, start: 0, end: 1e14, value: 1)
        let empty = Sample(type: Self.steps, origin: 0, start: 0, end: 1)
        let strange = Sample(type: 20_007, origin: 0, start: 0, end: 1, value: 1)
        let (lines, tally, _) = export(batch(nan, far, empty, strange))
        #expect(lines.count == 4)
        #expect(tally.unwritable == [Self.steps: 3])
        #expect(tally.unknownTypes == [20_007: 1])
    }

    @Test("a type only the store knows is written by the identifier it gives")
    func storeType() {
        let sample = Sample(type: 20_007, origin: 0, start: 0, end: 1, value: 8)
        let lines = export(batch(sample)) {
            SampleType(code: $0, identifier: "HKDataTypeX", name: "x", kind: .other)
        }.lines
        #expect(lines[3].hasPrefix(" <Record type=\"HKDataTypeX\""))
    }

    @Test("an undetermined end is written in the year it has")
    func undetermined() {
        let sample = Sample(
            type: Self.steps, origin: 0, start: 0, end: Sample.undeterminedEnd, value: 1)
        #expect(export(batch(sample)).lines[3].contains("endDate=\"4001-01-01 00:00:00 +0000\""))
    }

    @Test("a workout's members stand inside it, a correlation's inside and at top level")
    func members() throws {
        let pressure = try #require(Catalogue.type(named: "bloodPressure")?.code)
        var batch = batch(
            Sample(type: Self.steps, origin: 0, start: 0, end: 1, value: 5),
            Sample(type: Self.workout, origin: 0, start: 0, end: 1),
            Sample(type: Self.steps, origin: 0, start: 2, end: 2, value: 6),
            Sample(type: pressure, origin: 0, start: 2, end: 2))
        batch.details = [1: .workout(Workout(activityType: 37, duration: 1861))]
        batch.parents = [0: 1, 2: 3]
        let (lines, tally, _) = export(batch)
        let elements = lines.dropFirst(3).map { $0.prefix { $0 != ">" && $0 != "y" } }
        #expect(
            elements == [
                " <Workout workoutActivit", "  <Record t", " </Workout", " <Record t",
                " <Correlation t", "  <Record t", " </Correlation", "</HealthData",
            ])
        #expect(tally.elements == ["Record": 3, "Workout": 1, "Correlation": 1])
    }

    @Test("two routes of one name get files of two names")
    func routes() {
        let point = RoutePoint(
            time: 0, latitude: 1.5, longitude: -2, altitude: 3, horizontalAccuracy: 4,
            verticalAccuracy: 5, course: -1, speed: 0.1)
        let path = "/workout-routes/route_2024-09-03_7.48pm.gpx"
        var missing = WorkoutRoute(start: 0, end: 1, path: path)
        missing.path = "/workout-routes/gone.gpx"
        let there = WorkoutRoute(start: 0, end: 1, path: path, points: [point])
        let inline = WorkoutRoute(start: 0, end: 1, points: [point])
        var batch = batch(Sample(type: Self.workout, origin: 0, start: 0, end: 1))
        batch.details = [
            0: .workout(Workout(activityType: 37, routes: [there, there, missing, inline]))
        ]
        let (lines, tally, routes) = export(batch)
        let paths = lines.filter { $0.contains("FileReference") }
        #expect(
            paths == [
                "   <FileReference path=\"\(path)\"/>",
                "   <FileReference path=\"/workout-routes/route_2024-09-03_7.48pm_2.gpx\"/>",
                "   <FileReference path=\"/workout-routes/gone.gpx\"/>",
            ])
        #expect(tally.routeFiles.count == 2 && routes.count == 2)
        #expect(lines.count { $0.contains("<Location") } == 1)
        let file = routes["route_2024-09-03_7.48pm.gpx"] ?? ""
        #expect(file.contains("<name>Route 2024-09-03 7:48pm</name>"))
        #expect(
            file.contains(
                "<trkpt lon=\"-2\" lat=\"1.5\"><ele>3</ele><time>2001-01-01T00:00:00Z</time>"))
    }

    @Test("a value the catalogue has no name for is written as a number and counted")
    func unnamed() throws {
        let sleep = try #require(Catalogue.type(named: "sleepAnalysis")?.code)
        let (lines, tally, _) = export(
            batch(
                Sample(type: sleep, origin: 0, start: 0, end: 1, value: 4),
                Sample(type: sleep, origin: 0, start: 0, end: 1, value: 77),
                Sample(type: sleep, origin: 0, start: 0, end: 1)))
        #expect(lines[3].hasSuffix("value=\"HKCategoryValueSleepAnalysisAsleepDeep\"/>"))
        #expect(lines[4].hasSuffix("value=\"77\"/>"))
        #expect(!lines[5].contains("value="))
        #expect(tally.unnamedValues == 1)
    }
}

@Suite struct ExportTextTests {
    private func text(_ write: (inout ExportText) -> Void, offset: Int = 0) -> String {
        var text = ExportText(offset: offset)
        write(&text)
        return String(decoding: text.bytes, as: UTF8.self)
    }

    @Test("a number reads back as the same bits, in the shortest digits")
    func numbers() throws {
        let seed = TestTier.seed(1)
        var generator = SeededRandom(seed: seed)
        var values: [Double] = [
            0, -0.0, 1, -1, 0.1, 0.97, 1e-5, 1e22, Double.leastNonzeroMagnitude,
            1.7976931348623157e308,
            9_007_199_254_740_991, 9_007_199_254_740_992, -72, 1341.73, 100,
        ]
        for _ in 0..<2000 {
            let value = Double(bitPattern: generator.next())
            if value.isFinite { values.append(value) }
        }
        for value in values {
            let digits = text { $0.number(value) }
            #expect(Double(digits)?.bitPattern == value.bitPattern, "\(value), seed \(seed)")
            #expect(
                digits.utf8.count <= value.description.utf8.count, "\(value), seed \(seed)")
        }
        #expect(text { $0.number(72) } == "72")
        #expect(text { $0.number(0.1) } == "0.1")
    }

    @Test(
        "dates are whole seconds in the one offset",
        arguments: [
            (0.0, 0, "2001-01-01 00:00:00 +0000"), (-1, 0, "2000-12-31 23:59:59 +0000"),
            (-0.5, 0, "2000-12-31 23:59:59 +0000"), (0.99, 0, "2001-01-01 00:00:00 +0000"),
            (94_608_000, -18_000, "2003-12-31 19:00:00 -0500"),
            (0, 20_700, "2001-01-01 05:45:00 +0545"), (0, -1_800, "2000-12-31 23:30:00 -0030"),
            (730_857_600, 0, "2024-02-29 00:00:00 +0000"),
        ])
    func dates(seconds: Double, offset: Int, written: String) {
        #expect(text({ $0.date(seconds) }, offset: offset) == written)
    }

    @Test("minutes multiplied by 60 are the seconds again, but for the last bit")
    func minutes() throws {
        for seconds in stride(from: 0.0, through: 20_000, by: 1) {
            let written = text { $0.minutes(seconds) }
            let digits = try #require(written.split(separator: "\"").dropFirst().first)
            let read = try #require(Double(digits)) * 60
            #expect(abs(read - seconds) <= seconds.ulp, "\(seconds)")
        }
        #expect(text { $0.minutes(1890) } == " duration=\"31.5\" durationUnit=\"min\"")
        #expect(text { $0.minutes(nil) } == "")
    }
}
