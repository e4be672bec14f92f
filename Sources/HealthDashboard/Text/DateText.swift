package import HealthEngine

/// English texts for days, months and clock times, independent of the locale.
///
/// The functions have no calendar or time zone; convert dates first.
package enum DateText {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// Returns "10 March 2024" for "2024-03-10". Years before 0 and other texts are unchanged.
    package static func long(_ day: String) -> String {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, !day.hasPrefix("-"), (1...12).contains(parts[1]) else { return day }
        return "\(parts[2]) \(months[parts[1] - 1]) \(parts[0])"
    }

    /// Returns "March 2024" for "2024-03-10".
    package static func month(_ day: String) -> String {
        let words = long(day)
        return words.firstIndex(of: " ").map { String(words[words.index(after: $0)...]) } ?? words
    }

    /// Returns "Mar" for a day in March; the number of a month outside 1 to 12.
    package static func shortMonth(_ day: CivilDate) -> String {
        months.indices.contains(day.month - 1)
            ? String(months[day.month - 1].prefix(3)) : String(day.month)
    }

    /// Returns a day with its weekday: "Sat 9 Mar 2024".
    package static func short(_ day: CivilDate) -> String {
        "\(weekdays[day.weekday]) \(day.day) \(shortMonth(day)) \(day.year)"
    }

    /// Returns "4–10 Mar 2024", "26 Feb – 3 Mar 2024" or "30 Dec 2024 – 5 Jan 2025".
    package static func span(_ first: CivilDate, _ last: CivilDate) -> String {
        if (first.year, first.month) == (last.year, last.month) {
            return "\(first.day)–\(last.day) \(shortMonth(first)) \(first.year)"
        }
        let year = first.year == last.year ? "" : " \(first.year)"
        return "\(first.day) \(shortMonth(first))\(year) – \(last.day) \(shortMonth(last)) "
            + "\(last.year)"
    }

    /// Returns a time of day: "07:42".
    package static func clock(hour: Int, minute: Int) -> String {
        twoDigits(hour) + ":" + twoDigits(minute)
    }

    /// Returns "2024-03-10 08:30" for "2024-03-10T08:30:00+01:00". A shorter text is unchanged.
    package static func minute(_ moment: String) -> String {
        guard moment.count >= 16 else { return moment }
        return String(moment.prefix(16).replacing("T", with: " "))
    }

    private static func twoDigits(_ number: Int) -> String {
        (number < 10 ? "0" : "") + String(number)
    }
}
