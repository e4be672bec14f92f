import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

@Suite("Clinical records in an export of a store")
struct ClinicalRecordExportTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private static let element =
        "<ClinicalRecord type=\"Condition\" identifier=\"a&amp;b\" sourceName=\"Clinic &lt;1&gt;\" "
        + "sourceURL=\"https://example.com/a\" fhirVersion=\"1.0.2\" "
        + "receivedDate=\"2026-05-28 08:00:00 +0200\" "
        + "resourceFilePath=\"/clinical-records/Condition-1.json\"/>"
    private static let forced =
        "<ClinicalRecord type=\"HKClinicalTypeIdentifierVitalSignRecord\" identifier=\"2\" "
        + "sourceName=\"Clinic\" sourceURL=\"\" fhirVersion=\"\" "
        + "receivedDate=\"2026-05-28 08:00:00 +0200\" "
        + "resourceFilePath=\"/clinical-records/Observation-2.json\"/>"
    private static let unread =
        "<ClinicalRecord type=\"Encounter\" identifier=\"3\" sourceName=\"Clinic\" "
        + "sourceURL=\"\" fhirVersion=\"\" receivedDate=\"2026-05-28 08:00:00 +0200\" "
        + "resourceFilePath=\"/clinical-records/Encounter-3.json\"/>"

    private static let files = [
        "Condition-1.json":
            "{\"resourceType\":\"Condition\",\n\"code\":{\"text\":\"Ä\\u0041 / \"}}",
        "Observation-2.json": "{\"resourceType\":\"Observation\"}",
        "Encounter-3.json": "{\"resourceType\":\"Encounter\"}",
    ]

    private func run(_ zip: String, into store: String) throws -> ImportReport {
        try ExportImporter(
            path: zip, store: store, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0
        ).run()
    }

    private func contents(of store: String) throws -> (records: [String], raw: [String]) {
        let store = try SampleStore(at: store, access: .reading)
        #expect(try store.check().isEmpty)
        var (records, raw): ([String], [String]) = ([], [])
        try store.forEachExportedBatch(ExportSelection()) { exported in
            for (index, sample) in exported.batch.samples.enumerated() {
                guard case .clinicalRecord(let record) = exported.batch.details[index] else {
                    continue
                }
                records.append(
                    "\(exported.uuids[index]) \(exported.type.name) \(sample.start) "
                        + "\(exported.batch.source(of: sample).name) \(record)")
            }
        }
        try store.forEachRawElement { raw.append($0.xml) }
        try store.forEachImportedFile { raw.append("\($0.name) \($0.content.count)") }
        return (records, raw)
    }

    @Test("has the elements and files, and its import gives equal records and files")
    func roundTrip() throws {
        var entries = [
            CraftedZip.Entry(
                "apple_health_export/export.xml",
                "<HealthData>\(Self.element)\(Self.forced)\(Self.unread)</HealthData>")
        ]
        for (name, text) in Self.files {
            entries.append(.init("apple_health_export/clinical-records/\(name)", text))
        }
        _ = try run(folder.write("export.zip", CraftedZip(entries).bytes), into: path)
        let store = try SampleStore(at: path, access: .reading)
        let zip = folder.path + "/again.zip"
        let tally = try StoreExport(store, madeAt: 802_000_000, offset: 7200)
            .write(ExportSelection(), to: zip)
        #expect(tally.files == 3)
        #expect(tally.samples["HKClinicalTypeIdentifierConditionRecord"] == 1)
        #expect(Set(tally.losses.keys).isSubset(of: [.homeZone]))
        let second = folder.path + "/second.sqlite"
        let report = try run(zip, into: second)
        #expect(report.files.clinicalRecords == 2 && report.outcome.records.new == 2)
        let (before, after) = (try contents(of: path), try contents(of: second))
        #expect(before.records == after.records && before.records.count == 2)
        #expect(before.raw == after.raw && before.raw.count == 2)
        // The export's text is as Apple's.
        let xml = try #require(
            try ExportLocator.locate(zip).text().split(separator: "\n").first {
                $0.contains("Condition-1")
            })
        #expect(xml == " " + Self.element)
    }

    @Test("records of equal file names get new names, and a selection of a type has its files")
    func names() throws {
        let row = try #require(Catalogue.type(named: "conditionRecord"))
        let store = try SampleStore(at: path, access: .creating)
        var batch = SampleBatch(
            sources: [Source(name: "Phone", bundleIdentifier: "com.example")],
            origins: [Origin(source: 0)])
        let files = ["/clinical-records/a.json", "/clinical-records/a.json", "../../b", nil, nil]
        for (index, file) in files.enumerated() {
            batch.samples.append(Sample(type: row.code, origin: 0, start: 7e8, end: 7e8))
            batch.details[index] = .clinicalRecord(
                ClinicalRecord(
                    resourceType: "Condition", identifier: "\(index)", fhirVersion: "4.0.1",
                    displayName: "C", file: file,
                    resource: "{\"resourceType\":\"Condition\",\"id\":\"\(index)\"}"))
        }
        let uuids = files.indices.map { SampleUUID(high: UInt64($0) << 16, low: UInt64($0)) }
        try store.save(batch, uuids: uuids, at: 0)
        let zip = folder.path + "/named.zip"
        let tally = try StoreExport(store, madeAt: 802_000_000, offset: 0)
            .write(ExportSelection(types: [row]), to: zip)
        #expect(tally.files == 5)
        let names = try ExportLocator.locate(zip).companions.map(\.path).sorted()
        #expect(
            names == [
                "clinical-records/Condition.json", "clinical-records/Condition_2.json",
                "clinical-records/a.json", "clinical-records/a_2.json", "clinical-records/b",
            ])
        let report = try run(zip, into: folder.path + "/second.sqlite")
        #expect(report.files.clinicalRecords == 5)
    }
}

extension ExportSource {
    /// The export's XML.
    fileprivate func text() throws -> String {
        let stream = try open()
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
        defer { buffer.deallocate() }
        while case let count = try stream.read(into: buffer), count > 0 {
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
