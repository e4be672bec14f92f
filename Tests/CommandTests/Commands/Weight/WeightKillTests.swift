import Foundation
import HealthTesting
import Testing

/// `kill -9` during `weight log`.
@Suite(.inTestAll) struct WeightKillTests {
    /// Returns the names, sizes and modification times of a folder's files, at any depth.
    private func state(of folder: String) -> [String: [Double]] {
        var state: [String: [Double]] = [:]
        for name in FileManager.default.enumerator(atPath: folder) ?? .init() {
            guard let name = name as? String,
                let facts = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name),
                let size = facts[.size] as? Int, let date = facts[.modificationDate] as? Date
            else { continue }
            state[name] = [Double(size), date.timeIntervalSinceReferenceDate]
        }
        return state
    }

    /// Waits until a folder's files have changed `count` times. Returns false if the command ended
    /// first.
    private func hasChanged(_ count: Int, _ folder: String, by command: RunningCommand) -> Bool {
        var last = state(of: folder)
        var seen = 0
        while seen < count {
            guard command.isRunning else { return false }
            let now = state(of: folder)
            if now != last { seen += 1 }
            last = now
        }
        return true
    }

    @Test("a log that is killed after any change of a file is there wholly or not at all")
    func killed() throws {
        let diary = try Diary()
        _ = try diary.run("log", "95", "--at", "2024-01-01")
        var lost = 0
        var changes = 0
        while changes < 500 {
            let value = 60 + Double(changes) / 10
            let command = try RunningCommand(
                ["weight", "log", "\(value)kg", "--note", "note \(value)", "--tag", "t"],
                store: diary.path)
            let isKilled = hasChanged(changes, diary.folder.path, by: command)
            command.kill()
            let isKept = try check(diary, value)
            if !isKept { lost += 1 }
            // In the last round, the command ends before the number of changes is reached.
            if !isKilled {
                #expect(isKept)
                break
            }
            changes += 1
        }
        #expect(lost > 0)
        // At least the journal, the store and the mirror are written.
        #expect(changes >= 3 && changes < 500)
    }

    /// Returns whether a weight exists, with its note and tag. The diary must be consistent in
    /// either case.
    private func check(_ diary: Diary, _ value: Double) throws -> Bool {
        let run = try diary.run("list", "--json")
        #expect(run.status == 0, "\(value): \(run.errors)")
        let list = try #require(run.object)
        let entries = try #require(list["entries"] as? [[String: Any]])
        let mine = entries.filter { $0["value"] as? Double == value }
        #expect(mine.count <= 1, "\(value)")
        for entry in mine {
            #expect(entry["notes"] as? [String] == ["note \(value)"])
            #expect(entry["tags"] as? [String] == ["t"])
        }
        #expect(try #require(list["unattached"] as? [Any]).isEmpty, "\(value)")
        let listed = entries.compactMap { $0["value"] as? Double }.sorted()
        #expect(try diary.samples().sorted() == listed, "\(value)")
        // A message that was printed once isn't repeated.
        #expect(try diary.run("list").errors.isEmpty, "\(value)")
        return !mine.isEmpty
    }
}
