import Foundation
import HealthSync
import OpenHealthKit
import Testing

@Suite struct ChangeBatchesTests {
    static let key = PositionKey(subscriber: "loop", type: WatcherWorld.mass.identifier)

    @Test("requesting the next batch acknowledges the current one")
    func acknowledges() async throws {
        let world = try await WatcherWorld()
        let saved = try await world.saveMasses(4)
        let watcher = world.watcher(pageSize: 2)
        await watcher.start()
        var iterator = watcher.batches(named: "loop").makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.added.count == 1)
        try await Task.sleep(for: .milliseconds(20))
        #expect(try await world.file.position(for: Self.key) == first.from)
        let second = try #require(try await iterator.next())
        #expect(try await world.file.position(for: Self.key) == first.to)
        #expect(second.from == first.to)
        #expect((first.added + second.added).map(\.uuid) == saved.suffix(2).reversed())
        await watcher.stop()
    }

    @Test("after leaving the loop, the last batch is delivered again, and the subscription ends")
    func left() async throws {
        let world = try await WatcherWorld()
        try await world.saveMasses(3)
        let watcher = world.watcher()
        await watcher.start()
        func first() async throws -> [UUID] {
            for try await batch in watcher.batches(of: [WatcherWorld.mass], named: "loop") {
                return batch.added.map(\.uuid)
            }
            return []
        }
        let once = try await first()
        // The name of a reader is available again after it has ended.
        await eventually {
            do { return try await first() == once } catch { return false }
        }
        #expect(once.count == 3)
        await watcher.stop()
    }

    @Test("a loop ends when its task is cancelled or the watcher is deallocated")
    func ends() async throws {
        let world = try await WatcherWorld()
        weak var released: Watcher?
        do {
            let watcher = world.watcher()
            released = watcher
            await watcher.start()
            let cancelled = Task { [batches = watcher.batches(named: "a")] in
                for try await _ in batches {}
                return true
            }
            let orphaned = Task { [batches = watcher.batches(named: "b")] in
                for try await _ in batches {}
                return true
            }
            try await watcher.sync()
            cancelled.cancel()
            #expect(try await cancelled.value)
            await watcher.stop()
            _ = orphaned
        }
        await eventually { released == nil }
    }

    @Test("a name in use is an error at the first element")
    func names() async throws {
        let watcher = try await WatcherWorld().watcher()
        try await watcher.deliver(to: Recorder(), named: "loop")
        var iterator = watcher.batches(named: "loop").makeAsyncIterator()
        await #expect(throws: SubscriberError.nameInUse("loop")) { try await iterator.next() }
    }
}
