import ArgumentParser
import Foundation
import HealthSync
import HealthTesting
import Synchronization
import Testing

@testable import openhealth

/// A command of the weight diary in a process that kills itself at a step of its write.
struct WeightVictim: Codable, Sendable {
    /// The command without `weight`: "log", "82.4kg".
    var words: [String]
    var store: String
    /// The file to which each step of the write is appended before the work continues.
    var trace: String
    /// The step at which the process is killed: its name, and its number among equal ones.
    var last: String

    /// The last step. The answer has been printed.
    static let answered = "answered"

    /// The environment variable with this value as JSON. It is set only in the victim's process.
    private static let variable = "OPENHEALTH_WEIGHT_VICTIM"

    /// The value of this process; nil unless it is a victim's.
    static let own = ProcessInfo.processInfo.environment[variable].flatMap {
        try? JSONDecoder().decode(WeightVictim.self, from: Data($0.utf8))
    }

    /// Runs the process to its end.
    ///
    /// - Returns: Its output and status, and the steps of its write.
    func run() throws -> (run: ProgramRun, steps: [String]) {
        try Data().write(to: URL(fileURLWithPath: trace))
        let (program, arguments) = try ProgramRun.ofTests(only: "WeightVictimProcess")
        let order = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        let environment = ProcessInfo.processInfo.environment.merging([
            Self.variable: order, "TZ": "UTC", "LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8",
        ]) { _, new in new }
        let run = try ProgramRun(program, arguments, environment: environment)
        let text = try String(contentsOfFile: trace, encoding: .utf8)
        return (run, text.split(separator: "\n").map(String.init))
    }
}

/// The work of the process. ``WeightVictim/run()`` starts the tests again with only this suite.
@Suite("The process of the diary that is killed", .enabled(if: WeightVictim.own != nil))
struct WeightVictimProcess {
    @Test("runs a command of the diary until it is killed")
    @MainActor func run() async throws {
        let victim = try #require(WeightVictim.own)
        let trace = StepTrace(victim)
        let probe = SyncProbe { step in try trace.reached(step.rawValue) }
        let words = Array(victim.words.dropFirst()) + ["--store", victim.store]
        switch victim.words.first {
        case "log": try await Weight.Log.parse(words).run(probe)
        case "edit": try await Weight.Edit.parse(words).run(probe)
        case "remove": try await Weight.Remove.parse(words).run(probe)
        default: Issue.record("unknown command \(victim.words)")
        }
        try trace.reached(WeightVictim.answered)
    }
}

/// Records the steps of a write, and kills the process at the last.
private final class StepTrace: Sendable {
    /// The windows that ``WeightDiary/refresh()`` reconciles before a write: body mass and height.
    private static let windows = 2

    private let victim: WeightVictim
    private let counts = Mutex<[String: Int]>([:])

    init(_ victim: WeightVictim) { self.victim = victim }

    func reached(_ name: String) throws {
        try counts.withLock { counts in
            // The steps of the refresh aren't recorded, since two types are read at once.
            let settled = SyncStep.windowCommitted.rawValue
            guard counts[settled] == Self.windows else {
                if name == settled { counts[settled, default: 0] += 1 }
                return
            }
            counts[name, default: 0] += 1
            let step = "\(name) \(counts[name, default: 0])"
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: victim.trace))
            try file.seekToEnd()
            try file.write(contentsOf: Data((step + "\n").utf8))
            try file.close()
            if step == victim.last { kill(getpid(), SIGKILL) }
        }
    }
}
