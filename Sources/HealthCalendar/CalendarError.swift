import HealthEngine

/// An error in parsing a date or in dividing a range into buckets.
public enum CalendarError: Error, Hashable, CustomStringConvertible {
    /// The text is not a date.
    case notADate(String)
    /// The text is not a period of days.
    case notAPeriod(String)
    /// The text is a day outside `CivilDate.supportedRange`.
    case outOfRange(String)
    /// The text is a day that the time zone skipped.
    case skipped(String, zone: String)
    /// The range is empty, or a bound is not finite or is 10^12 seconds or more from the reference
    /// date.
    case noRange
    /// The range has about `maximum` buckets or more.
    case tooManyBuckets(maximum: Int)
    /// The interval is shorter than a second or has unsupported, negative or very large components,
    /// or the anchor is not finite or is 10^12 seconds or more from the reference date.
    case noInterval

    /// The error as a sentence for people, with what to do.
    public var description: String {
        switch self {
        case .notADate(let text):
            "Unknown date “\(text)”. \(Self.advice(on: text))"
        case .notAPeriod(let text):
            "Unknown period “\(text)”. Use 30d, 8w, 6m, 2y, today, yesterday, last week, this month, "
                + "2025, 2025-11 or 2025-11-03."
        case .outOfRange(let text): "“\(text)” \(CivilDate.DateTextError.outOfRange.reason)"
        case .skipped(let text, let zone): "\(text) doesn't exist in \(zone)."
        case .noRange:
            "The range is empty or infinite: its end must be after its start."
        case .tooManyBuckets(let maximum):
            "The range has more than "
                + (maximum < 1_000_000 ? "\(maximum / 1000),000" : "\(maximum / 1_000_000) million")
                + " buckets: use longer buckets or a shorter range."
        case .noInterval:
            "Buckets need an anchor date and an interval of at least one second, in years, "
                + "months, weeks, days, hours, minutes and seconds."
        }
    }

    private static func advice(on text: String) -> String {
        if let day = CivilDate.missingDay(String(text.prefix { $0 != "T" })) {
            return "There is no \(day)."
        }
        return "Use YYYY-MM-DD, today, yesterday, or a time, for example 2024-03-10, "
            + "2024-03-10T08:30 or 2024-03-10T08:30:00+01:00."
    }
}
