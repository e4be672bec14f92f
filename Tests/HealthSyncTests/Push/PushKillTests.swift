import Foundation
import HealthStorage
import HealthSync
import HealthTesting
import OpenHealthKit
import Testing

/// The process ends, or the connection, at each step of a push in turn.
@Suite struct PushKillTests {
    private let steps = HKQuantityType(.stepCount)

    /// Saves, deletes and syncs in three rounds, each until nothing fails.
    private func run(_ world: PushWorld, dying probe: SyncProbe = .none) async throws {
        var walks: [HKQuantitySample] = []
        for round in 0..<3 {
            walks += try await world.saveWalks(7, from: Double(round * 20))
            if round > 0 {
                try await world.store.delete([walks.removeFirst(), walks.removeLast()])
            }
            let (watcher, _) = try await world.launch([steps], pageSize: 3, probe: probe)
            _ = try? await watcher.sync()
            world.wait()
            if round == 1 { continue }
            #expect(try await world.syncUntilDone([steps], pageSize: 3) < 50)
        }
        #expect(try await world.syncUntilDone([steps], pageSize: 3) < 50)
        let (phone, server) = try world.exports()
        #expect(phone.count == 17)
        #expect(phone == server)
    }

    @Test(
        "a crash of the process at any step loses nothing and doubles nothing",
        arguments: [SyncStep.anchorTaken, .pageRead, .positionStored], 1...6)
    func crashes(step: SyncStep, occurrence: Int) async throws {
        let world = try await PushWorld()
        let (probe, _) = crash(at: step, occurrence)
        try await run(world, dying: probe)
        #expect(world.server.count(.duplicate) == 0)
    }

    @Test(
        "a lost request or answer at any page loses nothing and doubles nothing",
        arguments: 1...12)
    func faults(number: Int) async throws {
        for fault in [PushServer.Fault.lostRequest, .lostAnswer, .status(500)] {
            let world = try await PushWorld { $0 == number ? fault : .none }
            try await run(world)
            // The first page of a stream is always accepted, so it can arrive twice.
            #expect(world.server.count(.duplicate) <= 4)
        }
    }

    @Test("a connection that fails half of the time gives the store of the phone", arguments: 1...8)
    func unreliable(seed: UInt64) async throws {
        let random = LockedBox(SeededRandom(seed: seed))
        let world = try await PushWorld { _ in
            let faults: [PushServer.Fault] = [
                .none, .none, .none, .lostRequest, .lostAnswer, .status(503, retryAfter: "1"),
            ]
            return random { faults[Int.random(in: 0..<6, using: &$0)] }
        }
        try await run(world)
        #expect(world.server.count(.changed) == 0)
    }
}
