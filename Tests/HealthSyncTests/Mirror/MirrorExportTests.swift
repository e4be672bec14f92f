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

@Suite("replication of attachments through a folder")
struct MirrorReplicaTests {
    private let folder: MirrorFolder
    private let replica: MirrorReplica
    private let sample = TestSample(value: 82.4375, sync: "s")

    init() throws {
        folder = try MirrorFolder()
        replica = MirrorReplica(folder: folder.url.appendingPathComponent("shared"))
    }

    private func device(_ name: String, now: Double = 0) async throws -> Mirror {
        let moment = TestSample.noon.addingTimeInterval(now)
        return try Mirror(
            at: folder.url.appendingPathComponent(name + ".sqlite"),
            configuration: MirrorConfiguration(now: { moment }))
    }

    @Test("notes and photos reach the other device, on the same sample")
    func received() async throws {
        let (one, two) = (try await device("one"), try await device("two"))
        for mirror in [one, two] { try await mirror.receive([sample]) }
        let note = try await one.attach(.note("hello"), to: sample.uuid)
        let photo = try await one.storePhoto(Data([7]), named: "p")
        let picture = try await one.attach(.photo(photo), to: sample.uuid)
        #expect(try await one.replicate(to: replica).sent == 2)
        #expect(try await two.replicate(to: replica).received == 2)
        #expect(Set(try await two.attachments(of: sample.uuid)) == [note, picture])
        #expect(try Data(contentsOf: two.file(of: photo)) == Data([7]))
        #expect(try await two.replicate(to: replica).received == 0)
    }

    @Test("the later change takes precedence on both devices, also if it is a removal")
    func conflicts() async throws {
        let (one, two) = (try await device("one"), try await device("two", now: 60))
        for mirror in [one, two] { try await mirror.receive([sample]) }
        let note = try await one.attach(.note("first"), to: sample.uuid)
        let doomed = try await one.attach(.note("doomed"), to: sample.uuid)
        for mirror in [one, two] { try await mirror.replicate(to: replica) }
        try await two.changeAttachment(note.id, to: .note("later"))
        try await one.changeAttachment(note.id, to: .note("earlier"))
        try await two.removeAttachment(doomed.id)
        for _ in 0..<2 {
            for mirror in [one, two] { try await mirror.replicate(to: replica) }
        }
        for mirror in [one, two] {
            let contents = try await mirror.attachments(of: sample.uuid).map(\.content)
            #expect(contents == [.note("later")])
        }
        let third = try await device("three", now: 90)
        try await third.receive([sample])
        try await third.replicate(to: replica)
        #expect(
            try await third.attachments(of: sample.uuid).map(\.content) == [.note("later")])
    }

    @Test("an attachment waits unattached for its sample, and finds it by its sync identifier")
    func waiting() async throws {
        let (one, two) = (try await device("one"), try await device("two"))
        try await one.receive([sample])
        let note = try await one.attach(.note("early"), to: sample.uuid)
        try await one.replicate(to: replica)
        try await two.replicate(to: replica)
        #expect(try await two.unattached().map(\.id) == [note.id])
        let other = TestSample(sync: "s", version: 2)
        try await two.receive([other])
        #expect(try await two.attachments(of: other.uuid).map(\.id) == [note.id])
        let third = try await device("three")
        try await third.receive([other])
        try await third.replicate(to: replica)
        #expect(try await third.attachments(of: other.uuid).map(\.id) == [note.id])
    }

    @Test("no type, time or value of a sample is replicated unless requested")
    func privacy() async throws {
        let one = try await device("one")
        try await one.receive([sample])
        try await one.attach(.note("hello"), to: sample.uuid)
        let text = {
            try FileManager.default.contentsOfDirectory(
                at: replica.folder, includingPropertiesForKeys: nil
            ).map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        }
        try await one.replicate(to: replica)
        #expect(try text().contains("hello"))
        #expect(try !text().contains("82.4375") && !text().contains("BodyMass"))
        #expect(try !text().contains("\(sample.start.timeIntervalSinceReferenceDate + 1)"))
        let start = "\"start\""
        #expect(try !text().contains(start))
        try await one.replicate(
            to: MirrorReplica(folder: replica.folder, contents: .appDataAndHealthData))
        #expect(try text().contains("82.4375") && text().contains("BodyMass"))
    }

    @Test("unreadable lines are counted, and missing photos are awaited")
    func damaged() async throws {
        let (one, two) = (try await device("one"), try await device("two"))
        for mirror in [one, two] { try await mirror.receive([sample]) }
        let photo = try await one.storePhoto(Data([9]), named: "p")
        try await one.attach(.photo(photo), to: sample.uuid)
        try await one.replicate(to: replica)
        let shared = replica.photos.appendingPathComponent(photo.digest)
        try Data("half".utf8).write(to: shared)
        try Data("not json\n{\"id\":1}\n".utf8).write(
            to: replica.folder.appendingPathComponent("x" + MirrorReplica.suffix))
        let report = try await two.replicate(to: replica)
        #expect(report.waitingForPhotos == 1 && report.unreadableLines == 2)
        #expect(report.received == 0)
        try Data([9]).write(to: shared)
        #expect(try await two.replicate(to: replica).received == 1)
    }
}
