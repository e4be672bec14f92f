import Foundation
import HealthSync
import OpenHealthKit
import Testing

@Suite struct WatcherFirstRunTests {
    @Test("the first run hands over the whole history, newest first, page by page")
    func everything() async throws {
        let world = try await WatcherWorld()
        let saved = try await world.saveMasses(25)
        let recorder = Recorder()
        let watcher = world.watcher(pageSize: 10)
        try await watcher.deliver(to: recorder, named: "test")
        let summary = try await watcher.sync()
        #expect(recorder.added == saved.reversed())
        #expect(recorder.batches.allSatisfy { $0.origin == .history })
        #expect(recorder.batches.count == 3)
        #expect(summary.added == 25 && summary.isComplete)
        #expect(try await watcher.sync().batches == 0)
    }
}
