package import Foundation

/// The length of a calendar step: of a series, a bucket or an axis.
public enum CalendarStep: String, Hashable, Sendable, Codable, CaseIterable {
    case hour, day, week, month, year
}

extension CalendarStep {
    /// Returns the length as the components of a HealthKit query, in the calendar's time zone. A
    /// week is 7 days.
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

    /// The number of days of the shortest step; 1 for an hour.
    package var leastDays: Int {
        switch self {
        case .hour, .day: 1
        case .week: 7
        case .month: 28
        case .year: 365
        }
    }

    /// The number of steps that start on a day of 24 hours, rounded up.
    package var maximumPerDay: Int { self == .hour ? 24 : 1 }

    /// Returns a lower bound of the seconds between the starts of two steps that are `count` steps
    /// apart. Up to a week it is an hour less, because clocks can be set forward in between.
    package func leastSeconds(_ count: Int) -> Double {
        switch self {
        case .hour: Double(count) * 3600 - 3600
        case .day, .week: Double(count * leastDays) * 86_400 - 3600
        case .month, .year: Double(count * leastDays) * 86_400
        }
    }

    /// The average length, in seconds.
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
