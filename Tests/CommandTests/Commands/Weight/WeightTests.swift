import Foundation
import HealthTesting
import OpenHealthKit
import Testing

/// The weight diary's commands.
@Suite(.inTestAll) struct WeightTests {
    private let diary: Diary

    init() throws { diary = try Diary() }

    @Test("the first command shows the privacy notice and requests its permissions once")
    func promise() throws {
        let first = try diary.run("log", "82.4kg")
        #expect(first.errors.contains("About the weight diary"))
        #expect(first.errors.contains("openhealth grants revoke org.openhealthkit.weight"))
        #expect(first.output.hasPrefix("Saved 82.4 kg on "))
        #expect(try diary.run("log", "82.3kg").errors.isEmpty)
        let rows = try #require(
            try CommandRun(["grants", "--json"], store: diary.path).object?["grants"]
                as? [[String: String]])
        #expect(
            rows == [
                [
                    "app": "org.openhealthkit.weight", "type": "bodyMass", "share": "allowed",
                    "read": "allowed",
                ],
                [
                    "app": "org.openhealthkit.weight", "type": "height", "share": "undecided",
                    "read": "allowed",
                ],
            ])
    }

    @Test("an export's weight in no unit of mass is shown as such and counts for nothing")
    func noMass() throws {
        let folder = try TemporaryFolder()
        let export = folder.path + "/export.xml"
        func record(_ type: String, _ unit: String, _ value: Int) -> String {
            "<Record type=\"HKQuantityTypeIdentifier\(type)\" sourceName=\"P\" unit=\"\(unit)\" "
                + "startDate=\"2024-03-0\(value % 9 + 1) 07:00:00 +0000\" "
                + "endDate=\"2024-03-0\(value % 9 + 1) 07:00:00 +0000\" value=\"\(value)\"/>"
        }
        let records =
            record("BodyMass", "mmHg", 80) + record("BodyMass", "kg", 81)
            + record("Height", "kg", 82)
        try Data(
            "<HealthData><ExportDate value=\"2024-05-01 10:00:00 +0000\"/>\(records)</HealthData>"
                .utf8
        ).write(to: URL(fileURLWithPath: export))
        try #require(CommandRun(["import", export], store: diary.path).status == 0)
        let listed = try diary.run("list")
        #expect(listed.output.contains("not a mass on 9 March 2024 at 07:00, the latest of 2"))
        #expect(listed.output.contains("2024-03-09 07:00     –  P"))
        #expect(listed.output.contains("81.0  P"))
        for words in [
            ["trend"], ["trend", "--json"], ["list", "--json"], ["list", "--unit", "st"],
        ] {
            #expect(try CommandRun(["weight"] + words, store: diary.path).status == 0)
        }
        #expect(try diary.run("log", "82.4kg").output.hasPrefix("Saved 82.4 kg on "))
    }

    @Test(
        "a weight is logged, listed, corrected and removed; its note outlives it until removed too")
    func life() throws {
        let logged = try diary.entry(
            "log", "82.4 kg", "--at", "2024-03-10T07:30", "--note", "feast", "--tag", "a")
        #expect(logged["value"] as? Double == 82.4)
        #expect(logged["unit"] as? String == "kg")
        #expect(logged["start"] as? String == "2024-03-10T07:30:00+00:00")
        #expect(logged["notes"] as? [String] == ["feast"])
        #expect(logged["isOwn"] as? Bool == true)
        let edited = try diary.entry("edit", "1", "82.1", "--tag", "b", "--untag", "a")
        #expect(edited["id"] as? String != logged["id"] as? String)
        #expect(edited["syncIdentifier"] as? String == logged["syncIdentifier"] as? String)
        #expect(edited["syncVersion"] as? Int == 2)
        #expect(edited["start"] as? String == "2024-03-10T07:30:00+00:00")
        #expect(edited["notes"] as? [String] == ["feast"])
        #expect(edited["tags"] as? [String] == ["b"])
        let listed = try diary.run("list")
        #expect(listed.output.contains("2024-03-10 07:30  82.1  this diary"))
        #expect(listed.output.contains("#b  “feast”"))
        #expect(try diary.samples() == [82.1])

        let id = try #require(edited["id"] as? String)
        let removed = try diary.run("remove", String(id.prefix(8)))
        #expect(removed.output.contains("Removed 82.1 kg on 10 March 2024 at 07:30."))
        #expect(removed.output.contains("Kept 2 notes"))
        #expect(try diary.samples().isEmpty)
        let rest = try diary.list()
        #expect(try #require(rest["entries"] as? [[String: Any]]).isEmpty)
        let unattached = try #require(rest["unattached"] as? [[String: Any]])
        #expect(unattached.compactMap { $0["text"] as? String }.sorted() == ["b", "feast"])
        #expect(try diary.run("list").output.contains("feast"))
        for item in unattached {
            #expect(try diary.run("remove", try #require(item["id"] as? String)).status == 0)
        }
        #expect(try #require(try diary.list()["unattached"] as? [Any]).isEmpty)
    }

    @Test("--with-notes leaves nothing; a photo is copied for its owner alone and goes too")
    func photos() throws {
        let photo = diary.folder.path + "/scale.jpg"
        try Data("not really".utf8).write(to: URL(fileURLWithPath: photo))
        let logged = try diary.entry("log", "82.4", "--photo", photo, "--note", "n")
        let kept = try #require((logged["photos"] as? [[String: Any]])?.first)
        let file = try #require(kept["file"] as? String)
        #expect(kept["name"] as? String == "scale.jpg")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("not really".utf8))
        for path in [file, diary.folder.path + "/health.weight-mirror.sqlite"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(path)")
        }
        let removed = try diary.run("remove", "1", "--with-notes", "--json")
        #expect(removed.object?["keptBeside"] as? Int == 0)
        #expect(try #require(try diary.list()["unattached"] as? [Any]).isEmpty)
        #expect(try diary.run("log", "82", "--photo", "nowhere.jpg").status == 1)
        #expect(try diary.samples().isEmpty)
    }

    @Test(
        "what is no weight is refused with a sentence, and not even a store is made",
        arguments: [
            ["0kg"], ["0"], ["1000kg"], ["1500"], ["82.4xg"], ["kg"], ["1,234kg"], ["8.2.4"],
            ["12st 14lb"], ["12kg 3lb"], ["1e3"], ["nan"], ["−5"], ["inf"],
            ["82.4", "--at", "soon"],
            ["82.4", "--at", "2999-01-01"], ["82.4", "--at", "2024-02-30"], ["82.4", "--tag", " "],
        ])
    func refused(words: [String]) throws {
        let run = try diary.run(["log"] + words)
        #expect(run.status == 64, "\(run.errors)")
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("openhealth: "))
        #expect(!run.errors.contains("82.4 kg on"))
        if !words.contains(where: { $0.hasPrefix("--") }) {
            #expect(!FileManager.default.fileExists(atPath: diary.path))
        } else {
            #expect(try diary.samples().isEmpty)
        }
    }

    @Test("kilograms, pounds and stones are one weight; a number alone is in the person's unit")
    func units() throws {
        #expect(try diary.entry("log", "181.7lb")["kilograms"] as? Double == 82.417733629)
        #expect(try diary.entry("log", "12st 13lb")["kilograms"] as? Double == 82.10021897)
        #expect(try diary.entry("log", "82,4 kg")["kilograms"] as? Double == 82.4)
        let american = ["LANG": "en_US.UTF-8", "LC_ALL": "en_US.UTF-8"]
        let run = try CommandRun(
            ["weight", "log", "181.7", "--json"], store: diary.path, environment: american)
        #expect(run.object?["unit"] as? String == "lb")
        #expect(run.object?["kilograms"] as? Double == 82.417733629)
        let list = try diary.run("list", "--unit", "st").output
        #expect(list.contains("12 st 13.7 lb"))
        #expect(list.contains("12 st 13.0 lb"))
        #expect(try diary.run("list", "--unit", "lb").output.contains("  181.7  "))
    }

    @Test("other sources' weights are shown as theirs, can't be changed, and can have a note")
    func imported() throws {
        let store = try AnnasStore()
        func run(_ words: String...) throws -> CommandRun {
            try CommandRun(["weight"] + words, store: store.path)
        }
        let list = try run("list").output
        #expect(list.hasPrefix("69.9 kg on 31 March 2024 at 07:00, the latest of 2 weights."))
        #expect(list.contains("Scale, \"Pro\", read only"))
        for words in [
            ["edit", "1", "70kg"], ["remove", "1"], ["edit", "1", "--at", "2024-03-01"],
        ] {
            let refused = try CommandRun(["weight"] + words, store: store.path)
            #expect(refused.status == 1)
            #expect(refused.errors.contains("The weight is from Scale, \"Pro\""))
        }
        #expect(try run("edit", "1", "--note", "new scale").status == 0)
        #expect(try run("list").output.contains("“new scale”"))
        #expect(try run("edit", "1", "--note", "").status == 0)
        #expect(try !run("list").output.contains("new scale"))
    }

    @Test("changes by another app are shown, and outdated list numbers are rejected")
    func others() async throws {
        _ = try diary.entry("log", "82.4", "--at", "2024-03-10")
        let scale = try diary.app("com.example.scale", "Scale")
        try await scale.save(diary.mass(81, at: 1_000_000))
        let moved = try diary.run("remove", "1")
        #expect(moved.status == 1)
        #expect(moved.errors.contains("The numbers in the list have changed"))
        let entries = try #require(try diary.list()["entries"] as? [[String: Any]])
        #expect(entries.map { $0["source"] as? String } == ["Scale", "openhealth weight"])
        #expect(entries.map { $0["number"] as? Int } == [1, 2])
        #expect(try diary.run("remove", "2").status == 0)
    }

    @Test("a weight deleted elsewhere is removed, and its note is kept")
    func deletedElsewhere() async throws {
        _ = try diary.entry("log", "82.4", "--note", "mine")
        let same = try diary.app("org.openhealthkit.weight", "Settings")
        _ = try await same.deleteObjects(
            of: HKQuantityType(.bodyMass), predicate: NSPredicate(value: true))
        let list = try diary.list()
        #expect(try #require(list["entries"] as? [Any]).isEmpty)
        let kept = try #require(list["unattached"] as? [[String: Any]])
        #expect(kept.map { $0["text"] as? String } == ["mine"])
    }

    @Test("without permission to write a message names the command that grants it")
    func revoked() throws {
        _ = try diary.entry("log", "82.4", "--at", "2024-03-10")
        let revoke = "grants revoke org.openhealthkit.weight --share bodyMass"
        #expect(
            try CommandRun(revoke.split(separator: " ").map(String.init), store: diary.path).status
                == 0)
        for words in [["log", "82.3"], ["edit", "1", "82.3"], ["remove", "1"]] {
            let denied = try diary.run(words)
            #expect(denied.status == 1)
            #expect(denied.output.isEmpty)
            #expect(denied.errors.split(separator: "\n").count == 1)
            let command = try #require(denied.errors.components(separatedBy: "openhealth ").last)
            #expect(
                command.hasPrefix("grants allow org.openhealthkit.weight --share bodyMass"),
                "\(words): \(denied.errors)")
        }
        #expect(try diary.samples() == [82.4])
        let allow = "grants allow org.openhealthkit.weight --share bodyMass"
        _ = try CommandRun(allow.split(separator: " ").map(String.init), store: diary.path)
        #expect(try diary.run("log", "82.3").status == 0)
    }

    @Test("without permission to read only the diary's own weights are shown")
    func unreadable() async throws {
        _ = try diary.entry("log", "82.4", "--note", "mine")
        let scale = try diary.app("com.example.scale", "Scale")
        let yesterday = Date().timeIntervalSinceReferenceDate - 86_400
        try await scale.save(diary.mass(81, at: yesterday - Diary.noon))
        _ = try diary.list()
        #expect(try diary.run("edit", "2", "--note", "beside the scale's").status == 0)
        let revoke = ["grants", "revoke", "org.openhealthkit.weight", "--read", "bodyMass"]
        _ = try CommandRun(revoke, store: diary.path)
        let entries = try #require(try diary.list()["entries"] as? [[String: Any]])
        #expect(entries.map { $0["isVisible"] as? Bool } == [true, false])
        #expect(entries.map { $0["notes"] as? [String] } == [["mine"], ["beside the scale's"]])
        #expect(try diary.run("list").output.contains("not visible, Scale"))
    }

    @Test("no store, and a store without weights, say what to do")
    func nothing() throws {
        let none = try diary.run("list")
        #expect(none.status == 1)
        #expect(none.errors.contains("openhealth weight log"))
        #expect(!FileManager.default.fileExists(atPath: diary.path))
        _ = try CommandRun(["import", AnnasStore.export], store: diary.path)
        _ = try CommandRun(
            ["grants", "revoke", "org.openhealthkit.weight", "--read", "bodyMass", "height"],
            store: diary.path)
        let empty = try diary.run("list")
        #expect(empty.status == 0)
        #expect(
            empty.output.replacing("\n", with: " ").contains("the store doesn't report which"))
        #expect(try diary.run("trend").output.contains("No trend"))
        #expect(try diary.run("edit", "1", "80").status == 1)
        #expect(try diary.run("remove", "zzzz").status == 1)
        #expect(try diary.run("edit", "1").status == 64)
    }
}

/// A store that starts with the diary.
struct Diary {
    /// Noon on 10 March 2024 in UTC, in seconds since 2001.
    static let noon: TimeInterval = 731_764_800

    let folder: TemporaryFolder
    var path: String { folder.path + "/health.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    func run(_ words: String...) throws -> CommandRun { try run(words) }

    func run(_ words: [String]) throws -> CommandRun {
        try CommandRun(["weight"] + words, store: path)
    }

    /// Runs a command and returns the entry in its output.
    func entry(_ words: String...) throws -> [String: Any] {
        let run = try run(words + ["--json"])
        #expect(run.status == 0, "\(run.errors)")
        return try #require(run.object)
    }

    func list() throws -> [String: Any] { try #require(try run("list", "--json").object) }

    /// Returns the store's samples, from the command that reads it directly.
    func samples() throws -> [Double] {
        let run = try CommandRun(["samples", "bodyMass", "--json"], store: path)
        let samples = try #require(run.object?["samples"] as? [[String: Any]])
        return samples.compactMap { $0["value"] as? Double }
    }

    /// Returns another app's handle of the same store.
    func app(_ bundle: String, _ name: String) throws -> HKHealthStore {
        try HKHealthStore(
            path: path, identity: AppIdentity(bundle, name: name),
            configuration: HealthStoreConfiguration(authorization: .assumed))
    }

    func mass(_ kilograms: Double, at seconds: TimeInterval) -> HKQuantitySample {
        let date = Date(timeIntervalSinceReferenceDate: Diary.noon + seconds)
        return HKQuantitySample(
            type: HKQuantityType(.bodyMass),
            quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms), start: date,
            end: date)
    }
}
