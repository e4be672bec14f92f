public import Foundation
public import HealthEngine

/// What a page depends on beside the data: the moment, the calendar, a person's goal.
public struct PageSetting: Hashable, Sendable {
    public var now: Date
    /// Its zone and first day of the week count; the service must have been made with the same.
    public var calendar: Calendar
    /// Steps a day; nil for none.
    public var stepGoal: Double?

    /// The moment, whose day it is, and what somebody wants to walk.
    public init(now: Date = .now, calendar: Calendar = .current, stepGoal: Double? = nil) {
        self.now = now
        self.calendar = .gregorian(in: calendar.timeZone, firstWeekday: calendar.firstWeekday)
        self.stepGoal = stepGoal
    }

    /// The day that it is.
    public var today: CivilDate { calendar.civilDate(of: now) }

    /// What a page was asked, as ``DashboardCache`` tells questions apart: with the zone, the first
    /// day of the week, the goal, and the day on which it was asked.
    public func question(_ words: String) -> String {
        "\(words), on \(today), \(calendar.timeZone.identifier), weeks from \(calendar.firstWeekday)"
            + (stepGoal.map { ", goal \($0)" } ?? "")
    }

    /// "today", "yesterday", "on 10 March 2024".
    package func words(for day: CivilDate) -> String {
        switch today.dayNumber - day.dayNumber {
        case 0: "today so far"
        case 1: "yesterday"
        default: "on \(DayWords.long(day.description))"
        }
    }

    var freshness: Freshness { Freshness(asOf: now, isCurrent: true) }
}
