import Foundation
import HealthSync
import HealthTesting
import OpenHealthKit
import Testing

/// Random sequences of operations, and the invariants that must hold in all of them.
@Suite struct ReconciliationModelTests {
    @Test(
        "random operations converge to the visible samples, without losses or reappearing samples")
    func worlds() async throws {
        for seed in TestTier.seeds(TestTier.count(quick: 2, all: 10, torture: 1_000), from: 1) {
            var world = try await RandomWorld(seed: seed)
            try await world.live(30)
        }
    }
}

/// A random sequence, with the entries that the user wants stored.
private struct RandomWorld {
    let seed: UInt64
    let world: WritesWorld
    private var random: SeededRandom
    private var drafts: [String: Draft] = [:]
    /// Sync identifiers and UUIDs that must not be stored.
    private var deleted: Set<String> = []
    private var log: [String] = []

    private static let steps: [SyncStep] = [
        .transactionBegun, .rowsWritten, .transactionCommitted, .writeJournalled, .sampleSaved,
        .sampleReadBack, .sampleDeleted, .entryAcknowledged, .windowRead, .windowCompared,
        .windowCommitted, .positionWritten,
    ]
    private static let decisions: [AuthorizationDecision] = [
        .granted, .granted, .denied, .readOnly, .shareOnly,
        .init(sharing: .granted, reading: .since(WritesWorld.noon.addingTimeInterval(500))),
    ]

    init(seed: UInt64) async throws {
        self.seed = seed
        world = try await WritesWorld()
        random = SeededRandom(seed: seed)
    }

    mutating func live(_ count: Int) async throws {
        try await world.sync()
        for _ in 0..<count { try await act() }
        try world.store.setAuthorization(.granted, for: [WritesWorld.mass])
        world.kill.disarm()
        try await end()
    }

    private mutating func act() async throws {
        let seconds = Double(below(1_000))
        let value = Double(60 + below(60))
        switch below(12) {
        case 0, 1:
            log.append("their sample")
            _ = try await world.save(value, at: seconds)
        case 2, 3: try await writes(value, at: seconds)
        case 4: try await edits(to: value)
        case 5: try await removes()
        case 6: try await personDeletes()
        case 7:
            log.append("a week passes, deletions are forgotten")
            world.clock { $0 += 8 * 86_400 }
            try world.purgeTombstones()
        case 8:
            let decision = Self.decisions[below(Self.decisions.count)]
            log.append("allowed: \(decision)")
            try world.store.setAuthorization(decision, for: [WritesWorld.mass])
        case 9: try await recovers()
        case 10: try await syncs()
        default: try await reconciles()
        }
        try await check()
    }

    private mutating func arm(_ what: String) {
        world.kill.disarm()
        guard below(3) == 0 else { return log.append(what) }
        let step = Self.steps[below(Self.steps.count)]
        log.append("\(what), killed at \(step)")
        world.kill.arm(step, time: 1 + below(2))
    }

    private mutating func writes(_ value: Double, at seconds: Double) async throws {
        arm("log")
        let id = random.uuid().uuidString
        var draft = world.draft(value, at: seconds, id: id)
        draft.attachments = [.note(draft.id)]
        do {
            try await world.writing().log(draft)
            drafts[draft.id] = draft
        } catch {
            guard error.isJournalled else { return }
            world.kill.disarm()
            let pending = try await world.writing().pending().map(\.id)
            let isStored = try await world.stored().contains { $0.name == draft.id }
            if pending.contains(draft.id) || isStored { drafts[draft.id] = draft }
        }
    }

    private mutating func edits(to value: Double) async throws {
        guard let entry = try await anyEntry() else { return }
        arm("edit")
        let id = random.uuid().uuidString
        var draft = world.draft(value, id: id)
        draft.start = entry.start
        draft.end = entry.end
        _ = try await world.reason { try await world.writing().edit(entry.id, to: draft) }
    }

    private mutating func removes() async throws {
        guard let entry = try await anyEntry() else { return }
        arm("remove")
        let reason = try await world.reason { try await world.writing().remove(entry.id) }
        guard let identifier = entry.syncIdentifier, reason == nil || reason == .interrupted
        else { return }
        // From here on either result is correct, but not both.
        drafts[identifier] = nil
        if reason == nil { deleted.insert(identifier) }
    }

    private mutating func personDeletes() async throws {
        let stored = try await world.stored()
        guard !stored.isEmpty else { return }
        let sample = stored[below(stored.count)]
        log.append("the person deletes one")
        try await world.personDeletes([sample])
        deleted.insert(sample.name)
        drafts[sample.name] = nil
    }

    private mutating func recovers() async throws {
        arm("recover")
        try await unharmed { world in _ = try? await world.writing().recover() }
    }

    private mutating func syncs() async throws {
        arm("sync")
        let clock = world.clock
        let watcher = Watcher(
            store: world.store, types: [TrackedType(WritesWorld.mass)], positions: world.mirror,
            now: { clock { $0 } })
        try await watcher.mirror(into: world.mirror)
        try await unharmed { _ in _ = try? await watcher.sync() }
    }

    private mutating func reconciles() async throws {
        arm("reconcile")
        let span = below(2) == 0 ? ReconciledSpan.everything : .days(90)
        try await unharmed { world in _ = try? await world.reconcile(span) }
    }

    /// Checks that no sample disappears unless the journal replaces or removes it.
    private func unharmed(_ work: (WritesWorld) async throws -> Void) async throws {
        let before = try await world.stored()
        let removals = try await world.pendingRemovals()
        try await work(world)
        let after = Set(try await world.stored().map(\.uuid))
        for sample in before where !after.contains(sample.uuid) {
            #expect(removals.contains(sample.name), "seed \(seed): lost a sample\n\(trace)")
        }
    }

    private func check() async throws {
        let back = try await world.stored().filter { deleted.contains($0.name) }
        #expect(back.isEmpty, "seed \(seed): came back\n\(trace)")
    }

    private mutating func end() async throws {
        for case .undecided(let draft) in try await world.writing().recover() {
            try await world.writing().abandon(draft.id)
            drafts[draft.id] = nil
        }
        for draft in try await world.writing().pending() {
            // An edit of a missing entry, or one that another version has superseded.
            try await world.writing().abandon(draft.id)
        }
        try await world.sync()
        try await world.reconcile()
        try await world.expectSame("seed \(seed)\n\(trace)")
        try await check()
        let stored = try await world.stored()
        for (identifier, _) in drafts {
            let samples = stored.filter { $0.name == identifier }
            #expect(samples.count == 1, "seed \(seed): \(samples.count) for a draft\n\(trace)")
        }
        #expect(Set(stored.map(\.name)).count == stored.count, "seed \(seed)\n\(trace)")
        try await checkNotes()
        #expect(try await !world.reconcile().foundDifferences, "seed \(seed)\n\(trace)")
    }

    /// Checks that each pending note exists once, on its entry.
    private func checkNotes() async throws {
        for entry in try await world.entries() {
            guard let identifier = entry.syncIdentifier, drafts[identifier] != nil else { continue }
            let notes = try await world.mirror.attachments(of: entry.id).map(\.content)
            #expect(notes.filter { $0 == .note(identifier) }.count == 1, "seed \(seed)\n\(trace)")
        }
    }

    private mutating func anyEntry() async throws -> MirrorEntry? {
        let entries = try await world.entries([.synced, .notVisible])
        return entries.isEmpty ? nil : entries[below(entries.count)]
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private var trace: String { log.joined(separator: "\n") }
}

extension HKSample {
    /// The sync identifier, or the UUID if there is none.
    fileprivate var name: String {
        metadata?[HKMetadataKeySyncIdentifier] as? String ?? uuid.uuidString
    }
}
