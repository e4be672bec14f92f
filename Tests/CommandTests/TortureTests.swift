import Foundation
import HealthSimulator
import HealthSync
import Testing

@testable import openhealth

/// The torture itself: that it lets a right client pass, and no wrong one.
@Suite struct TortureTests {
    static let isLong = ProcessInfo.processInfo.environment["OPENHEALTH_TORTURE"] != nil

    @Test("a client that keeps its promises passes", arguments: [1, 2, 3, 4] as [UInt64])
    func rightClient(part: UInt64) async {
        let torture = SyncTorture(launch: PlainClient.launch())
        let count = Self.isLong ? 1000 : 60
        for number in 0..<UInt64(count) {
            let seed = part * 100_000 + number
            let schedule = SyncSchedule(seed: seed, aimingAt: TortureCoverage.pairs)
            let outcome = await torture.play(schedule)
            #expect(outcome.violations.isEmpty, "seed \(seed):\n\(schedule)")
            if !outcome.violations.isEmpty { return }
        }
    }

    @Test("each classic fault makes the torture fail", arguments: ClassicFault.allCases)
    func classicFault(fault: ClassicFault) async {
        let torture = SyncTorture(launch: PlainClient.launch(fault))
        for seed in 0..<UInt64(400) {
            let schedule = SyncSchedule(seed: seed, aimingAt: TortureCoverage.pairs)
            if await !torture.play(schedule).violations.isEmpty { return }
        }
        Issue.record("400 schedules did not find it")
    }
}
