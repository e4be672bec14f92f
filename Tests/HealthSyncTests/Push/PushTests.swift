import Foundation
import HealthStorage
import HealthSync
import OpenHealthKit
import Testing

@Suite struct PushTests {
    private let steps = HKQuantityType(.stepCount)

    @Test("existing samples are sent newest first, then changes and deletions")
    func order() async throws {
        let world = try await PushWorld()
        let walks = try await world.saveWalks(5)
        let (watcher, push) = try await world.launch([steps], pageSize: 2)
        #expect(try await watcher.sync().failures.isEmpty)
        let sent = world.bodies.flatMap { body in
            walks.indices.filter { body.contains(walks[$0].uuid.uuidString) }.reversed()
        }
        #expect(sent == [4, 3, 2, 1, 0])
        try await world.store.delete(walks[1])
        try await world.saveWalks(1, from: 10)
        #expect(try await watcher.sync().failures.isEmpty)
        #expect(world.server.count(.accepted) == 6)
        #expect(world.server.count(.deleted) == 1)
        #expect(world.server.count(.duplicate) == 0)
        let (phone, server) = try world.exports()
        #expect(phone.count == 5)
        #expect(phone == server)
        #expect(push.state.records.received == 7)
        #expect(push.state.records.accepted == 6)
        #expect(push.state.records.deleted == 1)
        #expect(push.state.pages == world.server.now.requests.count)
        #expect(push.state.activity == .idle)
        #expect(push.state.lastReceipt?.hasPrefix("r-") == true)
    }

    @Test("each page begins at the position after the one before")
    func cursors() async throws {
        let world = try await PushWorld()
        try await world.saveWalks(5)
        let (watcher, _) = try await world.launch([steps], pageSize: 2)
        _ = try await watcher.sync()
        var last: String?
        for body in world.bodies {
            let header = try #require(body.split(separator: "\n").first)
            let fields = try #require(
                JSONSerialization.jsonObject(with: Data(header.utf8)) as? [String: Any])
            #expect(fields["from"] as? String == last)
            last = fields["to"] as? String
        }
        #expect(world.server.now.cursors.values.map { $0 } == [last])
        #expect(world.bodies.count >= 3)
    }

    @Test("the end of a whole first run is declared once, and not for a window")
    func complete() async throws {
        let world = try await PushWorld()
        try await world.saveWalks(4)
        for _ in 1...2 { try await world.syncUntilDone([steps], pageSize: 2) }
        #expect(world.server.now.completeTypes == [steps.identifier])
        let window = try await PushWorld()
        try await window.saveWalks(4)
        let (watcher, _) = try await window.launch(
            [steps], firstRun: .window(since: PushWorld.start), pageSize: 2)
        _ = try await watcher.sync()
        #expect(window.server.now.completeTypes.isEmpty)
        #expect(window.server.count(.accepted) == 4)
    }

    @Test("nothing is sent of a type without samples")
    func nothing() async throws {
        let world = try await PushWorld()
        try await world.syncUntilDone()
        #expect(world.server.now.requests.isEmpty)
        try await world.saveWalks(1)
        try await world.syncUntilDone()
        #expect(world.server.count(.accepted) == 1)
        #expect(world.server.now.completeTypes.isEmpty)
    }

    @Test("the activity summary of a day is sent once, and again after its values changed")
    func activitySummaries() async throws {
        let world = try await PushWorld()
        let calendar = Calendar(identifier: .gregorian)
        let (_, push) = try await world.launch()
        let summary = HKObjectType.activitySummaryType()
        try await world.store.requestAuthorization(toShare: [], read: [summary])
        #expect(try await push.sendActivitySummaries(calendar: calendar) == 0)
        try world.saveRings(412.5)
        #expect(try await push.sendActivitySummaries(calendar: calendar) == 1)
        #expect(try await push.sendActivitySummaries(calendar: calendar) == 0)
        try world.saveRings(430)
        #expect(try await push.sendActivitySummaries(calendar: calendar) == 1)
        world.server.change { $0.cursors = [:] }
        #expect(try await push.sendActivitySummaries(calendar: calendar) == 1)
        #expect(world.server.count(.accepted) == 1)
        #expect(world.server.count(.changed) == 1)
        #expect(world.server.count(.duplicate) == 1)
        let stored = try world.exports().server
        #expect(stored.count == 1)
        #expect(stored.first?.contains(#""date":"2026-03-01","activeEnergyBurned":430"#) == true)
    }

    @Test("requests go to the target only, with its token and the type of the body")
    func requests() async throws {
        let world = try await PushWorld()
        try await world.saveWalks(1)
        try await world.syncUntilDone([steps])
        for request in world.server.now.requests {
            #expect(request.url.absoluteString == "http://127.0.0.1:8080/v1/changes")
            #expect(request.headers["Authorization"] == "Bearer secret")
            #expect(request.headers["Content-Type"] == "application/x-ndjson")
        }
        #expect(!world.server.now.requests.isEmpty)
    }

    @Test(
        "addresses without encryption are accepted on this machine only",
        arguments: [
            ("https://home.example", true), ("https://home.example/other/path", true),
            ("http://localhost:8080", true), ("http://127.0.0.1", true), ("http://[::1]:80", true),
            ("http://home.example", false), ("http://127.0.0.1.example.com", false),
            ("http://127.example.com", false), ("ftp://localhost", false), ("https://", false),
            ("http:" + "//10.0.0.1", false), ("localhost:8080", false),
        ])
    func addresses(text: String, isAccepted: Bool) throws {
        let url = try #require(URL(string: text))
        let target = try? PushTarget(url: url, token: "secret")
        #expect((target != nil) == isAccepted)
    }

    @Test("a path of the target is kept, and a token of other characters is refused")
    func target() throws {
        let url = try #require(URL(string: "https://home.example/other/path"))
        #expect(try PushTarget(url: url, token: "t").url == url)
        for token in ["", "a b", "a\nb", "é"] {
            #expect(throws: PushError.self) { try PushTarget(url: url, token: token) }
        }
    }

    @Test("a push needs a position file, and a name of its own")
    func names() async throws {
        let world = try await PushWorld()
        let (watcher, _) = try await world.launch([steps])
        await #expect(throws: SubscriberError.nameInUse("push")) {
            _ = try await watcher.push(to: world.target())
        }
        let other = Watcher(
            store: world.store, types: [], positions: TransactionalRecorder())
        await #expect(throws: SubscriberError.noPositionFile) {
            _ = try await other.push(to: world.target())
        }
    }

    @Test("the states begin with the current one, and end in the state after the last page")
    func states() async throws {
        let world = try await PushWorld()
        try await world.saveWalks(3)
        let (watcher, push) = try await world.launch([steps])
        var states = push.states.makeAsyncIterator()
        #expect(await states.next()?.activity == .idle)
        _ = try await watcher.sync()
        #expect(await states.next()?.records.accepted == 3)
    }
}
