import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthArchive

@Suite("Clinical records of an export as samples")
struct ClinicalRecordImportTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private struct Record {
        var type = "Observation"
        var id: String
        var date = "2026-05-28 08:00:00 +0200"
        var source = "Hospital"
        var file: String?
        /// The contents of the file; nil if the export lacks it.
        var json: String?

        var name: String { file ?? "\(type)-\(id).json" }
        var element: String {
            "<ClinicalRecord type=\"\(type)\" identifier=\"\(id)\" sourceName=\"\(source)\" "
                + "sourceURL=\"https://example.com/\(id)\" fhirVersion=\"4.0.1\" "
                + "receivedDate=\"\(date)\" resourceFilePath=\"/clinical-records/\(name)\"/>"
        }
    }

    private static func laboratory(_ name: String, _ value: String = "1") -> String {
        "{\"resourceType\":\"Observation\",\"category\":[{\"coding\":[{\"code\":\"laboratory\"}]}],"
            + "\"code\":{\"text\":\"\(name)\"},\"valueString\":\"\(value)\"}\n"
    }

    private func importExport(
        _ records: [Record], day: Int = 1, into store: String? = nil, bare: Bool = false
    ) throws -> ImportReport {
        let xml =
            "<HealthData><ExportDate value=\"2026-06-0\(day) 10:00:00 +0200\"/>"
            + records.map(\.element).joined(separator: "\n") + "</HealthData>"
        let file: String
        if bare {
            file = try folder.write("export-\(day).xml", Array(xml.utf8))
        } else {
            var entries = [CraftedZip.Entry("apple_health_export/export.xml", xml)]
            for record in records {
                guard let json = record.json else { continue }
                entries.append(.init("apple_health_export/clinical-records/\(record.name)", json))
            }
            file = try folder.write("export-\(day).zip", CraftedZip(entries).bytes)
        }
        return try ExportImporter(
            path: file, store: store ?? path, timeZone: "Europe/Berlin", systemTimeZone: "UTC",
            now: Double(day)
        ).run()
    }

    /// The samples as text, with their UUIDs and resources, in order.
    private func contents(of store: String? = nil) throws -> [String] {
        let store = try SampleStore(at: store ?? path, access: .reading)
        #expect(try store.check().isEmpty)
        var lines: [String] = []
        try store.forEachExportedBatch(ExportSelection()) { exported in
            for (index, sample) in exported.batch.samples.enumerated() {
                guard case .clinicalRecord(let record) = exported.batch.details[index] else {
                    continue
                }
                let source = exported.batch.source(of: sample).name
                lines.append(
                    "\(exported.uuids[index]) \(exported.type.name) \(sample.start) \(sample.end) "
                        + "\(source) \(record)")
            }
        }
        return lines
    }

    private func names() throws -> [String] {
        try contents().map { line in
            let parts = line.split(separator: "displayName: \"")
            return String(parts.last?.split(separator: "\"").first ?? "")
        }.sorted()
    }

    @Test("records become samples with the bytes of their files, which aren't kept apart")
    func records() throws {
        let report = try importExport([
            Record(id: "1", json: Self.laboratory("Hemoglobin")),
            Record(id: "2", json: Self.laboratory("Ferritin")),
            Record(
                type: "HKClinicalTypeIdentifierVitalSignRecord", id: "3",
                json: "{\"resourceType\":\"Observation\",\"code\":{}}"),
        ])
        #expect(report.files.clinicalRecords == 3 && report.outcome.records.new == 3)
        #expect(report.files.unreadClinicalRecords.isEmpty && report.files.new.isEmpty)
        #expect(report.untyped.isEmpty && report.companions.isEmpty)
        #expect(try names() == ["Ferritin", "Hemoglobin", "Observation"])
        #expect(try contents().filter { $0.contains(" vitalSignRecord ") }.count == 1)
        let store = try SampleStore(at: path, access: .reading)
        var resources: Set<String> = []
        try store.forEachExportedBatch(ExportSelection()) { exported in
            for case .clinicalRecord(let record) in exported.batch.details.values {
                resources.insert(record.resource)
                #expect(record.sourceURL == "https://example.com/\(record.identifier)")
            }
        }
        #expect(resources.contains(Self.laboratory("Hemoglobin")))
        #expect(Set(try contents().map { $0.prefix(36) }).count == 3)
    }

    @Test("the same export again changes nothing; the next month's changes only its changes")
    func again() throws {
        let records = (0..<50).map {
            Record(id: "\($0)", json: Self.laboratory("Value \($0)"))
        }
        _ = try importExport(records)
        let before = try contents()
        let again = try importExport(records.reversed(), day: 2)
        #expect(again.outcome.records.unchanged == 50 && again.outcome.records.new == 0)
        #expect(try contents() == before)
        var next = records
        next[7].json = Self.laboratory("Value 7", "corrected")
        next.remove(at: 20)
        next.insert(Record(id: "new", json: Self.laboratory("New")), at: 3)
        let report = try importExport(next, day: 3)
        let tally = report.outcome.records
        #expect(tally.new == 1 && tally.changed == 1 && tally.unchanged == 48)
        #expect(report.outcome.vanished == 1)
        let after = try contents()
        #expect(Set(after).intersection(before).count == 48)
        // The corrected record keeps its UUID.
        let kept = Set(after.map { $0.prefix(36) }).intersection(before.map { $0.prefix(36) })
        #expect(kept.count == 49)
    }

    @Test("a bare export.xml finds the resources that an earlier import stored")
    func bare() throws {
        let records = [Record(id: "1", json: Self.laboratory("Hemoglobin"))]
        _ = try importExport(records)
        let before = try contents()
        let report = try importExport(records, day: 2, bare: true)
        #expect(report.outcome.records.unchanged == 1 && report.outcome.vanished == 0)
        #expect(try contents() == before)
        let first = folder.path + "/first.sqlite"
        let unread = try importExport(records, into: first, bare: true)
        #expect(unread.files.unreadClinicalRecords == ["the file is missing": 1])
        #expect(unread.untyped == ["ClinicalRecord": 1])
        let complete = try importExport(records, day: 3, into: first)
        #expect(complete.files.clinicalRecords == 1)
    }

    @Test("a store of an earlier version, which kept files apart, finds them there")
    func keptFiles() throws {
        // A record without its element is such a file.
        var orphan = Record(id: "1", json: Self.laboratory("Hemoglobin"))
        _ = try importExport([])
        let zip = try folder.write(
            "orphan.zip",
            CraftedZip([
                .init(
                    "apple_health_export/export.xml",
                    "<HealthData><ExportDate value=\"2026-06-02 10:00:00 +0200\"/></HealthData>"),
                .init("apple_health_export/clinical-records/\(orphan.name)", orphan.json ?? ""),
            ]).bytes)
        let report = try ExportImporter(
            path: zip, store: path, timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 2
        ).run()
        #expect(report.files.new == ["clinicalRecord": 1])
        orphan.json = nil
        #expect(try importExport([orphan], day: 3).files.clinicalRecords == 1)
        #expect(try names() == ["Hemoglobin"])
    }

    @Test("what can't be known stays text, and its file a file; both are counted and exported")
    func unknown() throws {
        let deep = String(repeating: "[", count: 100_000)
        let cases: [(Record, String)] = [
            (Record(id: "1", json: "{\"resourceType\":\"Observation\"}"), "no clinical type"),
            (
                Record(type: "Encounter", id: "2", json: "{\"resourceType\":\"Encounter\"}"),
                "no clinical type"
            ),
            (
                Record(type: "Condition", id: "3", json: Self.laboratory("x")),
                "another resource type"
            ),
            (Record(id: "4", json: deep), "not a FHIR resource"),
            (Record(id: "5", json: "{\"resourceType\":"), "not a FHIR resource"),
            (Record(id: "6", json: "[1]"), "not a FHIR resource"),
            (Record(id: "7", json: "{\"resourceType\":7}"), "not a FHIR resource"),
            (Record(id: "8", date: "yesterday", json: Self.laboratory("x")), "received date"),
            (Record(id: "", file: "a.json", json: Self.laboratory("x")), "identifier"),
            (
                Record(
                    id: "10",
                    json: Self.laboratory(String(repeating: "x", count: 4 << 20))), "larger"
            ),
            (Record(id: "11", json: "{\"resourceType\":\"Observation\\u0000\"}\0"), "not a FHIR"),
        ]
        for (record, reason) in cases {
            let store = folder.path + "/\(record.id)-unknown.sqlite"
            let report = try importExport([record], into: store)
            let reasons = report.files.unreadClinicalRecords
            #expect(reasons.keys.first?.contains(reason) == true, "\(record.id)")
            #expect(reasons.values.reduce(0, +) == 1)
            #expect(report.untyped == ["ClinicalRecord": 1])
            #expect(report.files.new == ["clinicalRecord": 1])
            let reading = try SampleStore(at: store, access: .reading)
            var elements = 0
            try reading.forEachRawElement { element in
                elements += 1
                #expect(element.xml == record.element)
            }
            #expect(elements == 1)
            #expect(try reading.check().isEmpty)
        }
    }

    @Test("a file belongs to one record")
    func sharedFile() throws {
        let report = try importExport([
            Record(id: "1", json: Self.laboratory("x")),
            Record(id: "2", file: "Observation-1.json"),
        ])
        #expect(report.files.clinicalRecords == 1)
        #expect(
            report.files.unreadClinicalRecords == ["the file belongs to another record": 1])
    }

    @Test("an element with contents or unknown attributes is kept as text too")
    func furtherContents() throws {
        let element = Record(id: "1").element
        let xml =
            "<HealthData>" + element.replacing("/>", with: "></ClinicalRecord>")
            + Record(id: "2").element.replacing("/>", with: "><Note/></ClinicalRecord>")
            + Record(id: "3").element.replacing("/>", with: " mood=\"good\"/>") + "</HealthData>"
        var entries = [CraftedZip.Entry("apple_health_export/export.xml", xml)]
        for id in 1...3 {
            entries.append(
                .init(
                    "apple_health_export/clinical-records/Observation-\(id).json",
                    Self.laboratory("\(id)")))
        }
        let report = try ExportImporter(
            path: folder.write("export.zip", CraftedZip(entries).bytes), store: path,
            timeZone: "Europe/Berlin", systemTimeZone: "UTC", now: 0
        ).run()
        #expect(report.files.clinicalRecords == 2 && report.untyped == ["ClinicalRecord": 1])
        #expect(report.unknownAttributes == ["ClinicalRecord.mood": 1])
        #expect(report.files.new == ["clinicalRecord": 1])
    }

    @Test("an undo brings back what the import changed, removed and added")
    func undo() throws {
        let first = [
            Record(id: "1", json: Self.laboratory("One")),
            Record(id: "2", json: Self.laboratory("Two")),
        ]
        _ = try importExport(first)
        let before = try contents()
        var second = [first[0], Record(id: "3", json: Self.laboratory("Three"))]
        second[0].json = Self.laboratory("One", "corrected")
        _ = try importExport(second, day: 2)
        #expect(try contents() != before)
        let store = try SampleStore(at: path, access: .writing)
        _ = try store.undoImport(2)
        #expect(try contents() == before)
        _ = try store.undoImport(1)
        #expect(try contents().isEmpty)
    }

    @Test("a renamed provider keeps its records")
    func renamed() throws {
        let records = (0..<12).map {
            Record(
                id: "\($0)", date: "2026-05-\(10 + $0) 08:00:00 +0200",
                json: Self.laboratory("Value \($0)"))
        }
        _ = try importExport(records)
        let before = try contents().map { $0.prefix(36) }
        var renamed = records
        for index in renamed.indices { renamed[index].source = "Hospital and Clinic" }
        _ = try importExport(renamed, day: 2)
        let after = try contents().map { $0.prefix(36) }
        #expect(after.count == 12)
        #expect(before == after)
    }
}
