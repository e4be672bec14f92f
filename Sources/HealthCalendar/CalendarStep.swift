package import Foundation

/// A unit of the calendar: the length of a bucket of statistics, or the distance of ticks on an
/// axis.
public enum CalendarStep: String, Hashable, Sendable, Codable, CaseIterable {
    case hour, day, week, month, year
}

extension CalendarStep {
    /// Returns the step as `DateComponents` with a calendar and its time zone, for the
    /// `intervalComponents` of a HealthKit query. A week is written as 7 days.
    package func components(in calendar: Calendar) -> DateComponents {
        var components =
            switch self {
            case .hour: DateComponents(hour: 1)
            case .day: DateComponents(day: 1)
            case .week: DateComponents(day: 7)
            case .month: DateComponents(month: 1)
            case .year: DateComponents(year: 1)
            }
        components.calendar = calendar
        components.timeZone = calendar.timeZone
        return components
    }

    /// The number of days in the shortest step of this kind: 28 for a month, 365 for a year. It is
    /// also 1 for an hour.
    package var minimumDays: Int {
        switch self {
        case .hour, .day: 1
        case .week: 7
        case .month: 28
        case .year: 365
        }
    }

    /// The largest number of steps that start on one day of 24 hours: 24 for hours, 1 for longer
    /// steps.
    package var maximumPerDay: Int { self == .hour ? 24 : 1 }

    /// Returns a lower bound of the seconds between the starts of two steps that are `count` steps
    /// apart. For steps up to a week, an hour is subtracted, because clocks can be set forward in
    /// between. Dates that a time zone skipped are not taken into account.
    package func minimumSeconds(_ count: Int) -> Double {
        switch self {
        case .hour: Double(count) * 3600 - 3600
        case .day, .week: Double(count * minimumDays) * 86_400 - 3600
        case .month, .year: Double(count * minimumDays) * 86_400
        }
    }

    /// The average length of a step in the Gregorian calendar, in seconds.
    var seconds: Double {
        switch self {
        case .hour: 3600
        case .day: 86_400
        case .week: 604_800
        case .month: 2_629_746
        case .year: 31_556_952
        }
    }
}
