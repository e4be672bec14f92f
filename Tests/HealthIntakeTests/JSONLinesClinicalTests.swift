import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthIntake

@Suite("Clinical samples as JSON lines")
struct JSONLinesClinicalTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let record = ClinicalRecord(
        resourceType: "Observation", identifier: "1", fhirVersion: "4.0.1", displayName: "Ä",
        sourceURL: "https://example.com/1", file: "/clinical-records/Observation-1.json",
        resource: "{\"resourceType\":\"Observation\",\n\"note\":\"\\u0041/\u{1F600}\"}\r\n")
    private static let document = ClinicalDocument(
        title: "T", patientName: "P", authorName: "A", custodianName: "C", base64: "AP8=")
    private static let card = VerifiableClinicalRecord(
        recordTypes: ["https://smarthealth.cards#covid19"], issuer: "https://example.com",
        fullName: "F", issued: 6e8, itemNames: ["CVX 207"], sourceType: "SMARTHealthCard",
        data: "a.b.c")

    private func lines(of path: String) throws -> [String] {
        let store = try SampleStore(at: path, access: .reading)
        #expect(try store.check().isEmpty)
        let writer = SampleLines(.jsonLines, CalendarBuckets(timeZone: .gmt))
        var text = ""
        try store.forEachExportedBatch(ExportSelection()) { text += writer.text($0) }
        return text.split(separator: "\n").map(String.init).sorted()
    }

    private func batch(
        _ type: Int32, _ detail: SampleDetail, from source: Source
    ) -> SampleBatch {
        SampleBatch(
            samples: [Sample(type: type, origin: 0, start: 7e8, end: 7e8)], sources: [source],
            origins: [Origin(source: 0)], details: [0: detail])
    }

    @Test("imported records and saved documents are equal after export and import, twice")
    func roundTrip() throws {
        let first = folder.path + "/first.sqlite"
        let hospital = Source(name: "Hospital", bundleIdentifier: "")
        let app = Source(name: "App", bundleIdentifier: "com.example.app")
        let description = SnapshotDescription(file: "export", bytes: 0, importedAt: 0)
        try SampleStore.importSnapshot(into: first, description) { writer, context in
            try context.setHomeZone(HomeZone(identifier: "Europe/Berlin", reason: .specified))
            let type = try writer.type(identifier: "HKClinicalTypeIdentifierLabResultRecord")
            for index in 0..<3 {
                var record = Self.record
                record.identifier = "\(index)"
                try writer.write(batch(type, .clinicalRecord(record), from: hospital))
            }
            _ = try writer.finish(.complete)
            let document = try writer.type(identifier: ClinicalDocument.typeIdentifier)
            let card = try writer.type(identifier: VerifiableClinicalRecord.typeIdentifier)
            _ = try context.save(
                batch(document, .document(Self.document), from: app),
                uuids: [SampleUUID(high: 1, low: 1)], at: 0)
            _ = try context.save(
                batch(card, .verifiableClinicalRecord(Self.card), from: app),
                uuids: [SampleUUID(high: 1, low: 2)], at: 0)
        }
        let before = try lines(of: first)
        #expect(before.count == 5)
        let file = try folder.write("health.jsonl", Array(before.joined(separator: "\n").utf8))
        let second = folder.path + "/second.sqlite"
        for round in 0..<2 {
            let report = try JSONLinesImporter(
                path: file, store: second, timeZone: "Europe/Berlin", now: 1
            ).run()
            #expect(report.new == (round == 0 ? 5 : 0) && report.rejected == 0)
            for (line, other) in zip(try lines(of: second), before) { #expect(line == other) }
            #expect(try lines(of: second).count == before.count)
        }
    }
}
