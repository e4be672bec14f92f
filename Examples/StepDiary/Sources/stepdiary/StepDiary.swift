import Diary
import Foundation
import HealthKit
import WeeklyReport

/// The diary without a screen: `stepdiary`, `stepdiary weigh 71.4`, `stepdiary week`,
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

    private static func run(_ verb: String, _ value: String?) async throws {
        let store = HKHealthStore()
        let diary = Diary(healthStore: store)
        try await diary.requestAuthorization()
        switch (verb, value) {
        case ("show", _):
            try await show(diary, days: value.flatMap(Int.init) ?? 7)
        case ("weigh", let value?):
            guard let kilograms = Double(value), (1...500).contains(kilograms) else {
                print("A weight is a number of kilograms: stepdiary weigh 71.4")
                return
            }
            try await diary.weigh(kilograms, at: Date())
            try await show(diary, days: 1)
        case ("week", _):
            let week = DateInterval(start: Date(timeIntervalSinceNow: -7 * 86_400), end: Date())
            let report = WeeklyReport(healthStore: store)
            print(
                await withCheckedContinuation { continuation in
                    report.line(for: week) { continuation.resume(returning: $0) }
                })
        case ("watch", _):
            for await _ in diary.changes() { try await show(diary, days: 1) }
        default:
            print("usage: stepdiary [show [days] | weigh <kilograms> | week | watch]")
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
        case Diary.Problem.unavailable: "there is no health data on this machine"
        case Diary.Problem.mayNotWrite: "you don't let it write weights"
        default: error.localizedDescription
        }
    }
}
