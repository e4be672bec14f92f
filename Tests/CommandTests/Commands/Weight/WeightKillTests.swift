import Foundation
import HealthStorage
import HealthSync
import HealthTesting
import Testing

/// `kill -9` at each step of a write of the weight diary.
///
/// A write is journaled in the mirror, saved in the store, and confirmed in the mirror, each in a
/// transaction; then the answer is printed. From the commit of the journal on, the write must be
/// completed.
@Suite(.inTestAll) struct WeightKillTests {
    /// A weight with its notes and tags.
    private struct Weighed: Equatable {
        var value: Double
        var notes: [String] = []
        var tags: [String] = []
    }

    /// A command to kill, and what it must leave.
    private struct Killed {
        var words: [String]
        /// The steps of its write in order.
        var steps: [String]
        /// A part of its answer.
        var answer: String
        /// The message of the command that completes the write.
        var message: String
        /// The weights before the command, the lowest first.
        var before: [Weighed]
        /// The weights after the write was completed.
        var after: [Weighed]

        /// The indices of the steps after which a transaction is committed in the mirror. The first
        /// is that of the journal, the second confirms the write.
        var commits: [Int] {
            steps.indices.filter { steps[$0] == SyncStep.transactionCommitted.rawValue }
        }

        /// The index of the step after the store's commit.
        var saved: Int? {
            steps.firstIndex {
                [SyncStep.sampleSaved.rawValue, SyncStep.sampleDeleted.rawValue].contains($0)
            }
        }

        /// The steps with their numbers among equal ones.
        var numbered: [String] {
            steps.indices.map { index in
                "\(steps[index]) \(steps[...index].count { $0 == steps[index] })"
            }
        }
    }

    private static let transaction: [SyncStep] = [
        .transactionBegun, .rowsWritten, .transactionCommitted,
    ]
    private static let oldest = Weighed(value: 95)
    private static let logged = Weighed(value: 82.4, notes: ["first"], tags: ["t"])
    private static let logging = [
        "log", "82.4kg", "--at", "2024-03-10T07:30", "--note", "first", "--tag", "t",
    ]
    private static let saveMessage =
        "An interrupted save was completed: the weight is in the diary.\n"

    private static func steps(_ parts: [SyncStep]...) -> [String] {
        parts.joined().map(\.rawValue) + [WeightVictim.answered]
    }

    @Test("a log killed before its journal's commit saves nothing, later exactly one weight")
    func log() throws {
        let steps = Self.steps(
            Self.transaction, [.writeJournalled, .sampleSaved, .sampleReadBack],
            Self.transaction, [.entryAcknowledged])
        let killed = Killed(
            words: Self.logging, steps: steps, answer: "Saved 82.4 kg on",
            message: Self.saveMessage, before: [Self.oldest], after: [Self.logged, Self.oldest])
        try kill(killed, in: prepared())
    }

    @Test("an edit that is killed leaves the old weight or the new one, and the note of each")
    func edit() throws {
        // The old note is removed at the end, in a transaction of its own.
        let steps = Self.steps(
            Self.transaction, [.writeJournalled, .sampleSaved, .sampleReadBack],
            Self.transaction, [.entryAcknowledged], Self.transaction)
        let killed = Killed(
            words: ["edit", "1", "82.1kg", "--note", "second"], steps: steps,
            answer: "to 82.1 kg.", message: Self.saveMessage, before: [Self.logged, Self.oldest],
            after: [Weighed(value: 82.1, notes: ["first", "second"], tags: ["t"]), Self.oldest])
        try kill(killed, in: prepared(Self.logging)) { index in
            guard index >= killed.commits[2] else { return nil }
            return [Weighed(value: 82.1, notes: ["second"], tags: ["t"]), Self.oldest]
        }
    }

    @Test("a removal killed before its journal's commit removes nothing, later everything")
    func remove() throws {
        let steps = Self.steps(
            Self.transaction, [.writeJournalled, .sampleDeleted], Self.transaction,
            [.entryAcknowledged])
        let killed = Killed(
            words: ["remove", "1", "--with-notes"], steps: steps,
            answer: "Removed 82.4 kg on", message: "An interrupted removal was completed.\n",
            before: [Self.logged, Self.oldest], after: [Self.oldest])
        try kill(killed, in: prepared(Self.logging))
    }

    /// Returns a diary with a weight, and the effect of another command.
    private func prepared(_ words: [String]? = nil) throws -> Diary {
        let diary = try Diary()
        try #require(diary.run("log", "95kg", "--at", "2024-01-01").status == 0)
        if let words { try #require(diary.run(words).status == 0) }
        return diary
    }

    /// Kills a command at each of its steps, each time in a copy of a diary, and checks what is
    /// left.
    ///
    /// - Parameter later: The weights after a later change; nil before it.
    private func kill(
        _ killed: Killed, in start: Diary, later: (Int) -> [Weighed]? = { _ in nil }
    ) throws {
        let saved = try #require(killed.saved)
        try #require(killed.commits.count > 1)
        let (journaled, confirmed) = (killed.commits[0], killed.commits[1])
        for (index, step) in killed.numbered.enumerated() {
            let place = "\(killed.words[0]) killed at \(step)"
            let diary = try copy(of: start)
            let victim = WeightVictim(
                words: killed.words, store: diary.path, trace: diary.folder.path + "/steps",
                last: step)
            let (run, steps) = try victim.run()
            try #require(run.status == SIGKILL, "\(place): \(run.output) \(run.errors)")
            // Exactly the known steps happened, in their order.
            #expect(steps == Array(killed.numbered[...index]), "\(place)")
            #expect(
                run.output.contains(killed.answer) == (step.hasPrefix(WeightVictim.answered)),
                "\(place)")

            // Read from the store's file, before the diary completes the write.
            let stored = index >= saved ? killed.after : killed.before
            #expect(try diary.samples().sorted() == stored.map(\.value), "\(place)")
            let store = try SampleStore(at: diary.path, access: .reading)
            #expect(try store.check() == [], "\(place)")
            try store.close()

            let expected =
                index < journaled ? killed.before : later(index) ?? killed.after
            let isPending = (journaled..<confirmed).contains(index)
            let message = isPending ? killed.message : ""
            #expect(try weights(of: diary, message: message) == expected, "\(place)")
            #expect(try weights(of: diary, message: "") == expected, "\(place)")
            #expect(try diary.samples().sorted() == expected.map(\.value), "\(place)")
        }
    }

    private func copy(of start: Diary) throws -> Diary {
        let diary = try Diary()
        for name in try FileManager.default.contentsOfDirectory(atPath: start.folder.path) {
            try FileManager.default.copyItem(
                atPath: start.folder.path + "/" + name, toPath: diary.folder.path + "/" + name)
        }
        return diary
    }

    /// Returns the listed weights, the lowest first, and checks the messages of the command.
    private func weights(of diary: Diary, message: String) throws -> [Weighed] {
        let run = try diary.run("list", "--json")
        #expect(run.status == 0)
        #expect(run.errors == message)
        let list = try #require(run.object)
        // No note is without its weight.
        #expect(try #require(list["unattached"] as? [Any]).isEmpty)
        let entries = try #require(list["entries"] as? [[String: Any]])
        return try entries.map { entry in
            Weighed(
                value: try #require(entry["value"] as? Double),
                notes: (entry["notes"] as? [String] ?? []).sorted(),
                tags: entry["tags"] as? [String] ?? [])
        }.sorted { $0.value < $1.value }
    }
}
