import Foundation
import HealthStorage
import HealthTesting
import Testing

/// `openhealth delete`, and the files that remain after removals.
@Suite(.inTestAll) struct DeleteTests {
    private let folder: TemporaryFolder
    private var store: String { folder.path + "/openhealth/health.sqlite" }
    private var names: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    init() throws {
        folder = try TemporaryFolder()
        for person in [[], ["--as", "anna"]] {
            let run = try CommandRun(["import", AnnasStore.export] + person, store: store)
            try #require(run.status == 0, "\(run.errors)")
        }
        try write("scale.jpg", "photo")
        let logged = try CommandRun(
            ["weight", "log", "82.4", "--photo", folder.path + "/scale.jpg", "--as", "anna"],
            store: store)
        try #require(logged.status == 0, "\(logged.errors)")
        _ = try CommandRun(["summary"], store: store)
        try FileManager.default.removeItem(atPath: folder.path + "/scale.jpg")
        // Files left by killed commands, and files that aren't ours.
        for name in [
            "health.sqlite.importing", "health.sqlite.4711-0.partial", "health-ben.watch.sqlite",
        ] {
            try write("openhealth/" + name, "left")
        }
        // No process has this ID: the kernel's are smaller.
        let orphan = "openhealth/taken.zip.4194305-0.partial"
        try write(orphan, "left")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.path + "/" + orphan)
        let handover = "openhealth/openhealth-open-4194305-AbCdEf"
        try FileManager.default.createDirectory(
            atPath: folder.path + "/" + handover, withIntermediateDirectories: true)
        try write(handover + "/open.html", "left")
    }

    private func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
    }

    @Test("--everything deletes the files of all people and no others")
    func everything() throws {
        try write("openhealth/notes.txt", "mine")
        try write("openhealth/health-plan.sqlite", "another program's")
        let before = names
        let unconfirmed = try CommandRun(["delete", "--everything"], store: store)
        #expect(unconfirmed.status == 64)
        #expect(unconfirmed.errors.contains("--yes"))
        #expect(unconfirmed.output.contains("health-anna.weight-mirror.photos"))
        #expect(names == before)
        let run = try CommandRun(["delete", "--everything", "--yes"], store: store)
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            names == ["openhealth", "openhealth/health-plan.sqlite", "openhealth/notes.txt"])
        #expect(
            try CommandRun(["delete", "--everything", "--yes"], store: store).output
                == "No files to delete.\n")
    }

    @Test("one person's files are deleted, and the others stay")
    func person() throws {
        let run = try CommandRun(["delete", "--as", "anna", "--yes", "--json"], store: store)
        #expect(run.status == 0, "\(run.errors)")
        #expect((run.object?["deleted"] as? [String])?.count ?? 0 >= 3)
        #expect(!names.contains { $0.contains("anna") })
        #expect(names.contains("openhealth/health.sqlite"))
        #expect(try CommandRun(["delete", "--yes"], store: store).status == 64)
    }

    @Test("the folder is deleted with its last file")
    func emptied() throws {
        let run = try CommandRun(["delete", "--everything", "--yes"], store: store)
        #expect(run.status == 0, "\(run.errors)")
        #expect(names.isEmpty)
    }

    @Test("a store that another process has open is not deleted, and a message says so")
    func inUse() throws {
        let watching = try RunningCommand(["watch"], store: store)
        defer { _ = watching.kill() }
        try watching.waitForMessage("Watching")
        let before = names
        let run = try CommandRun(["delete", "--everything", "--yes"], store: store)
        #expect(run.status == 1)
        #expect(run.errors.contains("is in use by process"))
        #expect(names == before)
    }

    @Test("a weight removed with its notes, and its photo, are in no file")
    func removedWeight() throws {
        let path = folder.path + "/diary/health.sqlite"
        try write("secret.jpg", "SECRETPHOTO")
        let logged = try CommandRun(
            [
                "weight", "log", "82.4", "--photo", folder.path + "/secret.jpg", "--note",
                "SECRETNOTE", "--tag", "SECRETTAG",
            ], store: path)
        #expect(logged.status == 0, "\(logged.errors)")
        try FileManager.default.removeItem(atPath: folder.path + "/secret.jpg")
        #expect(try found("diary") == ["SECRETNOTE", "SECRETPHOTO", "SECRETTAG"])
        let removed = try CommandRun(["weight", "remove", "1", "--with-notes"], store: path)
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try found("diary") == [])
    }

    @Test("an attachment removed by its id is in no file")
    func removedAttachment() throws {
        let path = folder.path + "/diary/health.sqlite"
        let logged = try CommandRun(
            ["weight", "log", "82.4", "--note", "SECRETNOTE", "--json"], store: path)
        #expect(logged.status == 0, "\(logged.errors)")
        #expect(try CommandRun(["weight", "remove", "1"], store: path).status == 0)
        let list = try CommandRun(["weight", "list", "--json"], store: path)
        let note = try #require((list.object?["unattached"] as? [[String: Any]])?.first)
        let id = try #require(note["id"] as? String)
        #expect(try CommandRun(["weight", "remove", id], store: path).status == 0)
        #expect(try found("diary") == [])
    }

    /// Returns the marks that files below a folder contain.
    private func found(_ name: String) throws -> [String] {
        let root = folder.path + "/" + name
        let contents = try FileManager.default.subpathsOfDirectory(atPath: root).compactMap {
            FileManager.default.contents(atPath: root + "/" + $0)
        }
        return ["SECRETNOTE", "SECRETPHOTO", "SECRETTAG"].filter { mark in
            contents.contains { $0.range(of: Data(mark.utf8)) != nil }
        }
    }
}
