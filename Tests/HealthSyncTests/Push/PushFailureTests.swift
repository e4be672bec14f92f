import Foundation
import HealthStorage
import HealthSync
import OpenHealthKit
import Testing

@Suite struct PushFailureTests {
    private let steps = HKQuantityType(.stepCount)

    /// Returns faults by the number of the request.
    private static func faults(
        _ faults: [Int: PushServer.Fault]
    ) -> @Sendable (Int) -> PushServer.Fault { { faults[$0] ?? .none } }

    @Test("a lost answer is made up for by the server’s position; only a first page is sent again")
    func lostAnswer() async throws {
        let world = try await PushWorld(Self.faults([1: .lostAnswer, 3: .lostAnswer]))
        try await world.saveWalks(6)
        try await world.syncUntilDone([steps], pageSize: 2)
        #expect(world.server.count(.accepted) == 6)
        #expect(world.server.count(.duplicate) <= 2)
        let (phone, server) = try world.exports()
        #expect(phone == server)
    }

    @Test("a server that has another position gets everything again, although nothing changed here")
    func otherServer() async throws {
        let world = try await PushWorld()
        try await world.saveWalks(3)
        try await world.syncUntilDone([steps])
        let pages = world.server.now.requests.count
        let (watcher, push) = try await world.launch([steps])
        #expect(try await watcher.sync().failures.isEmpty)
        // One question, and no page.
        #expect(world.server.now.requests.count == pages + 1)
        world.server.change { $0.cursors = [:] }
        #expect(try await watcher.sync().failures.isEmpty)
        #expect(push.state.corrections == 0)
        let (next, later) = try await world.launch([steps])
        #expect(try await next.sync().failures.isEmpty)
        #expect(later.state.corrections == 1)
        #expect(world.server.count(.duplicate) == 3)
        #expect(world.server.count(.accepted) == 3)
    }

    @Test("a lost answer is made up for after samples were deleted meanwhile, too")
    func lostAnswerThenChanges() async throws {
        let world = try await PushWorld(Self.faults([1: .lostAnswer]))
        let walks = try await world.saveWalks(6)
        let (first, _) = try await world.launch([steps], pageSize: 4)
        #expect(try await !first.sync().failures.isEmpty)
        try await world.store.delete([walks[5], walks[0]])
        try await world.saveWalks(1, from: 30)
        world.wait()
        try await world.syncUntilDone([steps], pageSize: 4)
        let (phone, server) = try world.exports()
        #expect(phone.count == 5)
        #expect(phone == server)
        #expect(world.server.count(.duplicate) <= 4)
    }

    @Test("after a failure nothing is sent before the delay, which grows and has jitter")
    func backoff() async throws {
        let isOffline = LockedBox(true)
        let world = try await PushWorld { _ in isOffline { $0 } ? .lostRequest : .none }
        try await world.saveWalks(1)
        let (watcher, push) = try await world.launch([steps], random: { 1 })
        var delays: [Duration?] = []
        for attempt in 1...4 {
            let failures = try await watcher.sync().failures
            delays.append((failures.values.first as? PushError)?.retryDelay)
            #expect(world.server.now.requests.count == attempt)
            // Too early: no request.
            #expect(try await !watcher.sync().failures.isEmpty)
            #expect(world.server.now.requests.count == attempt)
            world.time { $0.addTimeInterval(20) }
        }
        #expect(delays == [.seconds(2), .seconds(4), .seconds(8), .seconds(16)])
        #expect(push.state.lastError?.code == .offline)
        isOffline { $0 = false }
        #expect(try await watcher.sync().failures.isEmpty)
        #expect(push.state.lastError == nil)
        #expect(world.server.count(.accepted) == 1)
        // Half of the delay is random.
        let other = try await PushWorld { _ in .lostRequest }
        try await other.saveWalks(1)
        let (impatient, _) = try await other.launch([steps], random: { 0 })
        let error = try await impatient.sync().failures.values.first as? PushError
        #expect(error?.retryDelay == .seconds(1))
    }

    @Test("types share the delay, so a server that is down gets one request")
    func sharedBackoff() async throws {
        let world = try await PushWorld { _ in .status(503) }
        try await world.saveWalks(1)
        let mass = HKQuantitySample(
            type: HKQuantityType(.bodyMass),
            quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 80),
            start: PushWorld.start, end: PushWorld.start)
        try await world.store.save(mass)
        let (watcher, push) = try await world.launch([steps, HKQuantityType(.bodyMass)])
        #expect(try await watcher.sync().failures.count == 2)
        #expect(world.server.now.requests.count == 1)
        #expect(push.state.lastError?.code == .unavailable(status: 503))
    }

    @Test("the server’s Retry-After is honoured, and the watcher retries by itself")
    func retryAfter() async throws {
        let world = try await PushWorld(Self.faults([1: .status(503, retryAfter: "90")]))
        try await world.saveWalks(1)
        let (watcher, push) = try await world.launch([steps], random: { 0 })
        _ = try await watcher.sync()
        let date = world.time { $0.addingTimeInterval(90) }
        #expect(push.state.activity == .waiting(until: date))
        while world.clock.sleepers == 0 { await Task.yield() }
        world.time { $0.addTimeInterval(90) }
        world.clock.advance(by: .seconds(89))
        #expect(world.server.now.requests.count == 1)
        world.clock.advance(by: .seconds(1))
        while push.state.pages == 0 { await Task.yield() }
        #expect(world.server.count(.accepted) == 1)
    }

    @Test("a refused token stops the push until it gets another one")
    func unauthorized() async throws {
        let world = try await PushWorld()
        try await world.saveWalks(1)
        let (watcher, push) = try await world.launch([steps], token: "old")
        for _ in 1...3 {
            #expect(try await !watcher.sync().failures.isEmpty)
            world.wait()
        }
        #expect(world.server.now.requests.count == 1)
        #expect(push.state.activity == .unauthorized)
        push.resume(with: try world.target())
        #expect(try await watcher.sync().failures.isEmpty)
        #expect(push.state.activity == .idle)
        #expect(world.server.count(.accepted) == 1)
    }

    @Test("a page that is too large is halved until the server takes it")
    func tooLarge() async throws {
        let world = try await PushWorld()
        world.server.change { $0.lineLimit = 3 }
        let walks = try await world.saveWalks(10)
        try await world.syncUntilDone([steps], pageSize: 50)
        #expect(world.server.count(.accepted) == 10)
        #expect(world.server.count(.duplicate) == 0)
        let accepted = world.bodies.map { $0.split(separator: "\n").count - 1 }
        #expect(accepted.prefix(3) == [10, 5, 2])
        try await world.store.delete(walks)
        try await world.syncUntilDone([steps], pageSize: 50)
        #expect(world.server.count(.deleted) == 10)
    }

    @Test("a part of a divided batch whose answer was lost is sent again")
    func lostPart() async throws {
        let world = try await PushWorld(Self.faults([4: .lostAnswer, 6: .lostAnswer]))
        world.server.change { $0.lineLimit = 3 }
        try await world.saveWalks(10)
        try await world.syncUntilDone([steps], pageSize: 50)
        #expect(world.server.count(.accepted) == 10)
        let (phone, server) = try world.exports()
        #expect(phone == server)
    }

    @Test("a sample that is too large even alone is counted, and the others are sent")
    func tooLargeAlone() async throws {
        let world = try await PushWorld()
        world.server.change { $0.lineLimit = 0 }
        try await world.saveWalks(3)
        let (watcher, push) = try await world.launch([steps])
        #expect(try await watcher.sync().failures.isEmpty)
        #expect(push.state.unsent == [steps.identifier: 3])
        world.server.change { $0.lineLimit = 10 }
        try await world.saveWalks(2, from: 20)
        #expect(try await watcher.sync().failures.isEmpty)
        #expect(world.server.count(.accepted) == 2)
    }

    @Test(
        "an answer that isn’t one of the protocol confirms nothing",
        arguments: [
            PushServer.Fault.status(200, body: "<html>Welcome to our Wi-Fi</html>"),
            .status(200, body: "{}"), .status(200, body: #"{"cursor":"1-0"}"#),
            .status(204), .status(302), .status(409, body: "{}"), .status(400), .status(404),
        ])
    func unexpected(fault: PushServer.Fault) async throws {
        let world = try await PushWorld(Self.faults([1: fault, 2: fault]))
        try await world.saveWalks(2)
        let (watcher, push) = try await world.launch([steps])
        #expect(try await !watcher.sync().failures.isEmpty)
        #expect(push.state.pages == 0)
        world.wait()
        try await world.syncUntilDone([steps])
        #expect(world.server.count(.accepted) == 2)
        #expect(world.server.count(.duplicate) == 0)
    }

    @Test("a server with an older position gets everything after it again")
    func restoredServer() async throws {
        let world = try await PushWorld()
        try await world.saveWalks(2)
        try await world.syncUntilDone([steps])
        let backup = world.server.now.cursors
        try await world.saveWalks(3, from: 10)
        try await world.syncUntilDone([steps])
        try await world.saveWalks(4, from: 20)
        try await world.syncUntilDone([steps])
        #expect(world.server.count(.accepted) == 9)
        // The cursor alone is restored here, so that the records after it are recognized.
        world.server.change { $0.cursors = backup }
        try await world.saveWalks(1, from: 30)
        let (watcher, push) = try await world.launch([steps])
        #expect(try await watcher.sync().failures.isEmpty)
        #expect(world.server.count(.accepted) == 10)
        #expect(world.server.count(.duplicate) == 7)
        #expect(push.state.corrections == 1)
    }

    @Test(
        "a server without the position, or with an unknown one, gets everything again",
        arguments: [nil, "999-ffff"])
    func forgetfulServer(cursor: String?) async throws {
        let world = try await PushWorld()
        try await world.saveWalks(3)
        try await world.syncUntilDone([steps])
        world.server.change { content in
            content.cursors = content.cursors.compactMapValues { _ in cursor }
        }
        try await world.saveWalks(1, from: 10)
        try await world.syncUntilDone([steps])
        #expect(world.server.count(.accepted) == 4)
        #expect(world.server.count(.duplicate) == 3)
        #expect(try world.server.sampleCount() == 4)
    }

    @Test("a position older than the last 32 pages is unknown, and nothing grows")
    func oldPosition() async throws {
        let world = try await PushWorld()
        try await world.saveWalks(1)
        try await world.syncUntilDone([steps])
        let backup = world.server.now.cursors
        for minute in 1...40 {
            try await world.saveWalks(1, from: Double(minute))
            try await world.syncUntilDone([steps])
        }
        world.server.change { $0.cursors = backup }
        try await world.saveWalks(1, from: 50)
        try await world.syncUntilDone([steps])
        #expect(try world.server.sampleCount() == 42)
        #expect(world.server.count(.duplicate) == 41)
    }

    @Test("a new phone’s full resend gives duplicates, and no sample twice")
    func newPhone() async throws {
        let world = try await PushWorld()
        try await world.saveWalks(5)
        try await world.syncUntilDone([steps])
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: world.positions.path + suffix)
        }
        try await world.syncUntilDone([steps])
        #expect(world.server.now.cursors.count == 2)
        #expect(world.server.count(.accepted) == 5)
        #expect(world.server.count(.duplicate) == 5)
        #expect(try world.server.sampleCount() == 5)
    }
}
