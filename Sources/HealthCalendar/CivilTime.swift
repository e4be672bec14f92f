package import HealthEngine

/// A date and time of day without a time zone, computed with integer arithmetic only.
package struct CivilTime {
    package var date: CivilDate
    package var hour, minute, second: Int

    /// Creates a date and time from seconds since 2001-01-01T00:00:00 on the same clock.
    package init(reference seconds: Int64) {
        let (date, rest) = CivilDate.split(seconds: Int(clamping: seconds))
        self.date = date
        (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60)
    }

    package var dayText: String { date.description }

    package func text(separator: String) -> String {
        dayText + separator + CivilTime.digits(hour, width: 2) + ":"
            + CivilTime.digits(minute, width: 2) + ":" + CivilTime.digits(second, width: 2)
    }

    package static func digits(_ value: Int, width: Int) -> String {
        let text = String(value)
        return text.count >= width ? text : String(repeating: "0", count: width - text.count) + text
    }

    /// Formats an offset from UTC in seconds: "+01:00" or "-03:30". Seconds are truncated.
    package static func offset(seconds: Int) -> String {
        let size = abs(seconds)
        return (seconds < 0 ? "-" : "+") + digits(size / 3600, width: 2) + ":"
            + digits(size / 60 % 60, width: 2)
    }
}
