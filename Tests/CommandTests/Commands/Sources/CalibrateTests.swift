import Foundation
import HealthTesting
import Testing

@Suite("sources calibrate finds what the Health app shows", .inTestAll)
struct CalibrateTests {
    @Test("a setting that fits is confirmed, and nothing is proposed")
    func confirms() throws {
        let store = try AnnasStore.shared.get()
        let run = try CommandRun(
            ["sources", "calibrate", "stepCount", "2024-03-30=5300"], store: store.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasPrefix("The current setting gives the steps in the Health app"))
        #expect(!run.output.contains("--apply"))
    }

    @Test("the order that gives the displayed totals is proposed, and saved only with --apply")
    func proposes() throws {
        let store = try AnnasStore()
        let (watch, phone) = ("Anna’s\u{A0}Apple\u{A0}Watch", "Anna’s iPhone")
        func steps() throws -> Double {
            let run = try CommandRun(
                ["explain", "stepCount", "--day", "2024-03-30", "--json"], store: store.path)
            return try #require(run.object?["merged"] as? Double)
        }
        let before = try steps()
        _ = try CommandRun(["sources", "order", "stepCount", phone, watch], store: store.path)
        let shown = try steps()
        _ = try CommandRun(["sources", "reset", "stepCount"], store: store.path)
        #expect(try steps() == before && before != shown)
        let words = ["sources", "calibrate", "stepCount", "2024-03-30=\(Int(shown))"]
        let run = try CommandRun(words, store: store.path)
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasPrefix("Another setting gives the steps"))
        #expect(
            run.output.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("  ") })
        #expect(try steps() == before)
        // The printed command applies the setting.
        let line = try #require(
            run.output.split(separator: "\n").last { $0.hasPrefix("  openhealth sources ") })
        // Parsed like a shell: every second piece between quotes is one word.
        let pieces = line.split(separator: "'", omittingEmptySubsequences: false)
        let command = pieces.enumerated().flatMap { index, piece in
            index % 2 == 1 ? [String(piece)] : piece.split(separator: " ").map(String.init)
        }.dropFirst().map { $0 }
        #expect(try CommandRun(command, store: store.path).status == 0)
        #expect(try steps() == shown)
        _ = try CommandRun(["sources", "reset", "stepCount"], store: store.path)
        let adopted = try CommandRun(words + ["--apply", "--json"], store: store.path)
        #expect(adopted.object?["applied"] as? Bool == true)
        #expect(adopted.object?["fits"] as? Bool == true)
        #expect(try steps() == shown)
        let again = try CommandRun(words + ["--json"], store: store.path)
        #expect(again.object?["keepsCurrent"] as? Bool == true)
    }

    @Test(
        "invalid days and amounts are wrong usage and change nothing",
        arguments: [
            ("stepCount 2024-03-30=5,300", "not an amount"),
            ("stepCount 2024-03-30=5.300", "not a whole number"),
            ("stepCount 2024-03-30=-5", "not an amount"),
            ("stepCount 2024-03-30=1e3", "not an amount"),
            ("stepCount 2024-03-30=", "not an amount"),
            ("stepCount 2024-03-30", "not a day with an amount"),
            ("stepCount 2024-3-30=5300", "not a date"),
            ("stepCount 2024-02-30=5300", "not a date"),
            ("stepCount 2024-03-30=5300 2024-03-30=5300", "given twice"),
            ("stepCount 2999-01-01=5300", "in the future"),
            ("stepCount 2020-01-01=5300", "no stepCount on 2020-01-01"),
            ("heartRate 2024-03-30=60", "not summed"),
            ("noSuchType 2024-03-30=60", "noSuchType"),
            ("stepCount 2024-03-30=5300 --unit km", "km"),
            ("stepCount", "day=amount"),
        ])
    func refusals(arguments: String, says: String) throws {
        let store = try AnnasStore.shared.get()
        let run = try CommandRun(
            ["sources", "calibrate"] + arguments.split(separator: " ").map(String.init)
                + ["--apply"], store: store.path)
        #expect(run.status == 64)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains(says), "\(run.errors)")
        let after = try CommandRun(
            ["sources", "calibrate", "stepCount", "2024-03-30=5300"], store: store.path)
        #expect(after.output.hasPrefix("The current setting gives"))
    }
}
