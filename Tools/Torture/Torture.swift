import ArgumentParser
import Foundation
import HealthStorage
import HealthSync

/// The command `torture`. `swift run torture --help` describes it.
@main
struct Torture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "torture",
        abstract: "Tests HealthSync with random schedules of faults.",
        discussion: """
            Runs schedules of saves, deletions, late data, revoked permissions, locks, full disks, \
            lost anchors and killed processes against a mirror in a temporary folder. Faults are \
            injected between two steps of its work. A schedule fails if the mirror afterwards \
            differs from the data that the app may read, if a change was lost or delivered twice, \
            or if an attachment was lost. The command then prints the seed and the shortest \
            failing schedule it found, and exits with 1.

            With --intake, simulated phones send their health stores to `openhealth serve \
            --receive` in the formats of existing apps. Requests are shuffled, replayed and cut, \
            answers are lost, and the receiver is killed. A schedule fails if the receiver's store \
            afterwards differs from the phone's. The built command is expected beside this tool, \
            or at the path in the environment variable OPENHEALTH.
            """)

    @Option(help: ArgumentHelp("The number of schedules.", valueName: "n"))
    var schedules = 100

    @Option(
        help: ArgumentHelp(
            "The seed of the first schedule. Each next schedule has the next seed.", valueName: "n")
    )
    var seed: UInt64 = 1

    @Option(help: ArgumentHelp("The number of schedules to run in parallel.", valueName: "n"))
    var jobs = 2

    @Option(
        help: ArgumentHelp(
            "Kill a process of the app this many times, and check its files.", valueName: "n"))
    var kills: Int?

    @Option(
        help: ArgumentHelp(
            "Run this many schedules of phones that send to `openhealth serve --receive`.",
            valueName: "n"))
    var intake: Int?

    @Option(help: ArgumentHelp("Run the schedule in a file.", valueName: "file.json"))
    var replay: String?

    @Option(
        help: ArgumentHelp(
            "The file for the shortest failing schedule. Default: in the current folder.",
            valueName: "file.json"))
    var out: String?

    @Option(
        help: ArgumentHelp(
            "For the child processes of --kills: the folder with their files.",
            valueName: "folder"))
    var child: String?

    @Flag(help: "Also exit with 1 if a pair of a fault and a step did not occur.")
    var requireAllPairs = false

    @Flag(help: "Print JSON.")
    var json = false

    static func main() async {
        FileSizeLimit.ignoreSignal()
        do {
            let command = try parse()
            try await command.run()
        } catch let error as CommandError {
            Message.write("torture: \(error)")
            Foundation.exit(ExitCode.failure.rawValue)
        } catch {
            exit(withError: error)
        }
    }

    func validate() throws {
        guard schedules > 0 else { throw ValidationError("--schedules must be 1 or more.") }
        guard jobs > 0 else { throw ValidationError("--jobs must be 1 or more.") }
        guard kills ?? 1 > 0 else { throw ValidationError("--kills must be 1 or more.") }
        guard intake ?? 1 > 0 else { throw ValidationError("--intake must be 1 or more.") }
    }

    func run() async throws {
        let torture = SyncTorture(launch: MirrorClient.launch)
        if let child {
            try await TortureChild(folder: URL(filePath: child), seed: seed).run()
        } else if let replay {
            try await self.replay(try Self.schedule(at: replay), torture)
        } else if let intake {
            try await IntakeSeries(count: intake, seed: seed, jobs: jobs).run(inJSON: json)
        } else if let kills {
            try await TortureKills(count: kills, seed: seed).run(inJSON: json)
        } else {
            try await playSeries(torture)
        }
    }

    private func playSeries(_ torture: SyncTorture) async throws {
        let line = ProgressLine.standardError
        let series = TortureSeries(torture: torture, seed: seed, count: schedules, jobs: jobs)
        let result = await series.run { line?.show($0, of: schedules) }
        line?.clear()
        var failure: SyncTorture.Failure?
        if let found = result.failure {
            Message.write("Seed \(found.schedule.seed) fails. Searching for a shorter schedule …")
            failure = await torture.shrink(found)
        }
        let file = try failure.map { try write($0.schedule) }
        if json {
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

    /// Plays a schedule until it fails, at most five times, since concurrent work has no fixed
    /// order.
    private func replay(_ schedule: SyncSchedule, _ torture: SyncTorture) async throws {
        var violations: [TortureViolation] = []
        for _ in 0..<5 where violations.isEmpty {
            violations = await torture.play(schedule).violations
        }
        if json {
            try Output.print(
                .object(["breaks": .array(violations.map { .string("\($0)") })]))
        } else {
            try Output.print("\(schedule)\n\n")
            try Output.print(
                violations.isEmpty
                    ? "No violations found.\n"
                    : violations.map { "Violation: \($0)\n" }.joined())
        }
        if !violations.isEmpty { throw TortureFailed.exit }
    }

    private func write(_ schedule: SyncSchedule) throws -> String {
        let path = out ?? "torture-\(schedule.seed).json"
        let file = try StagedFile(at: path, over: .file)
        try schedule.json.write(to: URL(filePath: file.temporaryPath))
        try file.commit()
        return path
    }

    /// The maximum size of a schedule file in bytes. Schedules take a few kilobytes.
    private static let longestSchedule = 64 << 20

    private static func schedule(at path: String) throws -> SyncSchedule {
        let size = (try? URL(filePath: path).resourceValues(forKeys: [.fileSizeKey]))?.fileSize
        guard case .file = FileKind(path), let size, size <= longestSchedule,
            let data = FileManager.default.contents(atPath: path)
        else { throw CommandError("\(path) is not a readable schedule file.") }
        do {
            return try JSONDecoder().decode(SyncSchedule.self, from: data)
        } catch {
            throw CommandError("\(path) is not a schedule of this command.")
        }
    }
}

/// The exit status 1, with the result on standard output: a violation was found or, with
/// `--require-all-pairs`, a pair of a fault and a step did not occur.
enum TortureFailed {
    static let exit = ExitCode(1)
}
