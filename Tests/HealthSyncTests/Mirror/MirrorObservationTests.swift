import Foundation
import HealthTesting
import OpenHealthKit
import Testing

@testable import HealthSync

@Suite("observation of the mirror", .timeLimit(.minutes(10)))
struct MirrorObservationTests {
    private let request = EntryRequest(of: TestSample.mass)

    @Test("an observation delivers the present entries at once, then each change")
    func changes() async throws {
        let folder = try MirrorFolder()
        var configuration = MirrorConfiguration()
        configuration.observationInterval = .seconds(3_600)
        let mirror = try Mirror(at: folder.file, configuration: configuration)
        var seen = mirror.observeEntries(request).makeAsyncIterator()
        #expect(try await seen.next() == [])
        let sample = TestSample()
        try await mirror.receive([sample])
        #expect(try await seen.next()?.map(\.id) == [sample.uuid])
        var batches = TestBatches()
        try await mirror.receive(batches.next(deleted: [sample]))
        #expect(try await seen.next() == [])
    }

    @Test("a change by another process is delivered")
    func otherProcess() async throws {
        let folder = try MirrorFolder()
        var configuration = MirrorConfiguration()
        configuration.observationInterval = .milliseconds(10)
        let mirror = try Mirror(at: folder.file, configuration: configuration)
        var seen = mirror.observeEntries(request).makeAsyncIterator()
        #expect(try await seen.next() == [])
        // GRDB fetches again when it starts, which would hide a missing later fetch.
        try await Task.sleep(for: .milliseconds(300))
        let sample = TestSample()
        try await folder.mirror().receive([sample])
        #expect(try await seen.next()?.map(\.id) == [sample.uuid])
    }

    @Test("a change that does not affect the result is not delivered")
    func unrelated() async throws {
        let mirror = try Mirror.inMemory()
        var seen = mirror.observeEntries(request).makeAsyncIterator()
        #expect(try await seen.next() == [])
        try await mirror.receive([TestSample(type: .stepCount)])
        let sample = TestSample()
        try await mirror.receive([sample])
        #expect(try await seen.next()?.map(\.id) == [sample.uuid])
    }

    @Test("changes of an entry's attachments are delivered")
    func attachments() async throws {
        let mirror = try Mirror.inMemory()
        let sample = TestSample()
        try await mirror.receive([sample])
        var seen = mirror.observeAttachments(of: sample.uuid).makeAsyncIterator()
        #expect(try await seen.next() == [])
        let note = try await mirror.attach(.note("new"), to: sample.uuid)
        #expect(try await seen.next() == [note])
    }

    // Runs in make test-all.
    @Test(
        "an idle observation uses almost no CPU time: at most one read in three seconds", .inTestAll
    )
    func idle() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try MirrorFolder()
            let mirror = try Mirror(at: folder.file)
            let consumer = Task {
                for try await _ in mirror.observeEntries(EntryRequest(of: TestSample.mass)) {}
            }
            try await Task.sleep(for: .seconds(3))
            let own = ProcessInfo.processInfo.processIdentifier
            let before = try ProcessUsage(of: own)
            try await Task.sleep(for: .seconds(3))
            let use = try ProcessUsage(of: own) - before
            // A poll every 200 ms would add at least thirty wake-ups. The limit includes this
            // test's own sleep.
            #expect(use.contextSwitches <= 12 && use.seconds <= 0.02, "\(use)")
            consumer.cancel()
            try await mirror.receive([TestSample()])
        }
    }

    @Test("an observation ends with its consumer and releases the mirror")
    func ends() async throws {
        weak var observed: Mirror?
        let consumer: Task<Int, any Error>
        do {
            let mirror = try Mirror.inMemory()
            observed = mirror
            let stream = mirror.observeEntries(request)
            consumer = Task {
                var count = 0
                for try await _ in stream { count += 1 }
                return count
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        consumer.cancel()
        #expect(try await consumer.value <= 1)
        #expect(observed == nil)
    }
}
