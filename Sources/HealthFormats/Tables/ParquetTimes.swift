import Foundation
package import HealthCalendar
package import HealthEngine

/// Times and days as Parquet writes them: UTC in microseconds, and days since 1970-01-01.
///
/// Only the years 1 to 9999 have values, because Python's dates end there. Other times are null.
package struct ParquetTimes {
    private let calendar: CalendarBuckets
    /// The last day, with its start and end. Samples are in order of time, so the next one is
    /// mostly on the same day.
    private var last: (start: Double, end: Double, day: ParquetValue) = (.infinity, 0, .null)

    package init(_ calendar: CalendarBuckets) { self.calendar = calendar }

    /// The time zone of the days.
    package var zone: String { calendar.calendar.timeZone.identifier }

    /// Returns an instant, rounded to microseconds.
    package static func timestamp(_ time: Double) -> ParquetValue {
        guard years.contains(time) else { return .null }
        let microseconds = Int(clamping: (time * 1e6).rounded())
        return .timestamp(Int64(clamping: microseconds) + epochOffset * 1_000_000)
    }

    /// Returns a date.
    package static func date(_ day: CivilDate) -> ParquetValue {
        guard CivilDate.supportedRange.contains(day) else { return .null }
        return .date(Int32(day.dayNumber) + Int32(epochOffset / 86_400))
    }

    /// Returns the local day of a time.
    package mutating func day(_ time: Double) -> ParquetValue {
        if time >= last.start, time < last.end { return last.day }
        let day =
            ParquetTimes.years.contains(time)
            ? ParquetTimes.date(calendar.civilDate(time)) : .null
        last = (calendar.start(of: .day, at: time), calendar.end(of: .day, at: time), day)
        return day
    }

    /// Returns the local day of a sample's start, or the day of an activity summary.
    package mutating func day(of sample: Sample, _ type: SampleType) -> ParquetValue {
        type.kind == .activitySummary
            ? ParquetTimes.date(CalendarBuckets.civilDate(ofRings: sample.start))
            : day(sample.start)
    }

    /// From 0001-01-01 to before 10000-01-01, in reference seconds.
    private static let years = -63_113_904_000.0..<252_423_993_600.0
    /// The seconds from 1970-01-01 to 2001-01-01.
    private static let epochOffset: Int64 = 978_307_200
}
