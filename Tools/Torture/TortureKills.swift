import Foundation
import HealthDashboard
import HealthStorage
import HealthSync

/// Kills processes during their work and checks what they leave behind.
///
/// ```
/// this process   acts as devices and a person on a health store in a file
/// its children   mirror it, write weights and attach notes, until SIGKILL
/// ```
/// Every second child kills itself after a given step. This process kills the others at a random
/// time soon after they start to work. All invariants are checked after at most ten children have
/// used the same files.
struct TortureKills {
    let count: Int
    let seed: UInt64

    static let settings = SyncSchedule.Settings(
        types: [.bodyMass, .stepCount, .heartRate], pageSize: 3)
    private static let killsPerFolder = 10

    /// The totals over all rounds.
    struct Result: Sendable {
        var kills = 0
        /// The number of children that ended before they were killed.
        var ended = 0
        var weights = 0
        var steps: Set<String> = []
        var violations: [TortureViolation] = []
    }

    /// Runs rounds until there are `count` kills or a violation, and prints the result. Throws the
    /// exit status 1 if there is a violation.
    func run(inJSON isJSON: Bool) async throws {
        var result = Result()
        var round: UInt64 = 0
        while result.kills < count, result.violations.isEmpty {
            let kills = min(Self.killsPerFolder, count - result.kills)
            try await TortureKillRound(seed: seed &+ round, kills: kills).run().add(to: &result)
            round += 1
            ProgressLine.standardError?.show(result.kills, of: count)
        }
        ProgressLine.standardError?.clear()
        try Output.print(isJSON ? Self.json(result).text + "\n" : Self.text(result, round))
        if !result.violations.isEmpty { throw TortureFailed.exit }
    }

    private static func text(_ result: Result, _ rounds: UInt64) -> String {
        var text =
            "\(counted(result.kills, "process", "processes")) killed with "
            + "\(counted(Int(rounds), "pair", "pairs")) of files, at \(result.steps.count) "
            + "different steps; \(counted(result.weights, "weight", "weights")) acknowledged.\n"
        text +=
            result.violations.isEmpty
            ? "No violations found.\n" : result.violations.map { "Violation: \($0)\n" }.joined()
        return text
    }

    private static func json(_ result: Result) -> JSONText {
        .object([
            "kills": .integer(result.kills), "ended": .integer(result.ended),
            "weights": .integer(result.weights),
            "steps": .array(result.steps.sorted().map { .string($0) }),
            "breaks": .array(result.violations.map { .string("\($0)") }),
        ])
    }
}

/// A series of children that use the same files one after another, and the check afterwards.
struct TortureKillRound: Sendable {
    let seed: UInt64
    let kills: Int

    struct Outcome: Sendable {
        var kills = 0
        var ended = 0
        var weights = 0
        var steps: Set<String> = []
        var violations: [TortureViolation] = []

        func add(to result: inout TortureKills.Result) {
            result.kills += kills
            result.ended += ended
            result.weights += weights
            result.steps.formUnion(steps)
            result.violations += violations
        }
    }

    func run() async throws -> Outcome {
        let folder = SyncTorture.scratchFolder
            .appending(path: "openhealth-kills-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let world = try ScheduledWorld(
            folder: folder.path, settings: TortureKills.settings,
            beginning: SyncTorture.beginning)
        var chance = TortureRandom(seed: seed)
        var outcome = Outcome()
        var next = 1
        for number in 0..<kills {
            try play(world, &next, &chance)
            try kill(UInt64(number + 1), folder, world, &next, &chance, &outcome)
        }
        let run = TortureRun(
            SyncSchedule(seed: seed, settings: TortureKills.settings, events: []), world: world,
            folder: folder, launch: MirrorClient.launch, recorder: Self.recorder(in: folder))
        await run.adopt(AppendedFile.lines(of: TortureChild.requestLog(in: folder)))
        try await run.checkEverything()
        await run.close()
        outcome.violations = await run.violations
        outcome.weights = await run.weights.count { $0.value.acknowledged > 0 }
        return outcome
    }

    /// Starts a child and changes the health store while it works. Kills the child, unless it is to
    /// kill itself, and waits for its end.
    private func kill(
        _ number: UInt64, _ folder: URL, _ world: ScheduledWorld, _ next: inout Int,
        _ chance: inout TortureRandom, _ outcome: inout Outcome
    ) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["--child", folder.path, "--seed", String(number)]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        var environment = ProcessInfo.processInfo.environment
        let steps = SyncStep.allCases.filter { $0 != .woken && $0 != .completionCalled }
        let step = steps[chance.below(steps.count)].rawValue
        let isNamed = number % 2 == 0
        if isNamed {
            environment[TortureChild.stepVariable] = "\(step):\(1 + chance.below(6))"
        } else {
            environment[TortureChild.stepVariable] = nil
        }
        process.environment = environment
        let ready = AppendedFile.lines(of: TortureChild.requestLog(in: folder)).count
        try process.run()
        while process.isRunning,
            AppendedFile.lines(of: TortureChild.requestLog(in: folder)).count == ready
        {
            usleep(500)
        }
        // Samples are saved and deleted while the child works.
        try play(world, &next, &chance)
        if !isNamed {
            usleep(UInt32(chance.below(120_000)))
            Foundation.kill(process.processIdentifier, SIGKILL)
        }
        process.waitUntilExit()
        if process.terminationReason == .uncaughtSignal {
            outcome.kills += 1
            if isNamed { outcome.steps.insert(step) }
        } else {
            outcome.ended += 1
        }
    }

    private func play(
        _ world: ScheduledWorld, _ next: inout Int, _ chance: inout TortureRandom
    ) throws {
        for _ in 0..<(1 + chance.below(4)) {
            let types = TortureKills.settings.types
            let count = 1 + chance.below(5)
            try world.play(
                SyncFault(
                    .save, of: types[chance.below(types.count)], by: .watch, number: next,
                    count: count))
            next += count
        }
        try world.play(SyncFault(.deletion, number: 1 + chance.below(next)))
        // This is sometimes the number of a weight that a child saved.
        try world.play(SyncFault(.deletion, number: 10_100 + chance.below(1000)))
    }

    /// Returns a recorder with the changes that the recorders of all children received.
    private static func recorder(in folder: URL) -> TortureRecorder {
        let lines = AppendedFile.lines(of: TortureChild.recording(in: folder))
        return TortureRecorder(lines.compactMap { DeliveredChange(line: $0) })
    }
}

/// A seeded random number generator.
struct TortureRandom {
    private var state: UInt64

    init(seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

    /// Returns a random integer that is at least 0 and less than `limit`; 0 if `limit` is below 1.
    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(max(1, limit)))
    }
}

extension DeliveredChange {
    /// The change as a line: "added 5F0C… HKQuantityTypeIdentifierBodyMass".
    var line: String { "\(kind.rawValue) \(uuid.uuidString) \(key.type)" }

    init?(line: Substring) {
        let parts = line.split(separator: " ")
        guard parts.count == 3, let kind = Kind(rawValue: String(parts[0])),
            let uuid = UUID(uuidString: String(parts[1]))
        else { return nil }
        self.init(PositionKey(subscriber: "recorder", type: String(parts[2])), 0, kind, uuid)
    }
}

extension TortureRun {
    /// Reads the log of the children of ``TortureKills``, so that this run can check which weights
    /// they requested, and which weights and notes were acknowledged.
    func adopt(_ requestLog: [Substring]) {
        for line in requestLog {
            let words = line.split(separator: " ")
            guard words.count > 1, let number = Int(words[1]) else { continue }
            switch words[0] {
            case "log": weights[number] = OwnWeight()
            case "done": weights[number]?.acknowledged = 1
            default:
                guard words.count == 3, let entry = UUID(uuidString: String(words[2])) else {
                    continue
                }
                notes["note \(number)"] = TortureNote(entry: entry, number: number)
            }
        }
    }
}
