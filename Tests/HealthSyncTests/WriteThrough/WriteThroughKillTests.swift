import Foundation
import HealthSync
import HealthTesting
import OpenHealthKit
import Testing

/// The user's actions while the process isn't running.
enum Meanwhile {
    case nothing, deletes
}

@Suite(.inTestAll) struct WriteThroughKillTests {
    static let steps: [SyncStep] = [
        .transactionBegun, .rowsWritten, .transactionCommitted, .writeJournalled, .sampleSaved,
        .sampleReadBack, .sampleDeleted, .entryAcknowledged,
    ]

    @Test(
        "a save killed at any step is finally one sample, or none if the person deleted it")
    func log() async throws {
        var reachedSteps: Set<SyncStep> = []
        for step in Self.steps {
            for time in 1...2 {
                for meanwhile in [Meanwhile.nothing, .deletes] {
                    let world = try await WritesWorld()
                    try await world.sync()
                    var draft = world.draft()
                    draft.attachments = [.note("kept")]
                    world.kill.arm(step, time: time)
                    let reason = try await world.reason { try await world.writing().log(draft) }
                    guard world.kill.isDone else { continue }
                    reachedSteps.insert(step)
                    #expect(reason == .interrupted)
                    let saved = try await world.stored()
                    if meanwhile == .deletes { try await world.personDeletes(saved) }
                    try await world.writing().recover()
                    try await world.sync()
                    try await world.writing().recover()
                    let isGone = meanwhile == .deletes && !saved.isEmpty
                    try await world.expectConsistent("log \(step) \(time) \(meanwhile)")
                    let wasJournalled =
                        !(step == .transactionBegun || step == .rowsWritten) || time > 1
                    let stored = try await world.stored()
                    #expect(
                        stored.count == (isGone || !wasJournalled ? 0 : 1), "\(step) \(meanwhile)")
                    let notes = try await world.notes(of: stored.first?.uuid)
                    #expect(notes == (wasJournalled ? 1 : 0), "\(step) \(time) \(meanwhile)")
                }
            }
        }
        #expect(reachedSteps == Set(Self.steps).subtracting([.sampleDeleted]))
    }

    @Test("an edit killed at any step is finally one sample, or none if it was deleted")
    func edit() async throws {
        for step in Self.steps where step != .sampleDeleted {
            for time in 1...2 {
                for meanwhile in [Meanwhile.nothing, .deletes] {
                    let world = try await WritesWorld()
                    try await world.sync()
                    var draft = world.draft(82)
                    draft.attachments = [.note("kept")]
                    let entry = try await world.writing().log(draft)
                    world.kill.arm(step, time: time)
                    _ = try await world.reason {
                        try await world.writing().edit(entry.id, to: world.draft(81))
                    }
                    guard world.kill.isDone else { continue }
                    if meanwhile == .deletes {
                        try await world.personDeletes(try await world.stored())
                    }
                    try await world.writing().recover()
                    try await world.sync()
                    try await world.writing().recover()
                    try await world.expectConsistent("edit \(step) \(time) \(meanwhile)")
                    let stored = try await world.stored()
                    #expect(stored.count == (meanwhile == .deletes ? 0 : 1), "\(step) \(meanwhile)")
                    #expect(try await world.notes(of: stored.first?.uuid) == 1)
                }
            }
        }
    }

    @Test("a removal killed at any step is completed, or was not journalled")
    func remove() async throws {
        var reachedSteps: Set<SyncStep> = []
        for step in Self.steps {
            for time in 1...2 {
                for meanwhile in [Meanwhile.nothing, .deletes] {
                    let world = try await WritesWorld()
                    try await world.sync()
                    var draft = world.draft(82)
                    draft.attachments = [.note("kept")]
                    let entry = try await world.writing().log(draft)
                    try await world.writing().log(world.draft(90, at: 60))
                    world.kill.arm(step, time: time)
                    _ = try await world.reason { try await world.writing().remove(entry.id) }
                    guard world.kill.isDone else { continue }
                    reachedSteps.insert(step)
                    if meanwhile == .deletes {
                        let left = try await world.stored().filter { $0.uuid == entry.id }
                        try await world.personDeletes(left)
                    }
                    try await world.writing().recover()
                    try await world.sync()
                    try await world.writing().recover()
                    try await world.expectConsistent("remove \(step) \(time) \(meanwhile)")
                    // The write is missing from the journal only before the first commit.
                    let isLeft =
                        meanwhile == .nothing && time == 1
                        && (step == .transactionBegun || step == .rowsWritten)
                    let stored = try await world.stored()
                    #expect(stored.count == (isLeft ? 2 : 1), "\(step) \(time) \(meanwhile)")
                    let left = stored.first { $0.uuid == entry.id }
                    #expect(try await world.notes(of: left?.uuid) == 1)
                }
            }
        }
        #expect(
            reachedSteps.isSuperset(of: [.writeJournalled, .sampleDeleted, .entryAcknowledged]))
    }

    @Test("a recovery killed at any step is completed by the next one")
    func recover() async throws {
        for first in [SyncStep.writeJournalled, .sampleSaved] {
            for step in Self.steps {
                for time in 1...2 {
                    let world = try await WritesWorld()
                    var draft = world.draft()
                    draft.attachments = [.note("kept")]
                    world.kill.arm(first)
                    _ = try await world.reason { try await world.writing().log(draft) }
                    world.kill.arm(step, time: time)
                    _ = try? await world.writing().recover()
                    guard world.kill.isDone else { continue }
                    try await world.writing().recover()
                    try await world.expectConsistent("recover \(first) \(step) \(time)")
                    let stored = try await world.stored()
                    #expect(stored.count == 1, "\(first) \(step) \(time)")
                    #expect(try await world.notes(of: stored.first?.uuid) == 1)
                }
            }
        }
    }

    @Test("a reconciliation killed at any step is completed by the next one")
    func reconcile() async throws {
        var reachedSteps: Set<SyncStep> = []
        for step in SyncStep.allCases {
            for time in 1...3 {
                let world = try await WritesWorld()
                let entry = try await world.writing().log(world.draft(82))
                try await world.writing().log(world.draft(83, at: 60))
                try await world.sync()
                try await world.personDeletes(
                    try await world.stored().filter { $0.uuid == entry.id })
                try world.purgeTombstones()
                _ = try await world.save(70, at: 120)
                world.kill.arm(.writeJournalled)
                _ = try await world.reason {
                    try await world.writing().log(world.draft(84, at: 180))
                }
                world.kill.arm(step, time: time)
                _ = try? await world.reconcile()
                if world.kill.isDone { reachedSteps.insert(step) }
                world.kill.disarm()
                let report = try await world.reconcile()
                #expect(report.isComplete)
                try await world.expectConsistent("reconcile \(step) \(time)")
                #expect(try await world.stored().count == 3, "\(step) \(time)")
            }
        }
        #expect(
            reachedSteps.isSuperset(of: [
                .windowRead, .windowCompared, .windowCommitted, .rowsWritten,
            ]))
    }

    @Test("a mirror that is reopened after a kill completes its journal")
    func reopened() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("writes-" + UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("mirror.sqlite")
        let world = try await WritesWorld(file: file)
        let draft = world.draft()
        world.kill.arm(.sampleSaved)
        _ = try await world.reason { try await world.writing().log(draft) }
        let again = try Mirror(at: file)
        let clock = world.clock
        let writing = WriteThrough(store: world.store, mirror: again, now: { clock { $0 } })
        #expect(try await writing.pending() == [draft])
        guard case .acknowledged(let entry) = try await writing.recover().first else {
            Issue.record("not acknowledged")
            return
        }
        #expect(entry.syncIdentifier == draft.id)
        #expect(try await again.entries(of: WritesWorld.mass) == [entry])
    }
}

extension WritesWorld {
    /// Checks that nothing is pending and that the mirror equals HealthKit's visible samples.
    func expectConsistent(_ what: String) async throws {
        #expect(try await writing().pending().isEmpty, "\(what)")
        let shown = try await visible().map(\.uuid).sorted { $0.uuidString < $1.uuidString }
        let kept = try await entries().map(\.id).sorted { $0.uuidString < $1.uuidString }
        #expect(kept == shown, "\(what)")
    }

    /// Returns the number of notes on a sample, or of unattached notes if there is no sample.
    func notes(of sample: UUID?) async throws -> Int {
        if let sample { return try await mirror.attachments(of: sample).count }
        return try await mirror.unattached().count
    }
}
