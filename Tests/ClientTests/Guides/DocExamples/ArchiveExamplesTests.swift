import HealthArchive
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

/// The examples in HealthArchive's doc comments.
@Suite struct ArchiveExamplesTests {
    private let temporary: TemporaryFolder
    private var folder: String { temporary.path }
    /// 2024-03-10T09:00:00Z.
    private let now = 731_754_000.0

    init() throws { temporary = try TemporaryFolder() }

    /// Returns a batch of 842 steps that end at a time.
    private func batch(until end: Double) throws -> SampleBatch {
        let steps = try #require(Catalogue.type(named: "stepCount"))
        return SampleBatch(
            samples: [
                Sample(
                    type: steps.code, origin: 0, start: end - 600, end: end, created: end,
                    value: 842)
            ],
            sources: [Source(name: "Watch", bundleIdentifier: "com.example.watch")],
            origins: [Origin(source: 0, version: "1", unit: "count")])
    }

    /// Writes export.zip with 842 steps of a person who was born on a day.
    private func writeExport(at now: Double, born day: String = "1980-01-01") throws {
        let header = ExportHeader(
            locale: "en_US", exportDate: now, offset: 3600,
            characteristics: ["HKCharacteristicTypeIdentifierDateOfBirth": day])
        var archive = try ExportArchive(path: "\(folder)/export.zip", header: header)
        try archive.write(batch(until: now))
        _ = try archive.finish()
    }

    @Test("an import has new records, and none if the file is imported again")
    func importer() throws {
        try writeExport(at: now)
        let importer = ExportImporter(
            path: "\(folder)/export.zip", store: "\(folder)/health.sqlite",
            systemTimeZone: "Europe/Berlin", now: now)
        let report = try importer.run()
        #expect(report.outcome.records.new == 1)
        #expect(try importer.run().outcome.records.new == 0)
    }

    @Test("an export with another date of birth is imported after a confirmation")
    func personMismatch() throws {
        try writeExport(at: now)
        _ = try ExportImporter(
            path: "\(folder)/export.zip", store: "\(folder)/health.sqlite",
            systemTimeZone: "Europe/Berlin", now: now
        ).run()
        try writeExport(at: now + 86_400, born: "1990-05-05")
        var found: [PersonMismatch.Difference] = []
        var new: [Int] = []
        func show(_ report: ImportReport) { new.append(report.outcome.records.new) }

        var importer = ExportImporter(
            path: "\(folder)/export.zip", store: "\(folder)/health.sqlite",
            systemTimeZone: "Europe/Berlin", now: now)
        do {
            show(try importer.run())
        } catch let mismatch as PersonMismatch {
            found = mismatch.differences
            importer.person = .confirmed
            show(try importer.run())
        }
        #expect(found == [.dateOfBirth])
        #expect(new == [1])
    }

    @Test("the export in a zip is found by its content")
    func locator() throws {
        try writeExport(at: now)
        let source = try ExportLocator.locate("\(folder)/export.zip")
        #expect(source.name == "apple_health_export/export.xml")
    }

    @Test("a scanner finds the values of records, and that the file is complete")
    func scanner() throws {
        try writeExport(at: now)
        var values: [String] = []
        let source = try ExportLocator.locate("\(folder)/export.zip")
        var scanner = ElementScanner(reading: try source.open(), name: source.name)
        while let event = try scanner.next() {
            guard case .start(let tag) = event, tag.name.equals("Record") else { continue }
            for attribute in tag.attributes where attribute.name.equals("value") {
                print(attribute.string)
                values.append(attribute.string)
            }
        }
        let ending = scanner.ending
        #expect(ending == .complete)
        #expect(values == ["842"])
    }

    @Test("an archive counts the records that it has written")
    func archive() throws {
        let batches = [try batch(until: now), try batch(until: now + 600)]
        let header = ExportHeader(locale: "en_US", exportDate: now, offset: 3600)
        var archive = try ExportArchive(path: "\(folder)/export.zip", header: header)
        for batch in batches { try archive.write(batch) }
        let tally = try archive.finish()
        #expect(tally.elements["Record"] == 2)
    }

    @Test("a writer passes the document to its sink and counts the records")
    func writer() throws {
        let batches = [try batch(until: now), try batch(until: now + 600)]
        var xml: [UInt8] = []
        let header = ExportHeader(locale: "en_US", exportDate: now, offset: 3600)
        var writer = ExportWriter<Never>(header: header, sink: { xml.append(contentsOf: $0) })
        for batch in batches { writer.write(batch) }
        let tally = writer.finish()
        #expect(tally.elements["Record"] == 2)
        #expect(String(decoding: xml, as: UTF8.self).hasSuffix("</HealthData>\n"))
    }

    @Test("the export of a store counts the samples that lose their own UUID")
    func storeExport() throws {
        let store = try SampleStore.inMemory()
        let uuid = try #require(SampleUUID("6BA7B810-9DAD-41D1-80B4-00C04FD430C8"))
        try store.save(batch(until: now), uuids: [uuid], at: now)
        let export = StoreExport(store, madeAt: now, offset: 3600)
        let tally = try export.write(ExportSelection(), to: "\(folder)/export.zip")
        #expect(tally.losses[.ownUUIDs] == 1)
    }

    @Test("a written zip lists its entries with their sizes")
    func zip() throws {
        let modified = ZipTimestamp(year: 2024, month: 3, day: 10)
        let writer = try ZipWriter(path: "\(folder)/export.zip", modified: modified)
        try writer.begin("apple_health_export/export.xml")
        try writer.write("<HealthData/>")
        try writer.finish()

        let archive = try ZipArchive(path: "\(folder)/export.zip")
        for entry in archive.entries { print(entry.path, entry.byteCount) }
        #expect(archive.entries.map(\.path) == ["apple_health_export/export.xml"])
        #expect(archive.entries.map(\.byteCount) == [13])
    }
}
