import Foundation
import HealthSync
import OpenHealthKit

/// Plays schedules against a client and checks the invariants of the client.
///
/// ```swift
/// let outcome = await SyncTorture(launch: MirrorClient.launch).play(SyncSchedule(seed: 1))
/// outcome.violations        // [] if nothing is wrong
/// ```
struct SyncTorture: Sendable {
    let launch: ClientLaunch
    /// The folder in which each running schedule has a folder of its own.
    var scratch = SyncTorture.scratchFolder

    /// The outcome of one schedule.
    struct Outcome: Sendable {
        var violations: [TortureViolation] = []
        /// The pairs of faults and steps that occurred.
        var hits: Set<SyncPair> = []
    }

    /// A folder in memory, `/dev/shm`, if it is writable; otherwise the temporary folder.
    static var scratchFolder: URL {
        let memory = URL(filePath: "/dev/shm")
        return FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
    }

    /// The time on the simulated clock when a schedule begins.
    static let beginning = Date(timeIntervalSinceReferenceDate: 800_000_000)

    /// Plays a schedule in a folder of its own, which is removed afterwards.
    func play(_ schedule: SyncSchedule) async -> Outcome {
        let folder = scratch.appending(path: "openhealth-torture-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let world = try ScheduledWorld(
                folder: folder.path, settings: schedule.settings, beginning: Self.beginning)
            let run = TortureRun(schedule, world: world, folder: folder, launch: launch)
            try await run.play()
            return await Outcome(violations: run.violations, hits: run.probe.hits)
        } catch {
            return Outcome(violations: [
                TortureViolation(.harness, "the schedule could not be run: \(error)")
            ])
        }
    }
}

/// The execution of one schedule.
actor TortureRun {
    let schedule: SyncSchedule
    let world: ScheduledWorld
    let folder: URL
    let launch: ClientLaunch
    let ledger = TransactionalRecorder()
    let recorder: TortureRecorder
    let probe: TortureProbe
    var violations: [TortureViolation] = []
    var weights: [Int: OwnWeight] = [:]
    var notes: [String: TortureNote] = [:]
    /// The UUIDs of all entries that the client has shown during this run.
    var shown: Set<UUID> = []
    var tracked: [ScheduledType]
    private var client: (any SyncClient)?
    private var process: TortureProbe.AppProcess

    /// A weight that the app was requested to save.
    struct OwnWeight: Sendable {
        /// The number of versions requested so far.
        var versions = 1
        /// The latest acknowledged version; 0 for none.
        var acknowledged = 0
        /// Whether the client refused the first request to save this weight.
        var isRefused = false
        var isRemoved = false
        /// Whether a request to save or edit this weight stayed pending, or the first request was
        /// interrupted after it was written to the journal.
        var isJournalled = false
        /// ``ScheduledWorld/moment`` at the latest request to save, edit or remove the weight.
        var requested = 0
        /// ``ScheduledWorld/moment`` at the end of the latest request to save or edit the weight.
        var completed = 0
        /// The number of the phone, from 1, on which the latest acknowledged version was requested.
        /// If none was acknowledged, the phone of the first request.
        var phone = 1
    }

    /// A note that the app has attached: the ID of its entry and the number of that sample.
    struct TortureNote: Sendable {
        var entry: UUID
        var number: Int
    }

    /// The time after which an operation counts as hanging. Even a busy machine is faster.
    private static let operationTimeout = Duration.seconds(120)

    init(
        _ schedule: SyncSchedule, world: ScheduledWorld, folder: URL,
        launch: @escaping ClientLaunch, recorder: TortureRecorder = TortureRecorder()
    ) {
        self.recorder = recorder
        self.schedule = schedule
        self.world = world
        self.folder = folder
        self.launch = launch
        tracked = schedule.settings.types
        probe = TortureProbe(world, ledger)
        process = TortureProbe.AppProcess(in: world)
    }

    func violate(_ rule: TortureViolation.Rule, _ text: String) {
        let violation = TortureViolation(rule, text)
        if !violations.contains(violation) { violations.append(violation) }
    }

    // MARK: The schedule

    func play() async throws {
        for event in schedule.events {
            switch event {
            case .injected(let fault, let moment): probe.arm(fault, moment)
            case .happens(let fault): await happen(fault)
            case .app(let action): await act(action)
            }
            await awaitObservers()
        }
        probe.disarm()
        await endInjections()
        try await checkEverything()
        await close()
        for error in probe.errors { violate(.harness, error) }
    }

    private func happen(_ fault: SyncFault) async {
        do {
            if client == nil, fault.kind.affectsApp, fault.kind != .emptyPhone { return }
            try probe.play(fault, process)
        } catch is ProcessKilled {
            await close()
        } catch {
            violate(.harness, "\(fault): \(error)")
        }
    }

    /// In a schedule in which the app observes changes, starts the app if it doesn't run. Waits at
    /// most 0.3 seconds until faults that are armed at observer steps occur, and then for the end
    /// of all faults.
    private func awaitObservers() async {
        guard schedule.settings.attention == .observing else { return }
        if client == nil { await open() }
        for _ in 0..<60 {
            guard probe.isArmed(at: .woken) || probe.isArmed(at: .completionCalled) else { break }
            try? await Task.sleep(for: .milliseconds(5))
        }
        try? await Task.sleep(for: .milliseconds(2))
        await endInjections()
        if process.hasEnded { await close() }
    }

    /// Waits for the end of faults that occurred during the app's work. Observer callbacks run on
    /// threads that nothing else waits for.
    private func endInjections() async {
        let limit = ContinuousClock.now + Self.operationTimeout
        while probe.isInjecting {
            guard ContinuousClock.now < limit else {
                return violate(.harness, "a fault did not end")
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    // MARK: Processes

    /// Returns the running client, or starts one, which first completes interrupted writes.
    ///
    /// - Returns: The client; nil if it can't be started, or was killed at each of 20 attempts.
    @discardableResult
    func open() async -> (any SyncClient)? {
        for _ in 0..<20 {
            if let client { return client }
            let process = TortureProbe.AppProcess(in: world)
            self.process = process
            let environment = ClientEnvironment(
                store: world.store, folder: folder, types: tracked,
                pageSize: schedule.settings.pageSize, now: { [clock = world.clock] in clock.now },
                probe: probe.probe(of: process), ledger: ledger, recorder: recorder)
            do {
                let new = try await launch(environment)
                client = new
                probe.setClient(new)
                if schedule.settings.attention == .observing { await new.start() }
                await work { try await $0.recover() }
            } catch is ProcessKilled {
                continue
            } catch {
                violate(.harness, "the app can't be opened: \(error)")
                return nil
            }
        }
        return client
    }

    func close() async {
        guard let old = client else { return }
        client = nil
        probe.setClient(nil)
        process.kill()
        await old.end()
    }

    /// Runs an operation of the client. One that takes more than 120 seconds is cancelled and
    /// counts as a violation.
    ///
    /// - Returns: The result; nil if no client runs, its process has ended, or the operation was
    ///   cancelled or failed.
    func work<Value: Sendable>(
        _ body: @escaping @Sendable (any SyncClient) async throws -> Value
    ) async -> Value? {
        guard let client = client else { return nil }
        let task = Task { try await body(client) }
        process.setCancellation { task.cancel() }
        let timeout = Task {
            try await Task.sleep(for: Self.operationTimeout)
            violate(.hang, "an operation of the app did not end")
            task.cancel()
        }
        let result = await task.result
        timeout.cancel()
        process.setCancellation(nil)
        probe.actionEnded()
        if process.hasEnded {
            await close()
            return nil
        }
        return try? result.get()
    }

    /// Returns the entries that the client shows now, and records their UUIDs.
    func show() async -> [ClientEntry] {
        let entries = await work { try await $0.entries() } ?? []
        shown.formUnion(entries.map(\.id))
        return entries
    }

    func setTracked(_ types: [ScheduledType]) { tracked = types }
}

/// A violated invariant.
struct TortureViolation: Hashable, Sendable, CustomStringConvertible {
    enum Rule: String, Sendable {
        case converges = "the mirror equals the data that the app may read"
        case keepsAppData = "attachments of a sample are never lost"
        case deliversOnceOrMore = "each change is delivered"
        case deliversOnce = "each change is delivered once to a transactional destination"
        case losesNothing = "acknowledged samples are in HealthKit, or were deleted"
        case resurrectsNothing = "deleted samples stay deleted"
        case deletesNothing = "samples in HealthKit are deleted or changed only on request"
        case absenceIsNoProof = "a sample that is not returned is not treated as deleted"
        case ends = "each operation ends"
        case harness = "the test harness works"

        static let hang = Rule.ends
    }

    let rule: Rule
    let text: String

    init(_ rule: Rule, _ text: String) {
        self.rule = rule
        self.text = text
    }

    var description: String { "\(rule.rawValue): \(text)" }
}
