import Foundation
import OpenHealthKit
import Synchronization
import Testing

/// Concurrent wakes that read from the same anchor.
@Suite struct RacingWatcherTests {
    @Test(
        "three concurrent calls that read from one anchor get a sample three times: a finding",
        arguments: RacingWatcher.ReadContext.allCases)
    func threeWakes(context: RacingWatcher.ReadContext) async throws {
        let fixture = try ClientFixture()
        try await fixture.authorize()
        let watcher = RacingWatcher(healthStore: fixture.store, readsIn: context)
        let gate = DispatchSemaphore(value: 0)
        let reading = Mutex(0)
        watcher.willHandle = {
            reading.withLock { $0 += 1 }
            gate.wait()
            gate.signal()
        }
        watcher.start()
        #expect(await ClientFixture.eventually { watcher.hasAnchor })
        for hour in 1...3 {
            try await fixture.recordSteps([(Double(hour), 0.5, 500)], by: fixture.watch)
            #expect(await ClientFixture.eventually { watcher.wakeCount == hour + 1 })
            // The next walk must not be part of this wake's read.
            #expect(await ClientFixture.eventually { reading.withLock { $0 } == hour })
        }
        gate.signal()
        // Sample 1, then 1 and 2, then all three.
        #expect(await ClientFixture.eventually { watcher.counts.count == 6 })
        let diagnostics = fixture.store.diagnostics
        let findings = diagnostics.findings.map(\.kind).filter {
            if case .changesReadTwice = $0 { true } else { false }
        }
        #expect(findings.count == 2)
        #expect(diagnostics.summary.contains("two observer updates"))
    }

    @Test("a watcher that reads once at a time gives no finding")
    func inTurn() async throws {
        let fixture = try ClientFixture()
        try await fixture.authorize(read: [
            HKQuantityType(.dietaryEnergyConsumed), HKQuantityType(.stepCount),
            HKCategoryType(.sleepAnalysis),
        ])
        let watcher = HealthWatcher(healthStore: fixture.store)
        watcher.start()
        for hour in 1...20 {
            try await fixture.recordSteps([(Double(hour), 0.5, 500)], by: fixture.watch)
        }
        #expect(await ClientFixture.eventually { watcher.entries.count == 20 })
        #expect(
            !fixture.store.diagnostics.findings.contains {
                $0.rule == .readSequentially
            })
    }
}
