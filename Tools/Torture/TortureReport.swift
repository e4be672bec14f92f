import Foundation
import HealthDashboard
import HealthStorage
import HealthSync

/// The results as text and JSON.
enum TortureReport {
    // MARK: Text

    static func text(_ result: TortureSeries.Result) -> String {
        let coverage = result.coverage
        let hit = TortureCoverage.pairs.count - coverage.missing.count
        let seconds = Double(result.duration.components.seconds)
        let rate = seconds > 0 ? Double(result.played) / seconds : Double(result.played)
        return """
            \(counted(result.played, "schedule", "schedules")) run in \
            \(NumberText.grouped(seconds)) s (\(NumberText.grouped(rate, digits: 1)) per second), \
            \(result.failure == nil ? "none failed" : "one failed").
            \(hit) of \(TortureCoverage.pairs.count) pairs of a fault and a step occurred.

            """
    }

    /// Returns a table of faults and steps that shows for each pair whether it occurred, did not
    /// occur, or is impossible.
    static func table(_ coverage: TortureCoverage) -> String {
        let steps = SyncMoment.Step.allCases
        var text = "The columns are steps: "
        text += steps.enumerated().map { "\(letter($0.offset)) \($0.element.rawValue)" }
            .joined(separator: ", ")
        text = text.wrapped() + "\n\n"
        let faults = SyncFault.Kind.allCases.filter { !$0.isRepair }
        let width = faults.map(\.rawValue.count).max() ?? 0
        text += String(repeating: " ", count: width + 2)
        text += steps.indices.map(letter).joined(separator: " ") + "\n"
        for fault in faults {
            text += fault.rawValue.padding(toLength: width + 2, withPad: " ", startingAt: 0)
            text += steps.map { step in
                let pair = SyncPair(fault, after: step)
                if TortureCoverage.exclusion(pair) != nil { return " " }
                return coverage.hits.contains(pair) ? "x" : "-"
            }.joined(separator: " ")
            text += "\n"
        }
        return text + "x occurred, - did not occur, blank: impossible\n"
    }

    private static func letter(_ index: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "a") + UInt8(index)))
    }

    static func missing(_ coverage: TortureCoverage) -> String {
        guard !coverage.missing.isEmpty else { return "" }
        let pairs = coverage.missing.map { "\($0.fault.rawValue) after \($0.step.rawValue)" }
        return ("Did not occur: " + pairs.joined(separator: ", ") + ".").wrapped() + "\n"
    }

    /// Describes a failure and how to reproduce it.
    static func text(_ failure: SyncTorture.Failure, seed: UInt64, file: String?) -> String {
        var text = "Seed \(seed) violates:\n"
        for violation in failure.violations.prefix(8) { text += "  \(violation)\n" }
        text += "\nThe shortest failing schedule found:\n\(failure.schedule)\n\n"
        if let file {
            text += "To run it again: swift run torture --replay \(ShellWord.quoted(file))\n"
        }
        return text + "To run the seed: swift run torture --schedules 1 --seed \(seed)\n"
    }

    // MARK: JSON

    static func json(
        _ result: TortureSeries.Result, _ failure: SyncTorture.Failure?
    ) throws -> JSONText {
        .object([
            "schedules": .integer(result.played), "failed": .integer(failure == nil ? 0 : 1),
            "seconds": .number(result.duration.inSeconds),
            "pairs": .integer(TortureCoverage.pairs.count),
            "notHit": .array(result.coverage.missing.map(pair)),
            "failure": try failure.map(json),
        ])
    }

    private static func pair(_ pair: SyncPair) -> JSONText {
        .object(["fault": .string(pair.fault.rawValue), "step": .string(pair.step.rawValue)])
    }

    private static func json(_ failure: SyncTorture.Failure) throws -> JSONText {
        .object([
            "seed": .string(String(failure.schedule.seed)),
            "breaks": .array(failure.violations.map { .string("\($0)") }),
            "schedule": .string(String(decoding: try failure.schedule.json, as: UTF8.self)),
        ])
    }
}

extension SyncSchedule {
    /// The schedule as JSON, which `--replay` reads.
    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            return try encoder.encode(self)
        }
    }
}

extension Duration {
    var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
