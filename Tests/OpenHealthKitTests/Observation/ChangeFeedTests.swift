import Foundation
import HealthStorage
import HealthTesting
import Testing

@testable import OpenHealthKit

/// Notifications about changes, from this process and others.
@Suite struct ChangeFeedTests {
    private let steps = StoreFixture.steps

    @Test("§7.1 each save and deletion notifies every listener with the changed type")
    func wakes() async throws {
        let fixture = try await StoreFixture.authorized()
        let (first, second) = (Collected<StoreChange>(), Collected<StoreChange>())
        let feed = fixture.store.connection.feed
        let subscriptions = [
            feed.subscribe { first.add($0) }, feed.subscribe { second.add($0) },
        ]
        let walk = fixture.walk()
        try await fixture.store.save(walk)
        #expect(await eventually { first.count == 1 && second.count == 1 })
        try await fixture.store.delete(walk)
        #expect(await eventually { first.count == 2 && second.count == 2 })
        let code = try #require(AuthorizationTypes.code(of: steps))
        #expect(first.all.allSatisfy { $0.types == [code] })
        #expect(first.all.map(\.sequence) == first.all.map(\.sequence).sorted())
        withExtendedLifetime(subscriptions) {}
    }

    @Test("a listener is not notified of changes before its subscription")
    func before() async throws {
        let fixture = try await StoreFixture.authorized()
        let early = Collected<StoreChange>()
        let feed = fixture.store.connection.feed
        let subscription = feed.subscribe { early.add($0) }
        try await fixture.store.save(fixture.walk())
        let late = Collected<StoreChange>()
        let other = feed.subscribe { late.add($0) }
        #expect(await eventually { early.count == 1 })
        try await Task.sleep(for: .milliseconds(120))
        #expect(late.count == 0)
        withExtendedLifetime((subscription, other)) {}
    }

    @Test("each change of the counter is reported, also a decrease; no change is not")
    func counter() async throws {
        let number = Locked<Int64>(7)
        let feed = ChangeFeed(
            ChangeFeed.Origin(counter: { number { $0 } }, of: []),
            pollingEvery: .milliseconds(5))
        let changes = Collected<StoreChange>()
        let subscription = feed.subscribe { changes.add($0) }
        for (reportedCount, value) in [8, 3, 7].enumerated() {
            try await Task.sleep(for: .milliseconds(50))
            #expect(changes.count == reportedCount)
            number { $0 = Int64(value) }
            #expect(await eventually { changes.count == reportedCount + 1 })
        }
        withExtendedLifetime(subscription) {}
    }

    @Test("after the last subscription ends, the file is not polled")
    func cancel() async throws {
        let fixture = try await StoreFixture.authorized()
        let feed = fixture.store.connection.feed
        let changes = Collected<StoreChange>()
        var subscription: ChangeSubscription? = feed.subscribe { changes.add($0) }
        #expect(feed.isActive)
        subscription?.cancel()
        #expect(!feed.isActive)
        try await fixture.store.save(fixture.walk())
        subscription = feed.subscribe { changes.add($0) }
        subscription = nil
        #expect(!feed.isActive)
        try await Task.sleep(for: .milliseconds(100))
        #expect(changes.count == 0)
    }

    @Test("a change written directly to the in-memory store is reported")
    func direct() async throws {
        let fixture = try await StoreFixture.authorized()
        let changes = Collected<StoreChange>()
        let subscription = fixture.store.connection.feed.subscribe { changes.add($0) }
        let new = try SampleObjects.batch(
            of: [fixture.walk()], source: fixture.store.identity.source.value)
        try fixture.store.connection.store.save(new.batch, uuids: new.uuids, at: 0)
        #expect(await eventually { changes.count == 1 })
        withExtendedLifetime(subscription) {}
    }

    @Test("a commit of another connection to the file is reported")
    func otherConnection() async throws {
        let folder = try StoreFolder()
        let path = folder.path + "/health.sqlite"
        let store = try HKHealthStore(
            path: path, configuration: HealthStoreConfiguration(authorization: .assumed))
        let changes = Collected<StoreChange>()
        let subscription = store.connection.feed.subscribe { changes.add($0) }
        let other = try SampleStore(at: path, access: .writing)
        let new = try SampleObjects.batch(
            of: [StoreFixture(.assumed).walk()],
            source: AppIdentity("com.example.other").source.value)
        try other.save(new.batch, uuids: new.uuids, at: 0)
        #expect(await eventually { changes.count == 1 })
        withExtendedLifetime(subscription) {}
    }

    @Test(
        "an import by another process notifies a listener within 300 ms of its end",
        .enabled(if: OtherProcess.command != nil))
    func otherProcess() async throws {
        let folder = try StoreFolder()
        let path = folder.path + "/health.sqlite"
        let store = try HKHealthStore(
            path: path, configuration: HealthStoreConfiguration(authorization: .assumed))
        let woken = Collected<ContinuousClock.Instant>()
        let subscription = store.connection.feed.subscribe { _ in woken.add(.now) }
        try OtherProcess.importWalk(into: path, folder: folder)
        let end = ContinuousClock.now
        #expect(await eventually { woken.count > 0 })
        #expect(try #require(woken.all.first) < end + .milliseconds(300))
        #expect(try store.visibleCount(steps) == 1)
        withExtendedLifetime(subscription) {}
    }
}

/// The `openhealth` command as another process that writes to a store.
enum OtherProcess {
    /// The command in the folder of the tests; nil if it isn't built.
    static let command: String? = {
        let tests =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments[0]
        let path = URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent("openhealth").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// Imports one walk of a hundred steps and waits until that is done.
    static func importWalk(into store: String, folder: StoreFolder) throws {
        let export = folder.path + "/export.xml"
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US">
             <ExportDate value="2024-05-01 10:00:00 +0200"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Pedometer" unit="count" \
            creationDate="2024-04-30 09:21:07 +0200" startDate="2024-04-30 09:05:00 +0200" \
            endDate="2024-04-30 09:15:00 +0200" value="100"/>
            </HealthData>
            """
        try text.write(toFile: export, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(command))
        process.arguments = ["import", export, "--store", store, "--time-zone", "Europe/Berlin"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
