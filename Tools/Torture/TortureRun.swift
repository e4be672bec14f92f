import Foundation
import HealthSimulator
import HealthSync
import OpenHealthKit

/// Plays schedules against a client and looks whether its promises hold.
///
/// ```swift
/// let outcome = await SyncTorture(launch: MirrorClient.launch).play(SyncSchedule(seed: 1))
/// outcome.violations        // [] where nothing is wrong
/// ```
struct SyncTorture: Sendable {
    let launch: ClientLaunch
    /// Where the files of a schedule lie while it is played.
    var scratch = SyncTorture.scratchFolder

    /// What became of one schedule.
    struct Outcome: Sendable {
        var violations: [TortureViolation] = []
        /// Which faults struck after which steps.
        var hits: Set<SyncPair> = []
    }

    /// Memory where there is a file system in it.
    static var scratchFolder: URL {
        let memory = URL(filePath: "/dev/shm")
        return FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
    }

    /// The day on which schedules begin.
    static let beginning = Date(timeIntervalSinceReferenceDate: 800_000_000)

    /// Plays a schedule in a folder of its own, which is gone afterwards.
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
                TortureViolation(.harness, "the schedule could not be played: \(error)")
            ])
        }
    }
}

/// One schedule being played.
actor TortureRun {
    let schedule: SyncSchedule
    let world: ScheduledWorld
    let folder: URL
    let launch: ClientLaunch
    let ledger = TortureLedger()
    let recorder: TortureRecorder
    let probe: TortureProbe
    var violations: [TortureViolation] = []
    var weights: [Int: OwnWeight] = [:]
    var notes: [String: TortureNote] = [:]
    /// UUIDs that the client has ever shown.
    var shown: Set<UUID> = []
    var tracked: [ScheduledType]
    private var client: (any SyncClient)?
    private var life: TortureProbe.Life

    /// A weight that the app was asked to keep.
    struct OwnWeight: Sendable {
        /// The versions asked for so far.
        var versions = 1
        /// The latest version that was acknowledged; 0 for none.
        var acknowledged = 0
        /// Whether it was refused, and never asked for again.
        var isRefused = false
        var isRemoved = false
        /// Whether it lay in the journal before its process ended.
        var isJournalled = false
        /// When it was last asked for, and when that was answered.
        var asked = 0
        var answered = 0
        /// The phone that it was last acknowledged on.
        var phone = 1
    }

    /// A note that the app said it keeps.
    struct TortureNote: Sendable {
        var entry: UUID
        var number: Int
    }

    /// Nothing takes that long, on a busy machine neither.
    private static let patience = Duration.seconds(120)

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
        life = TortureProbe.Life(in: world)
    }

    func violate(_ rule: TortureViolation.Rule, _ text: String) {
        let violation = TortureViolation(rule, text)
        if !violations.contains(violation) { violations.append(violation) }
    }

    // MARK: The schedule

    func play() async throws {
        for event in schedule.events {
            switch event {
            case .strikes(let fault, let moment): probe.arm(fault, moment)
            case .happens(let fault): await happen(fault)
            case .app(let action): await act(action)
            }
            await settleObservers()
        }
        probe.disarm()
        await endStrikes()
        try await checkEverything()
        await close()
        for trouble in probe.trouble { violate(.harness, trouble) }
    }

    private func happen(_ fault: SyncFault) async {
        do {
            if client == nil, fault.kind.isOfTheApp, fault.kind != .emptyPhone { return }
            try probe.play(fault, life)
        } catch is ProcessKilled {
            await close()
        } catch {
            violate(.harness, "\(fault): \(error)")
        }
    }

    /// Gives an observer time to be told, and what strikes it time to happen.
    private func settleObservers() async {
        guard schedule.settings.attention == .observing else { return }
        if client == nil { await open() }
        for _ in 0..<60 {
            guard probe.isArmed(at: .woken) || probe.isArmed(at: .completionCalled) else { break }
            try? await Task.sleep(for: .milliseconds(5))
        }
        try? await Task.sleep(for: .milliseconds(2))
        await endStrikes()
        if life.isDead { await close() }
    }

    /// Waits until what struck in the midst of work has happened: what an observer is told comes on
    /// threads that nothing else waits for.
    private func endStrikes() async {
        let limit = ContinuousClock.now + Self.patience
        while probe.isStriking {
            guard ContinuousClock.now < limit else {
                return violate(.harness, "a fault did not end")
            }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    // MARK: Processes

    /// Begins a process, which settles first what the one before left.
    @discardableResult
    func open() async -> (any SyncClient)? {
        for _ in 0..<20 {
            if let client { return client }
            let life = TortureProbe.Life(in: world)
            self.life = life
            let surroundings = ClientSurroundings(
                store: world.store, folder: folder, types: tracked,
                pageSize: schedule.settings.pageSize, now: { [clock = world.clock] in clock.now },
                probe: probe.probe(of: life), ledger: ledger, recorder: recorder)
            do {
                let new = try await launch(surroundings)
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
        life.kill()
        await old.end()
    }

    /// Has the process do something.
    ///
    /// - Returns: What it returned; nil if it died, was cancelled or refused with an error.
    func work<Value: Sendable>(
        _ body: @escaping @Sendable (any SyncClient) async throws -> Value
    ) async -> Value? {
        guard let client = client else { return nil }
        let task = Task { try await body(client) }
        life.setCancellation { task.cancel() }
        let patience = Task {
            try await Task.sleep(for: Self.patience)
            violate(.hang, "the app did not end what it was doing")
            task.cancel()
        }
        let result = await task.result
        patience.cancel()
        life.setCancellation(nil)
        probe.actionEnded()
        if life.isDead {
            await close()
            return nil
        }
        return try? result.get()
    }

    /// What the client shows now, remembered.
    func show() async -> [ClientEntry] {
        let entries = await work { try await $0.entries() } ?? []
        shown.formUnion(entries.map(\.id))
        return entries
    }

    func setTracked(_ types: [ScheduledType]) { tracked = types }
}

/// A promise that was broken.
struct TortureViolation: Hashable, Sendable, CustomStringConvertible {
    enum Rule: String, Sendable {
        case converges = "the mirror is what the app may see"
        case keepsAppData = "what the app keeps beside a sample is never lost"
        case handsOnceOrMore = "each change is handed over"
        case handsOnce = "no change comes twice to a transactional destination"
        case losesNothing = "what was acknowledged is in HealthKit, or its deletion is proven"
        case resurrectsNothing = "what a person deleted stays deleted"
        case deletesNothing = "nothing in HealthKit is deleted or changed but by request"
        case absenceIsNoProof = "absence is no deletion"
        case ends = "the app ends what it does"
        case harness = "the torture itself works"

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
