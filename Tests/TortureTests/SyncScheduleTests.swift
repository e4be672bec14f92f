import Foundation
import OpenHealthKit
import Testing

@testable import torture

/// Tests of schedules as values.
@Suite struct SyncScheduleTests {
    @Test("a seed gives the same schedule each time, and another seed a different one")
    func seeds() {
        #expect(SyncSchedule(seed: 5) == SyncSchedule(seed: 5))
        #expect(SyncSchedule(seed: 5) != SyncSchedule(seed: 6))
    }

    @Test("schedules have at most 40 events, and contain their target pair")
    func aims() {
        for seed in 0..<UInt64(2000) {
            let schedule = SyncSchedule(seed: seed)
            let pair = SyncPair.all[Int(seed) % SyncPair.all.count]
            let isAimed = schedule.events.contains { event in
                guard case .injected(let fault, let moment) = event else { return false }
                return SyncPair(fault.kind, after: moment.step) == pair
            }
            #expect(isAimed && (1...40).contains(schedule.events.count), "seed \(seed)")
        }
    }

    @Test("schedules round-trip through JSON")
    func json() throws {
        for seed in 0..<UInt64(50) {
            let schedule = SyncSchedule(seed: seed)
            let data = try JSONEncoder().encode(schedule)
            #expect(try JSONDecoder().decode(SyncSchedule.self, from: data) == schedule)
        }
    }

    @Test("every simplification is shorter or simpler, and the last event can be removed")
    func simplifications() {
        let schedule = SyncSchedule(seed: 17)
        for simpler in schedule.simplifications {
            #expect(simpler != schedule)
            #expect(simpler.events.count <= schedule.events.count)
        }
        let last = SyncSchedule(events: [.app(AppAction(.sync))])
        #expect(last.simplifications.contains { $0.events.isEmpty })
        #expect(SyncSchedule(settings: .init(pageSize: 50), events: []).simplifications.isEmpty)
    }

    @Test("the description of a schedule")
    func text() {
        let schedule = SyncSchedule(events: [
            .happens(SyncFault(.lateBatch, of: .heartRate, by: .watch, number: 7, count: 3)),
            .injected(SyncFault(.processKilled), at: SyncMoment(.rowsWritten, occurrence: 2)),
            .app(AppAction(.log, number: 4)),
        ])
        #expect(
            schedule.description == """
                tracks bodyMass; reads 3 samples at a time; reads on request
                1. watch saves heartRate 7–9, eleven hours old
                2. armed, after rowsWritten, the 2nd: the process is killed
                3. the app: logs weight 4
                """)
    }
}

/// Tests of the health store in schedules.
@Suite struct ScheduledWorldTests {
    private let folder: URL
    private let world: ScheduledWorld
    private static let beginning = Date(timeIntervalSinceReferenceDate: 800_000_000)

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("world-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        world = try ScheduledWorld(
            folder: folder.path, settings: .init(types: [.bodyMass, .stepCount]),
            beginning: Self.beginning)
    }

    private func seen(_ type: ScheduledType = .bodyMass) async throws -> [HKSample] {
        try await HKSampleQueryDescriptor(
            predicates: [.sample(type: type.sampleType)], sortDescriptors: []
        ).result(for: world.store)
    }

    private func removeFolder() { try? FileManager.default.removeItem(at: folder) }

    @Test("samples are saved, changed and deleted, with the expected contents")
    func samples() async throws {
        defer { removeFolder() }
        try world.play(SyncFault(.save, number: 1, count: 3))
        #expect(try await seen().count == 3)
        let first = try #require(try world.contents().first { $0.number == 2 })
        try world.play(SyncFault(.edit, number: 2))
        let second = try #require(try world.contents().first { $0.number == 2 })
        #expect(second.uuid != first.uuid)
        #expect(second.value != first.value)
        for kind in [SyncFault.Kind.equalVersion, .lowerVersion, .duplicateUUID] {
            try world.play(SyncFault(kind, number: 2))
        }
        #expect(try world.contents().first { $0.number == 2 } == second)
        try world.play(SyncFault(.deletion, number: 1))
        #expect(world.isDeleted(1))
        #expect(Set(world.expected().keys) == [2, 3])
        #expect(try Set(world.contents().map(\.number)) == [2, 3])
        try world.play(SyncFault(.duplicateUUID, number: 1))
        #expect(!world.isDeleted(1))
        #expect(try world.contents().count == 3)
    }

    @Test("permissions, a lock and a full disk apply to the app")
    func obstacles() async throws {
        defer { removeFolder() }
        try world.play(SyncFault(.save, number: 1))
        try world.play(SyncFault(.readRevoked))
        #expect(try await seen().isEmpty)
        try world.play(SyncFault(.readGranted))
        #expect(try await seen().count == 1)
        try world.play(SyncFault(.shareRevoked))
        #expect(
            world.store.authorizationStatus(for: ScheduledType.bodyMass.sampleType)
                == .sharingDenied)
        try world.play(SyncFault(.lock))
        await #expect(throws: HKError.self) { try await seen() }
        world.endFaults()
        #expect(try await seen().count == 1)
        try world.play(SyncFault(.healthDiskFull))
        try world.play(SyncFault(.save, number: 2))
        #expect(try world.contents().count == 1)
        try world.play(SyncFault(.limitedHistory))
        try world.play(SyncFault(.diskFreed))
        try world.play(SyncFault(.save, number: 39))
        #expect(try world.contents().count == 2)
        #expect(try await seen().count == 1, "a hundred days is beyond the limit")
    }

    @Test("tombstones are purged after a week, or at once")
    func purges() async throws {
        defer { removeFolder() }
        try world.play(SyncFault(.save, number: 1, count: 2))
        try world.play(SyncFault(.deletion, number: 1))
        #expect(!world.hasForgotten(1))
        try world.play(SyncFault(.tombstonesPurged))
        #expect(world.hasForgotten(1))
        #expect(world.clock.now == Self.beginning.addingTimeInterval(8 * 86_400))
        try world.play(SyncFault(.deletion, number: 2))
        #expect(!world.hasForgotten(2))
        try world.play(SyncFault(.tombstonesPurgedEarly))
        #expect(world.hasForgotten(2))
    }

    @Test("an import can be undone, and a new phone is empty")
    func importsAndPhones() async throws {
        defer { removeFolder() }
        try world.play(SyncFault(.imported, of: .stepCount, number: 5, count: 2))
        #expect(try Set(world.contents().map(\.number)) == [5, 6])
        try world.play(SyncFault(.importUndone))
        #expect(try world.contents().isEmpty)
        #expect(world.wasDeleted(5))
        try world.play(SyncFault(.save, number: 7))
        try world.replacePhone()
        #expect(world.phones == 2)
        #expect(try world.contents().isEmpty)
        #expect(world.expected().isEmpty)
        #expect(try await seen().isEmpty)
    }
}
