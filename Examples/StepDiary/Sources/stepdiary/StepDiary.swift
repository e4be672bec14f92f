import Diary
import Foundation
import HealthKit
import WeeklyReport

/// The diary as a command: `stepdiary`, `stepdiary weigh 71.4`, `stepdiary week`,
/// `stepdiary watch`.
@main
struct StepDiary {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        do {
            try await run(arguments.first ?? "show", arguments.dropFirst().first)
        } catch {
            FileHandle.standardError.write(Data("stepdiary: \(message(of: error))\n".utf8))
            exit(1)
        }
    }

    private static func run(_ command: String, _ value: String?) async throws {
        guard ["show", "weigh", "week", "watch"].contains(command) else {
            print("usage: stepdiary [show [days] | weigh <kilograms> | week | watch]")
            return
        }
        let store = HKHealthStore()
        let diary = Diary(healthStore: store)
        try await diary.requestAuthorization()
        switch command {
        case "weigh":
            guard let kilograms = value.flatMap(Double.init), (1...500).contains(kilograms) else {
                print("A weight is a number of kilograms: stepdiary weigh 71.4")
                return
            }
            try await diary.saveWeight(kilograms, at: Date())
            try await show(diary, days: 1)
        case "week":
            let week = DateInterval(start: Date(timeIntervalSinceNow: -7 * 86_400), end: Date())
            let report = WeeklyReport(healthStore: store)
            print(
                await withCheckedContinuation { continuation in
                    report.line(for: week) { continuation.resume(returning: $0) }
                })
        case "watch":
            for await _ in diary.changes() { try await show(diary, days: 1) }
        default:
            try await show(diary, days: value.flatMap(Int.init) ?? 7)
        }
    }

    private static func show(_ diary: Diary, days: Int) async throws {
        for day in try await diary.days(days, upTo: Date()) {
            let date = day.date.formatted(.iso8601.year().month().day())
            let steps = day.steps.map { "\($0) steps" } ?? "no steps"
            let weight = day.kilograms.map { String(format: "  %.1f kg", $0) } ?? ""
            print("\(date)  \(steps)\(weight)")
        }
    }

    private static func message(of error: any Error) -> String {
        switch error {
        case Diary.Problem.unavailable: "there is no health data on this computer"
        case Diary.Problem.writeNotAllowed: "it is not allowed to write weights"
        default:
            // The error, and on Linux the command that grants access.
            [error.localizedDescription, (error as NSError).localizedFailureReason]
                .compactMap { $0 }.joined(separator: ". ")
        }
    }
}
