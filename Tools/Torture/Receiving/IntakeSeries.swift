import Foundation
import HealthDashboard
import HealthStorage
import Synchronization

/// A series of schedules of apps that send to `openhealth serve --receive`.
///
/// ```
/// this process   a person's health store, the apps' requests, and the faults on their way
/// its children   openhealth serve --receive, until SIGKILL or the end of a schedule
/// ```
struct IntakeSeries: Sendable {
    let count: Int
    let seed: UInt64
    let jobs: Int
    /// The folder in which each schedule has a folder of its own.
    var scratch = SyncTorture.scratchFolder

    /// The result of a series.
    struct Result: Sendable {
        var counts = IntakeCounts()
        /// The seeds that failed, with the violation.
        var findings: [(seed: UInt64, text: String)] = []
        var duration = Duration.zero
    }

    /// Plays the schedules, prints the result, and throws the exit status 1 after a violation.
    func run(inJSON isJSON: Bool) async throws {
        let line = ProgressLine.standardError
        let result = try await play { line?.show($0, of: count) }
        line?.clear()
        try Output.print(isJSON ? Self.json(result).text + "\n" : Self.text(result))
        if !result.findings.isEmpty { throw TortureFailed.exit }
    }

    /// Plays the schedules. After a violation, no more are started.
    func play(_ report: @escaping @Sendable (Int) -> Void = { _ in }) async throws -> Result {
        let began = ContinuousClock.now
        let folder = scratch.appending(path: "openhealth-intake-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let template = try await Self.blocking { try ReceiverTemplate(in: folder + "/template") }
        var result = Result()
        await withTaskGroup(of: (UInt64, IntakeCounts, String?).self) { group in
            var next = 0
            func begin() {
                guard next < count else { return }
                let schedule = IntakeSchedule(seed: seed &+ UInt64(next))
                next += 1
                group.addTask { await Self.play(schedule, template, in: folder) }
            }
            for _ in 0..<max(1, jobs) { begin() }
            while let (seed, counts, finding) = await group.next() {
                result.counts.add(counts)
                report(result.counts.schedules)
                if let finding {
                    result.findings.append((seed, finding))
                    Message.write("Seed \(seed): \(finding)")
                }
                if result.findings.isEmpty || isComplete { begin() }
            }
        }
        result.duration = ContinuousClock.now - began
        return result
    }

    /// Whether the series continues after a violation.
    var isComplete: Bool { ProcessInfo.processInfo.environment["OPENHEALTH_TORTURE_ALL"] != nil }

    private static func play(
        _ schedule: IntakeSchedule, _ template: ReceiverTemplate, in folder: String
    ) async -> (UInt64, IntakeCounts, String?) {
        let own = folder + "/\(schedule.seed)"
        defer { try? FileManager.default.removeItem(atPath: own) }
        let outcome = try? await blocking { () -> (IntakeCounts, String?) in
            try FileManager.default.createDirectory(
                atPath: own, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let run = IntakeRun(schedule, template, folder: own)
            do {
                try run.play()
                return (run.counts, nil)
            } catch {
                return (run.counts, "\(error)")
            }
        }
        let apps = schedule.dialects.map(\.rawValue).joined(separator: " and ")
        guard let (counts, finding) = outcome else {
            return (schedule.seed, IntakeCounts(), "The schedule can't be played.")
        }
        return (schedule.seed, counts, finding.map { "\(apps): \($0)" })
    }

    /// Runs work that blocks in a thread of its own.
    private static func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Swift.Result { try work() }) }.start()
        }
    }

    // MARK: The result

    private static func text(_ result: Result) -> String {
        let counts = result.counts
        let seconds = result.duration.inSeconds
        var text = """
            \(counted(counts.schedules, "schedule", "schedules")) with phones run in \
            \(NumberText.grouped(seconds, digits: 1)) s: \
            \(counted(counts.requests, "request", "requests")), \
            \(counted(counts.kills, "kill", "kills")), \
            \(counted(counts.lostAnswers, "lost answer", "lost answers")), \
            \(counted(counts.cuts, "cut request", "cut requests")), \
            \(counted(counts.replays, "replay", "replays")), \
            \(counted(counts.unavailable, "answer", "answers")) of 503. \
            \(counted(counts.samples, "sample", "samples")) and \
            \(counted(counts.deletions, "deletion", "deletions")) compared.

            """
        if result.findings.isEmpty { return text + "No differences found.\n" }
        for (seed, finding) in result.findings {
            text += "Seed \(seed): \(finding)\n"
            text += "To run it again: swift run torture --intake 1 --seed \(seed)\n"
        }
        return text
    }

    private static func json(_ result: Result) -> JSONText {
        let counts = result.counts
        return .object([
            "schedules": .integer(counts.schedules), "failed": .integer(result.findings.count),
            "seconds": .number(result.duration.inSeconds), "requests": .integer(counts.requests),
            "kills": .integer(counts.kills), "lostAnswers": .integer(counts.lostAnswers),
            "cuts": .integer(counts.cuts), "replays": .integer(counts.replays),
            "unavailable": .integer(counts.unavailable), "samples": .integer(counts.samples),
            "deletions": .integer(counts.deletions),
            "findings": .array(
                result.findings.map {
                    .object([
                        "seed": .string(String($0.seed)), "finding": .string($0.text),
                    ])
                }),
        ])
    }
}
