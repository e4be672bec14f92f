import Foundation
import HealthSync
import HealthTesting
import Testing

@testable import torture

/// Tests of the torture tool, and its results for the real client.
@Suite(.inTestAll) struct TortureTests {
    private static let isLong = TestTier.isTorture

    @Test("HealthSync violates no invariant", arguments: [1, 2] as [UInt64])
    func healthSync(part: UInt64) async {
        let series = TortureSeries(
            torture: SyncTorture(launch: MirrorClient.launch), seed: part * 1_000_000,
            count: Self.isLong ? 2000 : 60, jobs: 1)
        let failure = await series.run().failure
        #expect(failure == nil, "seed \(failure?.schedule.seed ?? 0): \(failure?.violations ?? [])")
    }

    @Test("a correct simple client passes", arguments: [1, 2] as [UInt64])
    func rightClient(part: UInt64) async {
        let series = TortureSeries(
            torture: SyncTorture(launch: SimpleClient.launch()), seed: part * 100_000,
            count: Self.isLong ? 2000 : 60, jobs: 1)
        let failure = await series.run().failure
        #expect(failure == nil, "seed \(failure?.schedule.seed ?? 0): \(failure?.violations ?? [])")
    }

    @Test("each classic fault makes the torture fail", arguments: ClassicFault.allCases)
    func classicFault(fault: ClassicFault) async throws {
        var series = TortureSeries(
            torture: SyncTorture(launch: SimpleClient.launch(fault)), seed: 1, count: 400, jobs: 1)
        if fault == .anchorBeforeData {
            // The fault is visible only if the work ends between the two steps.
            series.pairs = [SyncMoment.Step.transactionCommitted, .transactionBegun, .rowsWritten]
                .flatMap {
                    [SyncPair(.processKilled, after: $0), .init(.mirrorDiskFull, after: $0)]
                }
        }
        let failure = try #require(await series.run().failure, "400 schedules did not find it")
        #expect(!failure.violations.contains { $0.rule == .harness })
    }

    @Test(
        "each classic fault violates its invariant",
        arguments: [
            (ClassicFault.anchorBeforeData, "lost-page", TortureViolation.Rule.converges),
            (.deletionsIgnored, "deletion", .converges),
            (.oneAnchorByCount, "two-types", .converges),
            (.timestampsAsAnchors, "late", .converges),
            (.resurrection, "deletion-unseen", .resurrectsNothing),
            (.absenceTakenForDeletion, "hidden", .absenceIsNoProof),
        ])
    func classicPromise(fault: ClassicFault, name: String, rule: TortureViolation.Rule) async {
        let schedule = Self.schedules[name] ?? SyncSchedule(events: [])
        let wrong = await SyncTorture(launch: SimpleClient.launch(fault)).play(schedule)
        #expect(wrong.violations.contains { $0.rule == rule }, "\(wrong.violations)")
        let right = await SyncTorture(launch: SimpleClient.launch()).play(schedule)
        #expect(right.violations.isEmpty)
        let healthSync = await SyncTorture(launch: MirrorClient.launch).play(schedule)
        #expect(healthSync.violations.isEmpty)
    }

    /// The shortest schedules that show each fault.
    private static let schedules: [String: SyncSchedule] = [
        "lost-page": SyncSchedule(events: [
            .app(AppAction(.sync)),
            .happens(SyncFault(.save, number: 1, count: 2)),
            .injected(SyncFault(.processKilled), at: SyncMoment(.transactionCommitted)),
            .app(AppAction(.sync)),
        ]),
        "deletion": SyncSchedule(events: [
            .happens(SyncFault(.save, number: 1)), .app(AppAction(.sync)),
            .happens(SyncFault(.deletion, number: 1)), .app(AppAction(.sync)),
        ]),
        "two-types": SyncSchedule(
            settings: .init(types: [.bodyMass, .stepCount]),
            events: [
                .happens(SyncFault(.save, of: .stepCount, by: .watch, number: 1)),
                .happens(SyncFault(.save, number: 2, count: 5)), .app(AppAction(.sync)),
            ]),
        "late": SyncSchedule(events: [
            .app(AppAction(.sync)), .happens(SyncFault(.lateBatch, by: .watch, number: 41)),
            .app(AppAction(.sync)),
        ]),
        "deletion-unseen": SyncSchedule(events: [
            .app(AppAction(.log, number: 1)), .happens(SyncFault(.deletion, number: 1)),
            .happens(SyncFault(.tombstonesPurgedEarly)), .app(AppAction(.reconcile)),
        ]),
        "hidden": SyncSchedule(events: [
            .happens(SyncFault(.save, number: 1)), .app(AppAction(.log, number: 2)),
            .app(AppAction(.sync)), .happens(SyncFault(.readRevoked)),
            .app(AppAction(.reconcile)),
        ]),
    ]

    @Test("own weights hidden by limited history are not treated as deleted")
    func limitedHistory() async {
        let schedule = SyncSchedule(events: [
            .app(AppAction(.log, number: 1)), .app(AppAction(.attach, number: 1)),
            .happens(SyncFault(.clockForward)), .app(AppAction(.log, number: 2)),
            .happens(SyncFault(.limitedHistory)), .app(AppAction(.reconcile)),
        ])
        let outcome = await SyncTorture(launch: MirrorClient.launch).play(schedule)
        #expect(outcome.violations.isEmpty)
    }

    @Test("a failing schedule is reduced to the needed events")
    func shrinking() async throws {
        let torture = SyncTorture(launch: SimpleClient.launch(.deletionsIgnored))
        var events: [SyncEvent] = (1...6).map { .happens(SyncFault(.save, number: $0 * 10)) }
        events += [
            .app(AppAction(.sync)), .happens(SyncFault(.travel)),
            .happens(SyncFault(.deletion, number: 30)), .app(AppAction(.recover)),
        ]
        let schedule = SyncSchedule(seed: 9, events: events)
        let violations = await torture.play(schedule).violations
        let shortest = await torture.shrink(.init(schedule: schedule, violations: violations))
        #expect(shortest.schedule.events.count == 3)
        #expect(shortest.schedule.seed == 9)
        #expect(!shortest.violations.isEmpty)
    }

    @Test("the steps of schedules equal those of HealthSync, and every pair can be a target")
    func steps() {
        #expect(SyncMoment.Step.allCases.map(\.rawValue) == SyncStep.allCases.map(\.rawValue))
        // 26 faults after 18 steps, except for the excluded combinations.
        let ruledOut = TortureCoverage.exclusions.map { $0.faults.count * $0.steps.count }
        #expect(ruledOut == [6, 2])
        #expect(TortureCoverage.pairs.count == 26 * 18 - 8)
        #expect(TortureCoverage.exclusions.allSatisfy { !$0.reason.isEmpty })
    }

    @Test("a seed nearly always hits its target pair")
    func aim() async {
        let torture = SyncTorture(launch: MirrorClient.launch)
        var hits = 0
        for seed in stride(from: UInt64(3), to: 460, by: 19) {
            let pair = TortureCoverage.pairs[Int(seed) % TortureCoverage.pairs.count]
            let schedule = SyncSchedule(seed: seed, aimingAt: TortureCoverage.pairs)
            if await torture.play(schedule).hits.contains(pair) { hits += 1 }
        }
        #expect(hits >= 21, "of 25")
    }
}

/// Tests of `swift run torture` as a command.
@Suite(.inTestAll) struct TortureCommandTests {
    @Test("the number of schedules is printed as text and JSON, with exit code 0")
    func series() throws {
        let run = try runTool(["--schedules", "3", "--seed", "5", "--json"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.object?["schedules"] as? Int == 3)
        #expect(run.object?["failed"] as? Int == 0)
        #expect((run.object?["notHit"] as? [Any])?.isEmpty == false)
        let words = try runTool(["--schedules", "1"])
        #expect(words.output.contains("1 schedule run"))
    }

    @Test("missed pairs fail the command only on request")
    func requiredPairs() throws {
        let run = try runTool(["--schedules", "1", "--require-all-pairs"])
        #expect(run.status == 1)
        #expect(run.output.contains("Did not occur:"))
    }

    @Test("a schedule is replayed from its file")
    func replay() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/schedule.json"
        try SyncSchedule(seed: 8).json.write(to: URL(fileURLWithPath: file))
        let run = try runTool(["--replay", file])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("No violations found."))
        try Data("{}".utf8).write(to: URL(fileURLWithPath: file))
        #expect(try runTool(["--replay", file]).status == 1)
        #expect(try runTool(["--replay", folder.path + "/none"]).status == 1)
    }

    @Test("a file to replay that is a pipe or a device is refused at once")
    func otherFiles() throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, "/dev/zero"] {
            let run = try runTool(["--replay", path], within: 60)
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(run.errors.contains("is not a readable schedule file"), "\(run.errors)")
        }
    }

    @Test("invalid counts are usage errors", arguments: ["--schedules 0", "--jobs 0", "--kills 0"])
    func wrongUsage(options: String) throws {
        let words = options.split(separator: " ").map(String.init)
        #expect(try runTool(words).status == 64)
    }

    @Test("killed processes lose nothing", .timeLimit(.minutes(10)))
    func kills() throws {
        let isLong = TestTier.isTorture
        let run = try runTool(["--kills", isLong ? "100" : "20", "--json"])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.object?["kills"] as? Int == (isLong ? 100 : 20))
        #expect(try #require(run.object?["weights"] as? Int) > 0)
        #expect((run.object?["steps"] as? [String])?.isEmpty == false)
    }
}
