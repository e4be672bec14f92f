import Foundation
import HealthEngine
import HealthTesting
import Testing

/// Days and ranges of days in command lines.
@Suite("a command accepts days of the years 1 to 9999", .inTestAll)
struct DateArgumentTests {
    private static let commands: [[String]] = [
        ["summary", "--day"], ["summary", "--week", "--day"], ["summary", "--month", "--day"],
        ["explain", "stepCount", "--day"], ["stats", "stepCount", "--by", "month", "--from"],
        ["stats", "stepCount", "--by", "day", "--to"], ["samples", "stepCount", "--from"],
        ["workouts", "--from"], ["weight", "list", "--from"],
    ]

    private static let otherDays = [
        "0000-12-31", "-0001-01-01", "10000-01-01", "2147483648-01-01",
        "9223372036854775808-01-01",
    ]

    @Test(
        "another day is named with the days that can be asked for", arguments: otherDays)
    func outside(day: String) throws {
        let store = try AnnasStore.shared.get()
        for command in Self.commands {
            let option = command.last ?? ""
            let run = try CommandRun(
                command.dropLast() + ["\(option)=\(day)"], store: store.path)
            #expect(run.status == 64, "\(command) \(day): \(run.errors)")
            #expect(
                run.errors.contains("choose a day from 0001-01-01 to 9999-12-31"),
                "\(command): \(run.errors)")
            #expect(run.output.isEmpty)
        }
    }

    @Test(
        "every other text is a day or an error",
        arguments: [
            "0001-01-01", "1582-10-04", "1582-10-10", "1582-10-15", "1900-02-29", "2024-02-29",
            "9999-12-31", "", "2023-02-29", "+202-01-01", "2024-03-10T", "٢٠٢٤-٠٣-١٠",
            "2024-03-10T24:00Z", "2024-03-10T08:30:00+99:99", "2024-13-45",
        ])
    func answered(day: String) throws {
        let store = try AnnasStore.shared.get()
        var generator = SeededRandom(seed: 1)
        let some = TestTier.isTorture ? 99 : 3
        for command in Self.commands.shuffled(using: &generator).prefix(some) {
            let option = command.last ?? ""
            let run = try CommandRun(
                command.dropLast() + ["\(option)=\(day)"], store: store.path)
            #expect(
                [0, 1, 64].contains(run.status), "\(command) \(day): \(run.status) \(run.errors)")
        }
    }

    @Test("days before 15 October 1582 are the same by number, by text and in a page")
    func proleptic() throws {
        let store = try AnnasStore.shared.get()
        let run = try CommandRun(
            [
                "stats", "stepCount", "--by", "day", "--from", "1582-10-03", "--to", "1582-10-17",
                "--json",
            ], store: store.path)
        #expect(run.status == 0, "\(run.errors)")
        let summary = try CommandRun(
            ["summary", "--day", "1582-10-10", "--json"], store: store.path)
        #expect(summary.status == 0, "\(summary.errors)")
        #expect(summary.object?["day"] as? String == "1582-10-10")
    }
}
