/// Days and moments as people say them, in English on every machine.
package enum DayWords {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]

    /// "10 March 2024" of "2024-03-10"; years before 0 as they are.
    package static func long(_ day: String) -> String {
        let parts = day.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, !day.hasPrefix("-"), (1...12).contains(parts[1]) else { return day }
        return "\(parts[2]) \(months[parts[1] - 1]) \(parts[0])"
    }
}

/// "1 day", "3 days".
package func counted(_ count: Int, _ one: String, _ many: String) -> String {
    NumberText.grouped(Double(count)) + " " + (count == 1 ? one : many)
}
