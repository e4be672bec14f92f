import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// `openhealth compare TYPE`
struct Compare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compares a type between two periods, or days with workouts and others.",
        discussion: """
            A period is one of: 30d, 8w, 6m, 2y, today, yesterday, "last week", "this month", \
            2025, 2025-11, 2025-11-03. Without a second one, the period is compared with the one \
            before: as many days, or as many whole months.

            --on workouts compares days with a workout and days without, --after workouts the days \
            after them; for sleepAnalysis that is the night that follows. Amounts are compared by \
            day, readings by the averages of days, sleep by night. Days without data don't count, \
            nor does a day that isn't over.

            openhealth compare steps "this month" "last month"
            openhealth compare sleep --after workouts --last 1y
            """)

    @Argument(help: ArgumentHelp("stepCount, steps or a full identifier.", valueName: "type"))
    var type: String

    @Argument(help: ArgumentHelp("One or two periods.", valueName: "period"))
    var periods: [String] = []

    @Option(help: ArgumentHelp("Compare days with these and days without.", valueName: "events"))
    var on: DayEvents?

    @Option(
        help: ArgumentHelp("Compare the days or nights after days with these.", valueName: "events")
    )
    var after: DayEvents?

    @Option(help: ArgumentHelp("Only workouts of this activity.", valueName: "name"))
    var activity: String?

    @OptionGroup var range: DateRange

    @Option(help: ArgumentHelp("A unit that fits the type, for example mi or kJ."))
    var unit: String?

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if periods.count > 2 { throw ValidationError("Choose at most two periods.") }
        let hasEvents = on != nil || after != nil
        if on != nil, after != nil { throw ValidationError("Choose --on or --after.") }
        if hasEvents == !periods.isEmpty {
            throw ValidationError("Name one or two periods, or choose --on or --after workouts.")
        }
        if activity != nil, !hasEvents {
            throw ValidationError("--activity needs --on or --after workouts.")
        }
        let hasRange = [range.from, range.to, range.last, range.year].contains { $0 != nil }
        if hasRange, !hasEvents {
            throw ValidationError("Name the periods instead of --from, --to, --last and --year.")
        }
    }

    @MainActor func run() async throws {
        let store = try global.open()
        let type = try global.type(type, in: store)
        let calendar = try global.calendar(of: store)
        try UnitOption.check(unit, for: type)
        let now = Date()
        let comparison =
            try await on != nil || after != nil
            ? byEvents(store, type, calendar, now) : byPeriods(store, type, calendar, now)
        try global.json
            ? Output.print(DayComparisonJSON.value(comparison))
            : Output.print(DayComparisonText.text(comparison))
    }

    @MainActor private func byPeriods(
        _ store: SampleStore, _ type: SampleType, _ calendar: CalendarBuckets, _ now: Date
    ) async throws -> DayComparison {
        let today = calendar.civilDate(now.timeIntervalSinceReferenceDate)
        let chosen = try UsageError.checking {
            try periods.map {
                try DayPeriod($0, today: today, firstWeekday: calendar.firstWeekday)
            }
        }
        let second = chosen.count > 1 ? chosen[1] : chosen[0].previous
        var groups: [DayComparison.Group] = []
        var all: [DayValues] = []
        let names = [periods[0], periods.count > 1 ? periods[1] : "before: \(second.written)"]
        for (name, period) in zip(names, [chosen[0], second]) {
            let times = calendar.times(of: period)
            let query = SampleQuery(type, from: times.from, to: times.to)
            let values = try await DayValues(store, query, unit: unit, calendar, now: now)
            all.append(values)
            groups.append(DayComparison.Group(name: name, period: period, values.days.map(\.value)))
        }
        return DayComparison(all[0], groups[0], groups[1])
    }

    @MainActor private func byEvents(
        _ store: SampleStore, _ type: SampleType, _ calendar: CalendarBuckets, _ now: Date
    ) async throws -> DayComparison {
        var query = SampleQuery(type)
        try range.apply(to: &query, calendar)
        let values = try await DayValues(store, query, unit: unit, calendar, now: now)
        let activity = try activity.map { try ActivityName.activity(named: $0) }
        let rows = try store.withReadSnapshot {
            try WorkoutList.rows($0, from: -.infinity, to: .infinity)
        }
        let shift = after == nil ? 0 : 1
        let days = Set(
            rows.filter { activity == nil || $0.activity == activity }
                .map { calendar.civilDate($0.start).advanced(by: shift) })
        let noun = activity.map { "\($0) workout" } ?? "workout"
        let head = after == nil ? "days" : "after days"
        return DayComparison(
            values,
            DayComparison.Group(
                name: "\(head) with a \(noun)",
                values.days.filter { days.contains($0.day) }.map(\.value)),
            DayComparison.Group(
                name: "\(head) without", values.days.filter { !days.contains($0.day) }.map(\.value))
        )
    }
}

/// What divides days in a comparison.
enum DayEvents: String, ExpressibleByArgument, CaseIterable {
    case workouts
}

/// Two groups of days, and their averages.
struct DayComparison {
    struct Group {
        var name: String
        /// The days of the group if it is a period.
        var period: DayPeriod?
        var days = DayGroup()

        init(name: String, period: DayPeriod? = nil, _ values: [Double]) {
            (self.name, self.period) = (name, period)
            for value in values { days.add(value) }
        }
    }

    let values: DayValues
    let groups: [Group]

    init(_ values: DayValues, _ first: Group, _ second: Group) {
        self.values = values
        groups = [first, second]
    }

    /// The average of the first group minus that of the second; nil if one has no data.
    var difference: Double? {
        guard groups.allSatisfy({ $0.days.count > 0 }) else { return nil }
        return groups[0].days.average - groups[1].days.average
    }

    /// The difference in percent of the second average; nil if that is 0.
    var percent: Double? {
        guard let difference, groups[1].days.average != 0 else { return nil }
        return difference / abs(groups[1].days.average) * 100
    }
}

/// The JSON output of `compare`.
enum DayComparisonJSON {
    static func value(_ comparison: DayComparison) -> JSONText {
        let isSum = comparison.values.type.aggregation == .cumulative
        return .object([
            "type": .string(comparison.values.type.identifier),
            "unit": .string(comparison.values.unit),
            "timeZone": .string(comparison.values.calendar.calendar.timeZone.identifier),
            "groups": .array(
                comparison.groups.map { group in
                    let isEmpty = group.days.count == 0
                    return .object([
                        "name": .string(group.name),
                        "from": group.period.map { .string($0.first.description) },
                        "to": group.period.map { .string($0.end.description) },
                        "days": .integer(group.days.count),
                        "average": .amount(isEmpty ? nil : group.days.average),
                        "lowest": .amount(isEmpty ? nil : group.days.lowest),
                        "highest": .amount(isEmpty ? nil : group.days.highest),
                        "sum": isSum ? .amount(isEmpty ? nil : group.days.sum) : nil,
                    ])
                }),
            "difference": .amount(comparison.difference),
            "percent": .amount(comparison.percent),
        ])
    }
}

/// The text output of `compare`.
enum DayComparisonText {
    static func text(_ comparison: DayComparison) -> String {
        let largest =
            comparison.groups.flatMap { [$0.days.highest, -$0.days.lowest] }
            .filter(\.isFinite).max() ?? 0
        let amount = DayAmount(comparison.values, largest: largest)
        let noun = comparison.values.type.identifier == Metric.sleep.identifier ? "night" : "day"
        let isSum = comparison.values.type.aggregation == .cumulative
        var table = Table(
            [
                .text("", maximumWidth: 40), .number("average"), .number("lowest"),
                .number("highest"),
            ]
                + (isSum ? [.number("total")] : []) + [.number(noun + "s")])
        for group in comparison.groups {
            let isEmpty = group.days.count == 0
            func cell(_ value: Double) -> String { isEmpty ? "–" : amount.text(value) }
            table.rows.append(
                [
                    group.name, cell(group.days.average), cell(group.days.lowest),
                    cell(group.days.highest),
                ] + (isSum ? [cell(group.days.sum)] : [])
                    + [NumberText.grouped(Double(group.days.count))])
        }
        return sentence(comparison, amount, noun).wrapped() + "\n\n" + table.text
    }

    private static func sentence(
        _ comparison: DayComparison, _ amount: DayAmount, _ noun: String
    ) -> String {
        let title = TypeText.title(comparison.values.type)
        let (first, second) = (comparison.groups[0], comparison.groups[1])
        guard let difference = comparison.difference else {
            let empty = comparison.groups.filter { $0.days.count == 0 }.map(\.name)
            return "\(title): no data for \(empty.joined(separator: " and ").printable)."
        }
        let share = comparison.percent.map {
            let percent = NumberText.grouped(abs($0))
            return percent == "0" ? "" : " (\($0 < 0 ? "−" : "+")\(percent) %)"
        }
        return "\(title), average of a \(noun): \(amount.withUnit(first.days.average)) "
            + "(\(first.name.printable)) against \(amount.withUnit(second.days.average)) "
            + "(\(second.name.printable)): \(amount.signed(difference))\(share ?? ""), without "
            + "double counting."
    }
}
