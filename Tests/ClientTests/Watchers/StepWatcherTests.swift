import Foundation
import HealthSync
import OpenHealthKit
import Testing

/// The watcher recovers from a damaged position file without the app's help.
@Suite struct StepWatcherTests {
    let fixture: ClientFixture
    let file = FileManager.default.temporaryDirectory
        .appending(path: "steps-\(UUID().uuidString).sqlite")

    init() throws { fixture = try ClientFixture() }

    private func removeFiles() {
        for suffix in ["", "-wal", "-shm", ".set-aside-1"] {
            try? FileManager.default.removeItem(atPath: file.path + suffix)
        }
    }

    @Test("damaged positions are quarantined and reported, and everything is read again")
    func damagedPositions() async throws {
        defer { removeFiles() }
        try await fixture.authorize()
        try await fixture.recordOverlappingSteps()
        do {
            let watcher = try await StepWatcher(healthStore: fixture.store, file: file)
            try await watcher.sync()
            try await watcher.sync()
            #expect(await watcher.steps.deliveries == 6)
            #expect(watcher.lost == nil && watcher.positions.quarantinedFile == nil)
        }
        try Data(repeating: 65, count: 5000).write(to: file)
        let watcher = try await StepWatcher(healthStore: fixture.store, file: file)
        #expect(watcher.positions.quarantinedFile?.reason == .damaged)
        try await watcher.sync()
        #expect(await watcher.steps.counts.values.reduce(0, +) == 11_642)
        #expect(await watcher.steps.losses.map(\.reason) == [.unreadable])
        #expect(watcher.lost?.reason == .unreadable)
        try await watcher.sync()
        #expect(await watcher.steps.losses.count == 1)
    }

    @Test("positions of another store are rejected and reported, and everything is read again")
    func anotherStore() async throws {
        defer { removeFiles() }
        try await fixture.authorize()
        try await fixture.recordOverlappingSteps()
        do {
            let watcher = try await StepWatcher(healthStore: fixture.store, file: file)
            try await watcher.sync()
        }
        let other = try ClientFixture()
        try await other.authorize()
        try await other.recordOverlappingSteps()
        let watcher = try await StepWatcher(healthStore: other.store, file: file)
        try await watcher.sync()
        #expect(await watcher.steps.losses.map(\.reason) == [.refused])
        #expect(await watcher.steps.counts.values.reduce(0, +) == 11_642)
        #expect(watcher.positions.quarantinedFile == nil)
    }
}
