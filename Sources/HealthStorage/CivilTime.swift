/// Year to second without a zone: proleptic Gregorian arithmetic that costs nanoseconds.
struct CivilTime {
    var year, month, day, hour, minute, second: Int

    /// From seconds since 2001-01-01T00:00:00 on the same clock.
    init(reference seconds: Int64) {
        let days = Int((Double(seconds) / 86400).rounded(.down))
        let rest = Int(seconds) - days * 86400
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
        // Days since 0000-03-01, in eras of 400 years (146,097 days).
        let z = days + 730_791
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
        month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var dayText: String {
        (year < 0 ? "-" : "") + CivilTime.digits(abs(year), width: 4) + "-"
            + CivilTime.digits(month, width: 2) + "-"
            + CivilTime.digits(day, width: 2)
    }

    func text(separator: String) -> String {
        dayText + separator + CivilTime.digits(hour, width: 2) + ":"
            + CivilTime.digits(minute, width: 2) + ":" + CivilTime.digits(second, width: 2)
    }

    static func digits(_ value: Int, width: Int) -> String {
        let text = String(value)
        return text.count >= width ? text : String(repeating: "0", count: width - text.count) + text
    }

    /// "+01:00" or "-03:30"; whole minutes.
    static func offset(seconds: Int) -> String {
        let size = abs(seconds)
        return (seconds < 0 ? "-" : "+") + digits(size / 3600, width: 2) + ":"
            + digits(size / 60 % 60, width: 2)
    }
}
