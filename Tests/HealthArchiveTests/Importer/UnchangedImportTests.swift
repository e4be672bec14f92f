import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

/// A zip that was imported already is recognized as long as importing it again would change
/// nothing.
struct UnchangedImportTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func xml(steps: [Int], date: String = "2024-07-01") -> String {
        let records = steps.enumerated().map { index, value in
            """
            <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
            startDate="2024-06-0\(index + 1) 10:00:00 +0000" \
            endDate="2024-06-0\(index + 1) 10:10:00 +0000" value="\(value)"/>
            """
        }
        return "<HealthData locale=\"en_US\"><ExportDate value=\"\(date) 12:00:00 +0000\"/>\n"
            + records.joined(separator: "\n") + "\n</HealthData>"
    }

    private func zip(_ name: String, _ xml: String) throws -> String {
        let path = folder.path + "/" + name
        let modified = ZipTimestamp(
            year: 2024, month: 7, day: 1, hour: 0, minute: 0, second: 0)
        let writer = try ZipWriter(path: path, modified: modified)
        try writer.begin("apple_health_export/export.xml")
        try writer.write(xml)
        try writer.finish()
        return path
    }

    private func importer(_ path: String, timeZone: String? = nil) -> ExportImporter {
        ExportImporter(
            path: path, store: store, timeZone: timeZone, systemTimeZone: "UTC", now: 7)
    }

    @Test("the zip of the last import is recognized, also under another name")
    func sameFile() throws {
        let path = try zip("export.zip", xml(steps: [100, 200]))
        #expect(try importer(path).unchangedImport() == nil)
        let report = try importer(path).run()
        let found = try #require(try importer(path).unchangedImport())
        #expect(found.number == 1)
        #expect(found.file == "export.zip")
        #expect(found.bytes == report.bytes)
        let copy = try zip("copy.zip", xml(steps: [100, 200]))
        #expect(try importer(copy).unchangedImport()?.number == 1)
    }

    @Test("other content of the same size is not recognized")
    func otherContent() throws {
        _ = try importer(try zip("export.zip", xml(steps: [100, 200]))).run()
        let other = try zip("other.zip", xml(steps: [100, 201]))
        #expect(try importer(other).unchangedImport() == nil)
    }

    @Test("after another import, an undo or a saved sample the zip is read again")
    func changedStore() throws {
        let path = try zip("export.zip", xml(steps: [100, 200]))
        _ = try importer(path).run()
        let next = try zip("next.zip", xml(steps: [100, 200, 300], date: "2024-08-01"))
        _ = try importer(next).run()
        #expect(try importer(path).unchangedImport() == nil)
        #expect(try importer(next).unchangedImport()?.number == 2)

        let opened = try SampleStore(at: store, access: .writing)
        defer { try? opened.close() }
        _ = try opened.undoImport(2)
        #expect(try importer(next).unchangedImport() == nil)

        _ = try importer(path).run()
        #expect(try importer(path).unchangedImport() != nil)
        try opened.save(
            SampleBatch(
                samples: [Sample(type: 37, origin: 0, start: 0, end: 60, value: 9)],
                sources: [Source(name: "App", bundleIdentifier: "com.example.app")],
                origins: [Origin(source: 0, unit: "count")]),
            uuids: [SampleUUID(high: 1, low: 1)], at: 60)
        #expect(try importer(path).unchangedImport() == nil)
    }

    @Test("a folder, an XML file and an import with a time zone are always read")
    func notRecognized() throws {
        let path = try zip("export.zip", xml(steps: [100]))
        _ = try importer(path).run()
        #expect(try importer(path, timeZone: "Europe/Berlin").unchangedImport() == nil)
        let file = folder.path + "/export.xml"
        try Data(xml(steps: [100]).utf8).write(to: URL(fileURLWithPath: file))
        _ = try importer(file).run()
        #expect(try importer(file).unchangedImport() == nil)
    }

    @Test("a zip whose records are cut off is read again")
    func damaged() throws {
        let path = try zip("export.zip", String(xml(steps: [100, 200, 300]).dropLast(60)))
        #expect(try importer(path).run().outcome.kind == .partial)
        #expect(try importer(path).unchangedImport() == nil)
    }
}
