import Foundation
import HealthTesting
import Testing

/// The permissions of programs.
@Suite(.inTestAll) struct GrantTests {
    private func run(_ arguments: String, _ store: AnnasStore) throws -> CommandRun {
        try CommandRun(arguments.split(separator: " ").map(String.init), store: store.path)
    }

    private func grants(_ run: CommandRun) throws -> [[String: String]] {
        let rows = try #require(run.object?["grants"] as? [[String: Any]])
        return rows.map { $0.compactMapValues { $0 as? String } }
    }

    @Test("at first nothing is decided, and the output suggests a command")
    func empty() throws {
        let store = try AnnasStore()
        let list = try run("grants", store)
        #expect(list.status == 0)
        #expect(list.output.contains("openhealth grants allow"))
        #expect(try grants(run("grants --json", store)).isEmpty)
    }

    @Test("grants are listed, and revoked one by one")
    func allowAndRevoke() throws {
        let store = try AnnasStore()
        let allowed = try run(
            "grants allow com.example.a --read stepCount bloodType --share stepCount --json", store)
        #expect(allowed.status == 0, "\(allowed.errors)")
        #expect(
            try grants(allowed) == [
                [
                    "app": "com.example.a", "type": "bloodType", "share": "undecided",
                    "read": "allowed",
                ],
                [
                    "app": "com.example.a", "type": "stepCount", "share": "allowed",
                    "read": "allowed",
                ],
            ])
        let revoked = try run("grants revoke com.example.a --share stepCount --json", store)
        #expect(try grants(revoked).last?["share"] == "denied")
        #expect(try grants(revoked).last?["read"] == "allowed")
        let list = try run("grants list com.example.a", store)
        #expect(list.output.hasPrefix("Permissions of com.example.a:"))
        #expect(list.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(try grants(run("grants list com.example.b --json", store)).isEmpty)
    }

    @Test("--since hides older data, and is shown with the home zone's offset")
    func since() throws {
        let store = try AnnasStore()
        let run = try run(
            "grants allow com.example.a --read stepCount --since 2024-03-31 --json", store)
        #expect(try grants(run).first?["since"] == "2024-03-31T00:00:00+01:00")
    }

    @Test("all means every type; characteristics can be read only")
    func all() throws {
        let store = try AnnasStore()
        let run = try run("grants allow com.example.a --read all --share all --json", store)
        let rows = try grants(run)
        #expect(rows.count > 200)
        #expect(rows.filter { $0["share"] == "undecided" }.count == 7)
        #expect(rows.allSatisfy { $0["read"] == "allowed" })
    }

    @Test(
        "wrong usage exits with 64 and changes nothing",
        arguments: [
            "grants allow com.example.a", "grants allow com.example.a --read stepcont",
            "grants allow com.example.a --share bloodType", "grants allow",
            "grants allow com.example.a --read stepCount --since soon",
            "grants revoke com.example.a",
        ])
    func wrongUsage(arguments: String) throws {
        let store = try AnnasStore()
        let run = try run(arguments, store)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(!run.errors.isEmpty)
        #expect(try grants(self.run("grants --json", store)).isEmpty)
    }
}
