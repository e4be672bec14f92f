import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// The output of `stats --by weekday`: the values of days, by weekday.
struct WeekdayStats {
    struct Row {
        var weekday: Weekday
        var days = DayGroup()
    }

    let values: DayValues
    /// The weekdays with data, from the first day of the week.
    let rows: [Row]

    init(_ values: DayValues) {
        self.values = values
        var found: [Weekday: DayGroup] = [:]
        for (day, value) in values.days {
            found[Weekday.allCases[day.weekday], default: DayGroup()].add(value)
        }
        let first = (values.calendar.firstWeekday + 5) % 7
        let order = Weekday.allCases[first...] + Weekday.allCases[..<first]
        rows = order.compactMap { weekday in
            found[weekday].map { Row(weekday: weekday, days: $0) }
        }
    }
}

/// The JSON and CSV output of `stats --by weekday`.
enum WeekdayData {
    static func json(_ stats: WeekdayStats) -> JSONText {
        .object([
            "type": .string(stats.values.type.identifier),
            "unit": .string(stats.values.unit),
            "timeZone": .string(stats.values.calendar.calendar.timeZone.identifier),
            "from": .text(stats.values.extent?.lowerBound.description),
            "through": .text(stats.values.extent?.upperBound.description),
            "weekdays": .array(
                stats.rows.map {
                    .object([
                        "weekday": .string($0.weekday.rawValue), "days": .integer($0.days.count),
                        "average": .number($0.days.average), "lowest": .number($0.days.lowest),
                        "highest": .number($0.days.highest),
                    ])
                }),
        ])
    }

    static func csv(_ stats: WeekdayStats) -> String {
        CSVText.row(["weekday", "days", "average", "lowest", "highest"])
            + stats.rows.map {
                CSVText.row([
                    $0.weekday.rawValue, String($0.days.count), CSVText.number($0.days.average),
                    CSVText.number($0.days.lowest), CSVText.number($0.days.highest),
                ])
            }.joined()
    }
}

/// The text output of `stats --by weekday`.
enum WeekdayText {
    static func text(_ stats: WeekdayStats) -> String {
        let values = stats.values
        let ranked = stats.rows.sorted { $0.days.average > $1.days.average }
        guard let most = ranked.first, let least = ranked.last, let extent = values.extent else {
            return values.absence
        }
        let amount = DayAmount(values)
        var sentence =
            "\(TypeText.title(values.type)) by weekday: highest on \(plural(most.weekday)) with "
            + "\(amount.withUnit(most.days.average)) on average"
        if ranked.count > 1 {
            sentence +=
                ", lowest on \(plural(least.weekday)) with \(amount.withUnit(least.days.average))"
        }
        sentence +=
            "; \(DateText.long(extent.lowerBound.description)) to "
            + "\(DateText.long(extent.upperBound.description)), without double counting."
        var table = Table([
            .text("weekday"), .number("average"), .text(""), .number("lowest"), .number("highest"),
            .number("days"),
        ])
        for row in stats.rows {
            table.rows.append([
                row.weekday.title, amount.text(row.days.average),
                bar(row.days.average, most.days.average), amount.text(row.days.lowest),
                amount.text(row.days.highest), NumberText.grouped(Double(row.days.count)),
            ])
        }
        return sentence.wrapped() + "\n\n" + table.text
    }

    private static let barWidth = 20

    /// Returns a bar whose length shows a value from 0 to the highest one.
    private static func bar(_ value: Double, _ highest: Double) -> String {
        guard highest > 0, value > 0 else { return "" }
        let length = Int(clamping: (value / highest * Double(barWidth)).rounded())
        return String(repeating: "█", count: max(1, min(barWidth, length)))
    }

    private static func plural(_ weekday: Weekday) -> String { weekday.title + "s" }
}

extension Weekday {
    /// The name with a capital letter: "Monday".
    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
