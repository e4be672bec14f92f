public import Foundation
import HealthCalendar
import HealthEngine

/// A list of workouts, with the details of one: `/workouts`, `/workouts/UUID`.
public struct WorkoutsPage: Page, Hashable {
    /// The URL path of the page.
    public static let path = "/workouts"
    /// The title of the page.
    public static let title = "Workouts"

    /// When the numbers were read, and whether they are current.
    public var freshness: Freshness
    /// The time zone's identifier: "Europe/Berlin".
    public var timeZone: String
    /// The workouts, the newest first, up to the requested limit.
    public var workouts: [WorkoutSummary]
    /// The number of all workouts; nil if it is not known.
    public var total: Int?
    /// The `before=` parameter of the next page, which lists older workouts of the range. Nil if
    /// there are none, or if that is not known.
    public var older: Date?
    /// The end of the requested range; nil for a range without an end.
    public var before: Date?
    /// The requested workout; nil if none was requested or found.
    public var detail: WorkoutDetail?
    /// The first line: the main result as an English sentence.
    public var sentence: String

    package init(
        freshness: Freshness, timeZone: String, workouts: [WorkoutSummary], total: Int? = nil,
        older: Date? = nil, before: Date? = nil, detail: WorkoutDetail?, sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.workouts = workouts
        self.total = total
        self.older = older
        self.before = before
        self.detail = detail
        self.sentence = sentence
    }
}

extension WorkoutsPage {
    /// Reads the page of the workouts in a range.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - range: The half-open range of starts.
    ///   - limit: The maximum number of listed workouts; the newest of the range are listed.
    ///   - id: The identifier of the workout to show in detail, which need not be in the range; nil
    ///     for none.
    ///   - counts: The numbers of workouts; nil if they are not known.
    ///   - context: The time and calendar.
    /// - Throws: ``Unavailability``; ``Unavailability/notDetermined`` without requested
    ///   authorization for workouts. Heart rates and routes without requested authorization are
    ///   omitted.
    public init(
        of service: some HealthService, over range: DateInterval, limit: Int = 100,
        chosen id: UUID? = nil, counts: Counts? = nil, context: PageContext
    ) async throws(Unavailability) {
        let before = range.end < .distantFuture ? range.end : nil
        let workouts = try await service.workouts(range, limit: limit)
        var detail: WorkoutDetail?
        if let id { detail = try await service.workout(id) }
        self.init(
            freshness: context.freshness, timeZone: context.calendar.timeZone.identifier,
            workouts: workouts, total: counts?.total, older: Self.older(workouts, of: counts),
            before: before, detail: detail,
            sentence: detail == nil
                ? counts.flatMap { Self.sentence(workouts, of: $0, before: before, context) }
                    ?? Self.sentence(workouts, nil, context)
                : Self.sentence(workouts, detail?.summary, context))
    }

    private static func sentence(
        _ workouts: [WorkoutSummary], _ chosen: WorkoutSummary?, _ context: PageContext
    ) -> String {
        func day(_ date: Date) -> String {
            DateText.long(context.calendar.civilDate(of: date).description)
        }
        if let chosen {
            let name = chosen.activity.prefix(1).uppercased() + chosen.activity.dropFirst()
            let distance = chosen.distance.map {
                ", \(NumberText.grouped($0 / 1000, digits: 2)) km"
            }
            let beats = chosen.averageHeartRate.map { ", \(NumberText.grouped($0)) bpm on average" }
            return "\(name) on \(day(chosen.start)): \(NumberText.hours(chosen.duration)) hours"
                + "\(distance ?? "")\(beats ?? "")."
        }
        guard let last = workouts.first else {
            return "No workouts. Either none was recorded, or reading is not allowed; the system "
                + "doesn't report which."
        }
        let time = workouts.reduce(0) { $0 + $1.duration }
        return "\(counted(workouts.count, "workout", "workouts")), \(NumberText.hours(time)) "
            + "hours in total, the last on \(day(last.start)) (\(last.activity))."
    }
}
