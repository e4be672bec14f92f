import Foundation
import GRDB
import HealthCalendar
import HealthEngine
import HealthIntake
import HealthTesting
import Testing

@testable import HealthArchive
@testable import HealthStorage

@Suite("Attachments in exports and imports")
struct ExportedAttachmentsTests {
    private static let app = "com.example.scanner"
    private let folder: TemporaryFolder
    private let store: SampleStore
    private let sample = SampleUUID(high: 0x1111_4000, low: 0x8000_0000_0000_0001)

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore(at: folder.path + "/health.sqlite", access: .creating)
        let type = try #require(Catalogue.type(named: "bodyMass"))
        let batch = SampleBatch(
            samples: [
                Sample(type: type.code, origin: 0, start: 700_000_000, end: 700_000_000, value: 70)
            ],
            sources: [Source(name: "Scanner", bundleIdentifier: Self.app)],
            origins: [Origin(source: 0, unit: "kg")])
        try store.save(batch, uuids: [sample], at: 700_000_000)
    }

    private func attach(_ number: UInt64, _ name: String, _ bytes: [UInt8]) throws {
        let new = StoredAttachment(
            identifier: SampleUUID(high: 0x2222_4000, low: 0x8000_0000_0000_0000 | number),
            name: name, contentType: "com.adobe.pdf", size: 0, created: 700_000_100,
            metadata: ["pages": .number(2)])
        let staging = try store.stageAttachment(new, on: sample, by: Self.app, at: 700_000_100)
        try bytes.withUnsafeBytes { try staging.append($0, at: 700_000_100) }
        try staging.publish()
    }

    @Test("an export in Apple's format has each file under its identifier, and counts what is lost")
    func appleFormat() throws {
        let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 5) }
        try attach(1, "../left: 1.pdf", bytes)
        try attach(2, "empty", [])
        let path = folder.path + "/export.zip"
        let tally = try StoreExport(store, madeAt: 800_000_000, offset: 0)
            .write(ExportSelection(), to: path)
        #expect(tally.files == 2 && tally.losses[.unnamedAttachments] == 2)
        // Read by another program, and imported.
        let listing = try Python.run(
            """
            import hashlib, sys, zipfile
            with zipfile.ZipFile(sys.argv[1]) as archive:
                for name in archive.namelist():
                    if 'attachments/' in name:
                        print(name, hashlib.sha256(archive.read(name)).hexdigest())
            """, [path])
        let sum = try ProgramRun(
            "/usr/bin/env", ["sha256sum", folder.write("expected", bytes)]
        ).output.prefix(64)
        let root = "apple_health_export/attachments/"
        #expect(
            listing.split(separator: "\n").map(String.init) == [
                root + "00000000-2222-4000-8000-000000000001/left_ 1.pdf \(sum)",
                root + "00000000-2222-4000-8000-000000000002/empty "
                    + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            ])
        let report = try ExportImporter(
            path: path, store: folder.path + "/copy.sqlite", timeZone: "UTC", systemTimeZone: "UTC",
            now: 0
        ).run()
        #expect(report.files.new == ["attachment": 2])
        #expect(report.files.unnamedAttachments == 2)
        var kept: [Int] = []
        let copy = try SampleStore(at: folder.path + "/copy.sqlite", access: .reading)
        try copy.forEachImportedFile { kept.append($0.content.count) }
        #expect(kept == [600_000, 0])
        let paths = ["00000000-2222-4000-8000-000000000001/left_ 1.pdf"]
        #expect(
            AttachmentFileIndex(paths.map { "attachments/" + $0 })
                .index(of: "00000000-2222-4000-8000-000000000001") == 0)
    }

    @Test("identifiers of a sample find the kept files, of the newest import, with their bytes")
    func namedFiles() throws {
        let chunk = StoredAttachment.chunkSize
        let bytes = (0..<(2 * chunk + 5)).map { UInt8(truncatingIfNeeded: $0 / 9) }
        let xml = "<HealthData><ExportDate value=\"2026-06-01 10:00:00 +0200\"/></HealthData>"
        for content in [[1], bytes] {
            let zip = CraftedZip([
                .init("apple_health_export/export.xml", xml),
                .init(
                    "apple_health_export/attachments/A1.pdf",
                    String(decoding: [UInt8](repeating: 65, count: content.count), as: UTF8.self)),
            ])
            _ = try ExportImporter(
                path: folder.write("x.zip", zip.bytes), store: folder.path + "/named.sqlite",
                timeZone: "UTC", systemTimeZone: "UTC", now: 0
            ).run()
        }
        let named = try SampleStore(at: folder.path + "/named.sqlite", access: .reading)
        try named.read { db in
            let found = try ExportedAttachments.matches(["none", "a1", ""], start: 7, db)
            #expect(
                found.map(\.attachment) == [
                    StoredAttachment(
                        identifier: SampleUUID(exportedAttachment: "a1"), name: "A1.pdf",
                        contentType: nil, size: Int64(bytes.count), created: 7,
                        exportedIdentifier: "a1")
                ])
            let file = try #require(found.first?.file)
            let lengths = try (-1...3).map {
                try ExportedAttachments.chunk($0, ofFile: file, db)?.count
            }
            #expect(lengths == [nil, chunk, chunk, 5, nil])
            let last = try ExportedAttachments.chunk(2, ofFile: file, db)
            #expect(last == Data(repeating: 65, count: 5))
        }
    }

    @Test("JSON lines have the facts of attachments, and an import counts them")
    func jsonLines() throws {
        try attach(1, "Scan", [1, 2, 3])
        let lines = SampleLines(.jsonLines, CalendarBuckets(timeZone: .gmt))
        var text = ""
        try store.forEachExportedBatch(ExportSelection()) { text += lines.text($0) }
        #expect(
            text.contains(
                #""attachments":[{"identifier":"00000000-2222-4000-8000-000000000001","#
                    + #""name":"Scan","contentType":"com.adobe.pdf","size":3,"#
                    + #""created":"2023-03-08T20:28:20+00:00","metadata":{"pages":2}}]"#))
        let path = try folder.write("health.jsonl", text)
        let other = folder.path + "/lines.sqlite"
        let report = try JSONLinesImporter(path: path, store: other, now: 0).run()
        #expect(report.attachments == 1 && report.new == 1 && report.rejected == 0)
        let copy = try SampleStore(at: other, access: .reading)
        #expect(try copy.attachments(of: sample) == [])
        let csv = SampleLines(.csv, CalendarBuckets(timeZone: .gmt))
        try store.forEachExportedBatch(ExportSelection()) {
            #expect(!csv.text($0).contains("Scan\""))
        }
        // Without attachments nothing is added to a line.
        try store.removeAttachment(
            SampleUUID(high: 0x2222_4000, low: 0x8000_0000_0000_0001), from: sample, by: Self.app)
        try store.forEachExportedBatch(ExportSelection()) {
            #expect(!lines.text($0).contains("attachments"))
        }
    }

    @Test("a prescription of an export has its file, also after another export and import")
    func prescription() throws {
        let xml = """
            <HealthData><ExportDate value="2026-06-01 10:00:00 +0200"/>
            <VisionPrescription type="HKVisionPrescriptionTypeIdentifier" \
            dateIssued="2024-05-06 00:00:00 +0100">
              <RightEye sphere="-2.25" sphereUnit="D"/>
              <Attachment identifier="8C6B1A2D-0000-4000-8000-00000000000A"/>
             </VisionPrescription></HealthData>
            """
        let first = CraftedZip([
            .init("apple_health_export/export.xml", xml),
            .init(
                "apple_health_export/attachments/8C6B1A2D-0000-4000-8000-00000000000A.pdf",
                "the scanned sheet"),
        ])
        let path = folder.path + "/prescription.sqlite"
        try expectSheet(try folder.write("first.zip", first.bytes), in: path)
        let next = folder.path + "/next.zip"
        let opened = try SampleStore(at: path, access: .reading)
        _ = try StoreExport(opened, madeAt: 800_000_000, offset: 0)
            .write(ExportSelection(), to: next)
        try expectSheet(next, in: folder.path + "/again.sqlite")
    }

    /// Imports an export and expects its only prescription to have the scanned sheet.
    private func expectSheet(_ zip: String, in path: String) throws {
        let report = try ExportImporter(
            path: zip, store: path, timeZone: "UTC", systemTimeZone: "UTC", now: 0
        ).run()
        #expect(report.outcome.records.new == 1)
        #expect(report.files.unnamedAttachments == 0)
        let opened = try SampleStore(at: path, access: .reading)
        let type = try #require(Catalogue.type(named: "visionPrescription"))
        let found = try opened.objects([SampleRequest(type)])
        let uuid = try #require(found.uuids.first)
        let attachment = try #require(try opened.attachments(of: uuid).first)
        #expect(attachment.exportedIdentifier == "8C6B1A2D-0000-4000-8000-00000000000A")
        let content = try opened.chunk(0, of: attachment, on: uuid)
        #expect(content == Data("the scanned sheet".utf8))
    }
}
