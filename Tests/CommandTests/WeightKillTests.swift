import Foundation
import HealthTesting
import Testing

/// `kill -9` in the middle of things.
@Suite struct WeightKillTests {
    @Test("a log that is killed anywhere is there wholly or not at all after the next command")
    func killed() throws {
        let diary = try Diary()
        _ = try diary.run("log", "95", "--at", "2024-01-01")
        let start = ContinuousClock.now
        _ = try diary.run("log", "95", "--at", "2024-01-02")
        let usual = (ContinuousClock.now - start) / .seconds(1)
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        var (kept, lost) = (0, 0)
        let rounds = 24
        for round in 0..<rounds {
            let value = 60 + Double(round)
            let text = "\(value)"
            let command = try RunningCommand(
                ["weight", "log", text + "kg", "--note", "note " + text, "--tag", "t"],
                store: diary.path)
            // From before anything to after everything.
            let share = (Double(round) + Double.random(in: 0..<1, using: &random)) / Double(rounds)
            Thread.sleep(forTimeInterval: usual * share * 1.4)
            command.kill()

            let run = try diary.run("list", "--json")
            #expect(run.status == 0, "seed \(seed), round \(round): \(run.errors)")
            let list = try #require(run.object)
            let entries = try #require(list["entries"] as? [[String: Any]])
            let mine = entries.filter { $0["value"] as? Double == value }
            #expect(mine.count <= 1, "seed \(seed), round \(round)")
            if let entry = mine.first {
                kept += 1
                #expect(entry["notes"] as? [String] == ["note " + text], "seed \(seed)")
                #expect(entry["tags"] as? [String] == ["t"], "seed \(seed)")
            } else {
                lost += 1
            }
            #expect(try #require(list["unattached"] as? [Any]).isEmpty, "seed \(seed)")
            let listed = entries.compactMap { $0["value"] as? Double }.sorted()
            #expect(try diary.samples().sorted() == listed, "seed \(seed), round \(round)")
            // What was told once is settled.
            #expect(try diary.run("list").errors.isEmpty, "seed \(seed), round \(round)")
        }
        #expect(kept > 0 && lost > 0, "seed \(seed)")
    }
}
