import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

/// The examples in HealthStorage's doc comments: stores, sources, changes and formats.
@Suite struct StorageExamplesTests {
    private let temporary: TemporaryFolder
    private var folder: String { temporary.path }
    /// 2024-03-10, 10:00 in Berlin.
    private let start = 731_754_000.0

    init() throws { temporary = try TemporaryFolder() }

    /// Saves steps of a source, in samples of ten minutes one after another.
    private func save(
        _ values: [Double], of source: String, from start: Double, to store: SampleStore
    ) throws {
        let type = try store.type(named: "stepCount")
        var batch = SampleBatch(
            sources: [Source(name: source, bundleIdentifier: "com.example.\(source)")],
            origins: [Origin(source: 0, version: "1", unit: "count")])
        batch.samples = values.enumerated().map { index, value in
            let begin = start + Double(index) * 600
            return Sample(type: type.code, origin: 0, start: begin, end: begin + 600, value: value)
        }
        let uuids = try values.map { _ in try #require(SampleUUID(UUID().uuidString)) }
        try store.save(batch, uuids: uuids, at: start)
    }

    /// Creates a file with 8,420 steps of a Watch and 3,000 of an iPhone, which overlap for five
    /// minutes. The Watch has the higher priority.
    private func overlappingSteps() throws -> SampleStore {
        let store = try SampleStore(at: "\(folder)/health.sqlite", access: .creating)
        try store.setHomeZone(HomeZone(identifier: "Europe/Berlin", reason: .specified))
        try save([8420], of: "Watch", from: start, to: store)
        try save([3000], of: "iPhone", from: start + 300, to: store)
        try store.setOrder(of: store.type(named: "stepCount"), to: ["Watch", "iPhone"])
        return store
    }

    @Test("the steps of a file are merged by day")
    func days() throws {
        try overlappingSteps().close()
        var sums: [Double?] = []
        let store = try SampleStore(at: "\(folder)/health.sqlite", access: .reading)
        let steps = SampleQuery(try store.type(named: "stepCount"))
        if let extent = try store.extent(of: steps), let zone = try store.homeZone {
            let days = try CalendarBuckets(timeZone: zone.timeZone)
                .edges(from: extent.first, to: extent.last, by: .day)
            let result = try store.statistics(steps, over: days)
            sums = result.buckets.map(\.merged.sum)
        }
        #expect(sums == [9920])
    }

    @Test("several statistics are read from one snapshot")
    func snapshot() throws {
        let store = try overlappingSteps()
        let edges = [start, start + 600, start + 900]
        let types = try ["stepCount", "heartRate"].map { try store.type(named: $0) }
        let days = try store.withReadSnapshot { store in
            try types.map { try store.statistics(SampleQuery($0), over: edges) }
        }
        #expect(days.map(\.type.name) == ["stepCount", "heartRate"])
        #expect(days.flatMap(\.buckets).map(\.merged.sum) == [8420, 1500])
    }

    @Test("a staged file exists at its path after it is committed")
    func stagedFile() throws {
        let file = try StagedFile(at: "\(folder)/steps.csv", over: .nothing)
        try "day,steps\n".write(toFile: file.temporaryPath, atomically: false, encoding: .utf8)
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/steps.csv"))
        try file.commit()
        let text = try String(contentsOfFile: "\(folder)/steps.csv", encoding: .utf8)
        #expect(text == "day,steps\n")
    }

    @Test("a saved sample is not ignored, and gets a sequence number")
    func saving() throws {
        let store = try SampleStore.inMemory()
        let now = start + 600
        let uuid = try #require(SampleUUID("6BA7B810-9DAD-41D1-80B4-00C04FD430C8"))
        let steps = try store.type(named: "stepCount")
        let walk = Sample(type: steps.code, origin: 0, start: now - 600, end: now, value: 842)
        var batch = SampleBatch(samples: [walk])
        batch.sources = [Source(name: "Walks", bundleIdentifier: "com.example.walks")]
        batch.origins = [Origin(source: 0, version: "1.2", unit: "count")]
        let outcome = try store.save(batch, uuids: [uuid], at: now)
        #expect(outcome.ignored.isEmpty)
        #expect(outcome.lastSequence == outcome.firstSequence)
        #expect(try store.storedUUIDs(among: [uuid]) == [uuid])
    }

    @Test("the newest heart rate is the first when sorted by descending start")
    func newest() throws {
        let store = try SampleStore.inMemory()
        let type = try store.type(named: "heartRate")
        var batch = SampleBatch(
            sources: [Source(name: "Watch", bundleIdentifier: "com.example.watch")],
            origins: [Origin(source: 0, unit: "count/min")])
        batch.samples = [71.0, 62].enumerated().map { index, value in
            let time = start + Double(index) * 60
            return Sample(type: type.code, origin: 0, start: time, end: time, value: value)
        }
        let uuids = [
            SampleUUID(high: 1 << 14, low: 1 << 63), SampleUUID(high: 2 << 14, low: 1 << 63),
        ]
        try store.save(batch, uuids: uuids, at: start)
        let heartRate = SampleRequest(try store.type(named: "heartRate"))
        let newest = try store.objects(
            [heartRate], sortedBy: [SampleSort(.start, .descending)], limit: 1)
        #expect(newest.batch.samples.first?.value == 62)
    }

    @Test("changes are read in pages until the last sequence number")
    func changes() throws {
        let store = try SampleStore.inMemory()
        try save(Array(repeating: 1, count: 150), of: "Watch", from: start, to: store)
        var pages: [Int] = []
        let steps = SampleRequest(try store.type(named: "stepCount"))
        var position: Int64 = 0
        repeat {
            let page = try store.changes([steps], after: position, sampleLimit: 100)
            pages.append(page.samples.count)
            position = page.sequence
        } while try position < store.lastSequence
        #expect(pages == [100, 50])
    }

    @Test("an export covers every sample of a store")
    func exportedBatches() throws {
        let store = try overlappingSteps()
        var count = 0
        try store.forEachExportedBatch(ExportSelection()) { count += $0.batch.samples.count }
        #expect(count == 2)
    }

    @Test("a calibration finds the source order that gives the total of a day")
    func calibration() throws {
        let store = try overlappingSteps()
        let berlin = CalendarBuckets(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        let now = start + 86_400
        let steps = try store.type(named: "stepCount")
        let found = try store.calibration(
            of: steps, displayedTotals: [.init(CivilDate(2024, 3, 10), 7210)], in: berlin, now: now)
        #expect(found.best.setting.order.map(\.name) == ["iPhone", "Watch"])
        if let proposal = found.proposal { try store.apply(proposal, to: steps) }
        #expect(try store.sourceOrder(of: steps).map(\.source.name) == ["iPhone", "Watch"])
    }

    @Test("a source order can be tried before it is saved")
    func proposal() throws {
        let store = try overlappingSteps()
        let midnight = start - 36_000
        let steps = try store.type(named: "stepCount")
        let day = SampleQuery(steps, from: midnight, to: midnight + 86_400)
        let phoneFirst = SourceOrderProposal(order: ["iPhone", "Watch"])
        #expect(try store.explanation(of: day, applying: phoneFirst).merged == 7210)
        #expect(try store.explanation(of: day).merged == 9920)
        try store.apply(phoneFirst, to: steps)
        #expect(try store.explanation(of: day).merged == 7210)
    }

    @Test("a row of CSV has quoted commas and no formula")
    func csv() {
        #expect(CSVText.row(["Anna, \"the Watch\"", "12"]) == "\"Anna, \"\"the Watch\"\"\",12\n")
        #expect(CSVText.row(["=cmd()", "-12"]) == "'=cmd(),-12\n")
    }

    @Test("a JSON object keeps the order of its keys and omits nil")
    func json() {
        let text =
            JSONText.object(["sum": .number(0.1), "unit": .string("km"), "end": nil]).text
        #expect(text == #"{"sum":0.1,"unit":"km"}"#)
    }

    @Test("samples are written as lines of CSV below the column names")
    func lines() throws {
        let store = try overlappingSteps()
        let lines = SampleLines(.csv, CalendarBuckets(timeZone: .gmt))
        var text = lines.sampleHeader
        try store.forEachExportedBatch(ExportSelection()) { text += lines.text($0) }
        #expect(text.hasPrefix("type,day,start,end,value,"))
        #expect(text.split(separator: "\n").count == 3)
    }

    @Test("samples are written as an SQLite file of plain tables")
    func plainDatabase() throws {
        let store = try overlappingSteps()
        let calendar = CalendarBuckets(timeZone: .gmt)
        let database = try ExportDatabase(at: "\(folder)/plain.sqlite", .samples, calendar)
        try store.forEachExportedBatch(ExportSelection(), routes: .inline) {
            try database.write($0)
        }
        try database.close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/plain.sqlite"))
        #expect(bytes.starts(with: "SQLite format 3".utf8))
    }
}
