import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@testable import HealthSync

@Suite("export to JSON Lines and CSV")
struct MirrorExportTests {
    @Test("each entry and attachment is a JSON object on a line, and photos are copied")
    func jsonLines() async throws {
        let folder = try MirrorFolder()
        let mirror = try folder.mirror()
        let sample = TestSample(value: 82.4, sync: "s")
        try await mirror.receive([sample, TestSample(type: .stepCount)])
        try await mirror.attach(.note("two\nlines"), to: sample.uuid)
        let photo = try await mirror.storePhoto(Data([1, 2, 3]), named: "a.jpg")
        try await mirror.attach(.photo(photo), to: sample.uuid)
        let export = try await mirror.export(
            to: folder.url.appendingPathComponent("out"), as: .jsonLines)
        #expect(export.entryCount == 2 && export.attachmentCount == 2)
        let lines = try String(contentsOf: export.entries, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2)
        let first = try #require(lines.first)
        #expect(first.contains(#""content":{"unit":"kg","value":82.4"#))
        #expect(first.contains(#""start":"2023-03-08T20:26:40.000Z""#))
        #expect(first.contains(sample.uuid.uuidString))
        let notes = try String(contentsOf: export.attachments, encoding: .utf8)
        #expect(notes.contains(#"{"note":"two\nlines"}"#))
        let photos = try #require(export.photos)
        let copy = photos.appendingPathComponent(photo.digest)
        #expect(try Data(contentsOf: copy) == Data([1, 2, 3]))
        let mode = try FileManager.default.attributesOfItem(atPath: export.entries.path)
        #expect(mode[.posixPermissions] as? Int == 0o600)
    }

    @Test("CSV quotes what needs quotes, and doubles them")
    func csv() async throws {
        let folder = try MirrorFolder()
        let mirror = try folder.mirror()
        let sample = TestSample(value: 82.4, device: #"7" scale, "big""#)
        try await mirror.receive([sample])
        try await mirror.attach(.note("a,b\r\n\"c\""), to: sample.uuid)
        let export = try await mirror.export(to: folder.url, as: .csv)
        let entries = try String(contentsOf: export.entries, encoding: .utf8)
        #expect(
            entries == """
                id,type,start,end,value,unit,category,workout,source,bundle,device,\
                sync_identifier,sync_version,state,metadata
                \(sample.uuid.uuidString),HKQuantityTypeIdentifierBodyMass,\
                2023-03-08T20:26:40.000Z,2023-03-08T20:26:40.000Z,82.4,kg,,,Scale,\
                com.example.scale,"7"" scale, ""big""\",,,synced,

                """)
        let attachments = try String(contentsOf: export.attachments, encoding: .utf8)
        #expect(attachments.contains("note,,\"a,b\r\n\"\"c\"\"\",,,,"))
        #expect(export.photos == nil)
    }
}
