package import HealthEngine

/// English texts for days, months and clock times, independent of the locale. On pages, the order of days
/// and the hours of clocks are those of the reader; see ``PageSettings/current``.
///
/// The functions have no calendar or time zone; convert dates first.
package enum DateText {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// Returns "10 March 2024" for "2024-03-10". Years before 0 and other texts are unchanged.
    package static func long(_ day: String) -> String {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, !day.hasPrefix("-"), (1...12).contains(parts[1]) else { return day }
        let month = months[parts[1] - 1]
        switch PageSettings.current.notation {
        case .american: return "\(month) \(parts[2]), \(parts[0])"
        case .german: return "\(parts[2]). \(month) \(parts[0])"
        case .british, .french: return "\(parts[2]) \(month) \(parts[0])"
        }
    }

    /// Returns "March 2024" for "2024-03-10".
    package static func month(_ day: String) -> String {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, !day.hasPrefix("-"), (1...12).contains(parts[1]) else { return day }
        return "\(months[parts[1] - 1]) \(parts[0])"
    }

    /// Returns "Mar" for a day in March; the number of a month outside 1 to 12.
    package static func shortMonth(_ day: CivilDate) -> String {
        months.indices.contains(day.month - 1)
            ? String(months[day.month - 1].prefix(3)) : String(day.month)
    }

    /// Returns a day with its weekday: "Sat 9 Mar 2024".
    package static func short(_ day: CivilDate) -> String {
        PageSettings.current.short(day)
    }

    /// Returns a day with its whole weekday: "Saturday 9 March 2024"; without the year if it is that
    /// of another day.
    package static func full(_ day: CivilDate, besides other: CivilDate? = nil) -> String {
        let text = long(day.description)
        let isAmerican = PageSettings.current.notation == .american
        let year = isAmerican ? ", \(day.year)" : " \(day.year)"
        let isSameYear = other?.year == day.year && text.hasSuffix(year)
        let date = isSameYear ? String(text.dropLast(year.count)) : text
        return "\(weekdays[day.weekday])\(isAmerican ? "," : "") \(date)"
    }

    /// The name of a weekday: "Monday" for 0, "Sunday" for 6.
    package static func weekday(_ number: Int) -> String {
        weekdays.indices.contains(number) ? weekdays[number] : ""
    }

    /// Returns a day without its year: "9 Mar".
    package static func dayAndMonth(_ day: CivilDate) -> String {
        switch PageSettings.current.notation {
        case .american: "\(shortMonth(day)) \(day.day)"
        case .german: "\(day.day). \(shortMonth(day))"
        case .british, .french: "\(day.day) \(shortMonth(day))"
        }
    }

    /// Returns "4–10 Mar 2024", "26 Feb – 3 Mar 2024" or "30 Dec 2024 – 5 Jan 2025".
    package static func span(_ first: CivilDate, _ last: CivilDate) -> String {
        let isAmerican = PageSettings.current.notation == .american
        let separator = isAmerican ? ", " : " "
        let end = "\(separator)\(last.year)"
        if (first.year, first.month) == (last.year, last.month) {
            return isAmerican
                ? "\(dayAndMonth(first))–\(last.day)\(end)"
                : "\(dayAndMonth(first).prefix { $0 != " " })–\(dayAndMonth(last))\(end)"
        }
        let year = first.year == last.year ? "" : "\(separator)\(first.year)"
        return "\(dayAndMonth(first))\(year) – \(dayAndMonth(last))\(end)"
    }

    /// Returns a time of day: "07:42".
    package static func clock(hour: Int, minute: Int) -> String {
        PageSettings.current.time(hour: hour, minute: minute)
    }

    /// Returns "2024-03-10 08:30" for "2024-03-10T08:30:00+01:00". A shorter text is unchanged.
    package static func minute(_ moment: String) -> String {
        guard moment.count >= 16 else { return moment }
        return String(moment.prefix(16).replacing("T", with: " "))
    }

}
