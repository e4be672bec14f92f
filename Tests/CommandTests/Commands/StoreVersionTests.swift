import Foundation
import HealthTesting
import Testing

/// Stores that the releases of each schema version wrote, and what those releases answered
/// (Tests/Fixtures/stores/README.md).
@Suite("Stores of every schema version")
struct StoreVersionTests {
    static let versions = 1...6
    static let types = ["stepCount", "heartRate", "bodyMass", "distanceWalkingRunning"]
    static let fixtures = ProjectFiles.fixtures.appendingPathComponent("stores")

    /// Copies a version's store, with the mirror of its weights, into a temporary folder.
    private func copy(version: Int) throws -> (folder: TemporaryFolder, path: String) {
        let folder = try TemporaryFolder()
        for suffix in ["sqlite", "weight-mirror.sqlite"] {
            let file = Self.fixtures.appendingPathComponent("version-\(version).\(suffix)")
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            try FileManager.default.copyItem(
                atPath: file.path, toPath: folder.path + "/health.\(suffix)")
        }
        return (folder, folder.path + "/health.sqlite")
    }

    private func buckets(_ type: String, in path: String) throws -> NSArray {
        let run = try CommandRun(
            ["stats", type, "--by", "day", "--json", "--time-zone", "Europe/Berlin"], store: path)
        #expect(run.status == 0, "\(run.errors)")
        return try #require(run.object?["buckets"] as? NSArray)
    }

    private func expected(_ version: Int, _ type: String) throws -> NSArray {
        let data = try Data(contentsOf: Self.fixtures.appendingPathComponent("answers.json"))
        let all = try JSONSerialization.jsonObject(with: data) as? [String: [String: NSArray]]
        return try #require(all?["version-\(version)"]?[type])
    }

    @Test(
        "open, are valid and give the answers of the release that wrote them", arguments: versions)
    func answers(version: Int) throws {
        let (folder, path) = try copy(version: version)
        defer { withExtendedLifetime(folder) {} }
        for type in Self.types {
            #expect(try buckets(type, in: path) == expected(version, type), "\(type)")
        }
        let check = try CommandRun(["check"], store: path)
        #expect(check.status == 0, "\(check.output)")
    }

    @Test("keep their source order", arguments: versions)
    func order(version: Int) throws {
        let (folder, path) = try copy(version: version)
        defer { withExtendedLifetime(folder) {} }
        let order = try CommandRun(["sources", "stepCount"], store: path)
        #expect(order.output.contains("1  Strollr"), "\(order.output)")
    }

    @Test("undo their newest import, from the version on that stored what an undo needs")
    func undo() throws {
        for version in Self.versions {
            let (folder, path) = try copy(version: version)
            defer { withExtendedLifetime(folder) {} }
            _ = try CommandRun(["sources", "reset", "stepCount"], store: path)
            let before = try buckets("stepCount", in: path).count
            let undo = try CommandRun(["imports", "undo", "2", "--yes"], store: path)
            #expect(undo.status == (version < 3 ? 1 : 0), "\(undo.errors)")
            #expect(undo.errors.contains("earlier version") == (version < 3))
            // The later export covers days before those of the first.
            let after = try buckets("stepCount", in: path).count
            #expect(version < 3 ? after == before : after < before)
            #expect(try CommandRun(["check"], store: path).status == 0)
        }
    }

    @Test("return a weight's note and tag from the mirror beside them", arguments: 2...6)
    func weights(version: Int) throws {
        let (folder, path) = try copy(version: version)
        defer { withExtendedLifetime(folder) {} }
        let list = try CommandRun(["weight", "list"], store: path)
        #expect(list.status == 0, "\(list.errors)")
        #expect(list.output.contains("“after a run”"), "\(list.output)")
        #expect(list.output.contains("#morning"))
    }

    @Test("include one of the newest schema version")
    func complete() throws {
        let newest = ProjectFiles.fixtures.appendingPathComponent("schema-7.sql").path
        #expect(
            !FileManager.default.fileExists(atPath: newest),
            "schema-7.sql exists: add version-7.sqlite, and 7 to `versions`.")
    }
}
