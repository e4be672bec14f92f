import ArgumentParser
import Foundation
import HealthSimulator
import HealthStorage
import HealthSync

/// `openhealth torture`
struct Torture: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "torture",
        abstract: "Breaks HealthSync in every way that can be made up, and says whether it held.",
        discussion: """
            Plays schedules of saves, deletions, late data, revoked permissions, locks, full disks, \
            lost anchors and dying processes against a mirror in a temporary folder, with faults \
            that strike between two steps of its work. A schedule fails if the mirror is not what \
            the app may see afterwards, if a change was lost or came twice, or if something a \
            person wrote is gone. Then its seed and the shortest schedule found that still fails \
            are shown, and the exit status is 1.
            """)

    @Option(help: ArgumentHelp("How many schedules.", valueName: "n"))
    var schedules = 100

    @Option(help: ArgumentHelp("The first one's seed; others follow in number.", valueName: "n"))
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("How many are played at a time.", valueName: "n"))
    var jobs = 2

    @Option(
        help: ArgumentHelp(
            "Kills a process of the app so many times, and looks at what is left.", valueName: "n"))
    var kills: Int?

    @Option(help: ArgumentHelp("Plays the schedule of a file.", valueName: "file.json"))
    var replay: String?

    @Option(
        help: ArgumentHelp(
            "Where the shortest schedule that fails is written. Default: beside where you are.",
            valueName: "file.json"))
    var out: String?

    @Option(
        help: ArgumentHelp(
            "What a process that --kills kills is told: where its files lie.", valueName: "folder"))
    var child: String?

    @Flag(help: "Exit with 1 too if a pair of a fault and a step was not hit.")
    var requireAllPairs = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        guard schedules > 0 else { throw ValidationError("There is nothing to play.") }
        guard jobs > 0 else { throw ValidationError("One at a time is the fewest.") }
        guard kills ?? 1 > 0 else { throw ValidationError("There is nobody to kill.") }
    }

    func run() throws {
        let torture = SyncTorture(launch: MirrorClient.launch)
        if let child {
            try TortureChild(folder: URL(filePath: child), seed: seed).run()
        } else if let replay {
            try self.replay(try Self.schedule(at: replay), torture)
        } else if let kills {
            try TortureKills(count: kills, seed: seed).run(global)
        } else {
            try playSeries(torture)
        }
    }

    private func playSeries(_ torture: SyncTorture) throws {
        let bar = ProgressBar.standardError
        let series = TortureSeries(torture: torture, seed: seed, count: schedules, jobs: jobs)
        let result = try awaited {
            await series.run { bar?.show(Int64($0), of: Int64(schedules)) }
        }
        bar?.clear()
        var failure: SyncTorture.Failure?
        if let found = result.failure {
            Message.write("Seed \(found.schedule.seed) fails; looking for a shorter schedule …")
            failure = try awaited { await torture.shrink(found) }
        }
        let file = try failure.map { try write($0.schedule) }
        if global.json {
            try Output.print(TortureReport.json(result, failure))
        } else {
            try Output.print(TortureReport.text(result))
            if let failure {
                try Output.print(
                    TortureReport.text(failure, seed: failure.schedule.seed, file: file))
            } else if schedules >= TortureCoverage.pairs.count || requireAllPairs {
                try Output.print(TortureReport.table(result.coverage))
                try Output.print(TortureReport.missing(result.coverage))
            }
        }
        if failure != nil { throw TortureFailed.exit }
        if requireAllPairs, !result.coverage.missing.isEmpty { throw TortureFailed.exit }
    }

    /// Plays one schedule a few times: what runs at once doesn't always run in the same order.
    private func replay(_ schedule: SyncSchedule, _ torture: SyncTorture) throws {
        var violations: [TortureViolation] = []
        for _ in 0..<5 where violations.isEmpty {
            violations = try awaited { await torture.play(schedule).violations }
        }
        if global.json {
            try Output.print(
                .object(["breaks": .array(violations.map { .string("\($0)") })]))
        } else {
            try Output.print("\(schedule)\n\n")
            try Output.print(
                violations.isEmpty
                    ? "Every promise held.\n"
                    : violations.map { "Broken: \($0)\n" }.joined())
        }
        if !violations.isEmpty { throw TortureFailed.exit }
    }

    private func write(_ schedule: SyncSchedule) throws -> String {
        let path = out ?? "torture-\(schedule.seed).json"
        try Output.write(String(decoding: try schedule.json, as: UTF8.self), toFile: path)
        return path
    }

    /// In bytes; schedules take some kilobytes.
    private static let longestSchedule = 64 << 20

    private static func schedule(at path: String) throws -> SyncSchedule {
        let size = (try? URL(filePath: path).resourceValues(forKeys: [.fileSizeKey]))?.fileSize
        guard case .file = FileKind(path), let size, size <= longestSchedule,
            let data = FileManager.default.contents(atPath: path)
        else { throw NotDone("\(path) is no file of a schedule that can be read.") }
        do {
            return try JSONDecoder().decode(SyncSchedule.self, from: data)
        } catch {
            throw NotDone("\(path) is no schedule of the torture.")
        }
    }
}

/// A promise was broken: exit 1, with the answer on standard output.
enum TortureFailed {
    static let exit = ExitCode(1)
}
