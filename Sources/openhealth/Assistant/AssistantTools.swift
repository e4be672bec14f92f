import Foundation
import HealthAssistant
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// The tools of `openhealth mcp` for one store. Each computes its answer with the functions of the
/// command of its name, so that the numbers are the same.
struct AssistantTools: Sendable {
    let store: SampleStore
    /// What the client may read.
    let scope: ReadScope
    /// The time zone of `--time-zone`; nil for the store's home zone, else the system's.
    let zone: TimeZone?
    /// The goal of steps a day; nil for none.
    let stepGoal: Double?
    /// The current time.
    let now: @Sendable () -> Date
    /// The queue of blocking reads.
    let queue = BlockingWork("assistant", .serial)

    /// All tools, in the order of `tools/list`.
    var all: [AssistantTool] {
        [
            summary, total, series, compare, records, explain, sleep, workouts, sources,
            dataQuality, types, samples,
        ]
    }

    /// Returns the calendar of days.
    func calendar() throws -> CalendarBuckets {
        var options = GlobalOptions()
        (options.store, options.as, options.json) = (nil, nil, true)
        options.timeZone = zone?.identifier
        return try options.calendar(of: store)
    }

    /// Returns the body of a tool that blocks while it reads. It reads one state of the store.
    func reading(
        _ body: @escaping @Sendable (AssistantQuestion) throws -> JSONText
    ) -> AssistantTool.Body {
        { arguments in
            try await queue.run {
                try store.withReadSnapshot { try body(AssistantQuestion(self, $0, arguments)) }
            }
        }
    }

    /// Returns what to tell the client about an error; nil for one that it can't act on, whose text
    /// may name files.
    static func explanation(of error: any Error) -> String? {
        switch error {
        case let error as UsageError: error.description.replacing("--", with: "")
        case let error as CalendarError: error.description
        case let error as APIProblem: error.detail
        case let error as Unavailability: explanation(of: error)
        case let error as StoreError: explanation(of: error)
        default: nil
        }
    }

    private static func explanation(of error: Unavailability) -> String {
        switch error {
        case .locked: busy
        case .notDetermined: "Nothing that this would show is shared with this session."
        case .noHealthData: "There is no health data yet."
        case .failed: "The store can't be read."
        }
    }

    private static func explanation(of error: StoreError) -> String? {
        switch error.reason {
        case .busy, .importRunning: busy
        case .noStatistics: "\(error) Try the tool samples, or sleep or workouts."
        case .notSummed: "\(error) Try the tools total and series."
        case .unitMismatch, .noDefaultUnit: error.description
        default: nil
        }
    }

    private static let busy =
        "Another process is writing to the store. Try again in a moment."
}

/// Words that several descriptions share.
enum AssistantWords {
    static let period =
        "Days, in words: today, yesterday, last week, this month, 30d, 8w, 6m, 2025, 2025-11, "
        + "2025-11-03, “2025-01 to 2025-03”, or all."
    static let type =
        "What is measured: stepCount, heartRate, restingHeartRate, bodyMass, …; common names such "
        + "as steps or weight work too. The tool types lists them."
    static let unit = "A unit that fits the type, such as mi, kJ or lb. Default: the type's own."
    static let cursor = "nextCursor of the answer before, to get its next page."
    static let tooLarge = "The recorded numbers are too large to add up. One is probably wrong."
    static let missing = "null if nothing was measured, which is not 0; reason says why."
}
