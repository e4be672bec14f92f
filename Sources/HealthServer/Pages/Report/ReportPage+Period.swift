package import Foundation
package import HealthCalendar
import HealthDashboard
package import HealthEngine
package import HealthStorage

extension ReportPage {
    /// The maximum number of days of a report.
    package static let maximumDays = 366
    /// The number of days of a report without a first day.
    package static let standardDays = 90
    /// The maximum length of the person's words, in Unicode scalars.
    package static let maximumWords = 1_000
    /// The maximum number of lines of the person's words. Further lines are appended to the last
    /// one, so that the report still fits three pages.
    static let maximumLines = 24

    /// The types of the sections.
    private static let types = [
        "restingHeartRate", "bloodPressure", "bodyMass", "sleepAnalysis", "stepCount",
        "appleExerciseTime", "bloodGlucose", "electrocardiogram", "medicationDoseEvent",
    ].compactMap { Catalogue.type(named: $0) }

    /// Returns the day on which the latest sample or total of the report's types ends.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - calendar: The calendar and time zone of days.
    ///   - now: The current time, after which no day is returned.
    /// - Returns: The day; nil without data.
    /// - Throws: `StoreError` if the store can't be read.
    /// - Complexity: O(types · log n + samples of the last days).
    package static func latestDay(
        in store: SampleStore, _ calendar: CalendarBuckets, now: Date
    ) throws -> CivilDate? {
        let ends = try types.compactMap { try store.latestEnd(of: $0) }
        return ends.max().map { end in
            calendar.civilDate(min(now.timeIntervalSinceReferenceDate, end.nextDown))
        }
    }

    /// Returns the days of a report: up to the latest data and 90 days long unless others are
    /// requested, and never after today.
    ///
    /// - Parameters:
    ///   - first: The requested first day; nil for none.
    ///   - last: The requested last day, inclusive; nil for none.
    ///   - latest: The day of the latest data; nil without data.
    ///   - today: The current day.
    /// - Returns: At most ``maximumDays`` days, both bounds included.
    /// - Throws: ``PageError/badRequest(_:)`` for more days, or if the last is before the first.
    package static func days(
        from first: CivilDate?, to last: CivilDate?, latest: CivilDate?, today: CivilDate
    ) throws(PageError) -> ClosedRange<CivilDate> {
        let earliest = CivilDate.supportedRange.lowerBound
        let last = min(last ?? max(latest ?? today, earliest), today)
        let first = first ?? max(last.advanced(by: 1 - standardDays), earliest)
        guard first <= last else {
            throw .badRequest("The report ends before it starts: \(first) to \(last).")
        }
        guard last.dayNumber - first.dayNumber < maximumDays else {
            throw .badRequest(
                "A report has at most \(maximumDays) days. Choose a later first day or an earlier "
                    + "last day.")
        }
        return first...last
    }

    /// Returns a person's words as they are printed: without empty lines and control characters.
    ///
    /// - Parameter text: The text that the person entered.
    /// - Returns: At most ``maximumWords`` Unicode scalars in lines; nil if there are no words.
    /// - Throws: ``PageError/badRequest(_:)`` for a longer text.
    package static func words(_ text: String?) throws(PageError) -> String? {
        guard let text else { return nil }
        var lines = text.split(whereSeparator: \.isNewline).map { line -> String in
            var printable = PrintableText.text(String(line).replacing("\t", with: " "))[...]
                .drop(while: \.isWhitespace)
            while printable.last?.isWhitespace == true { printable.removeLast() }
            return String(printable)
        }.filter { !$0.isEmpty }
        if lines.count > maximumLines {
            let rest = lines[(maximumLines - 1)...].joined(separator: " ")
            lines = Array(lines.prefix(maximumLines - 1)) + [rest]
        }
        let words = lines.joined(separator: "\n")
        guard words.unicodeScalars.count <= maximumWords else {
            throw .badRequest("The words are too long: at most \(maximumWords) characters.")
        }
        return words.isEmpty ? nil : words
    }

    /// Returns the days of a period and as many days before it, as far as they can be requested.
    static func withDaysBefore(_ days: ClosedRange<CivilDate>) -> ClosedRange<CivilDate> {
        let count = days.upperBound.dayNumber - days.lowerBound.dayNumber + 1
        let first = max(
            days.lowerBound.advanced(by: -count), CivilDate.supportedRange.lowerBound)
        return min(first, days.lowerBound)...days.upperBound
    }

    /// The headline: "3 July 2026 to 30 September 2026, 90 days".
    static func sentence(_ days: ClosedRange<CivilDate>, _ sections: [Section]) -> String {
        let span =
            "\(DateText.long(days.lowerBound.description)) to "
            + DateText.long(days.upperBound.description)
        let count = days.upperBound.dayNumber - days.lowerBound.dayNumber + 1
        return sections.isEmpty
            ? "No data from \(span)" : "\(span), \(counted(count, "day", "days"))"
    }
}
