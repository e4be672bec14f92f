import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// `openhealth stats TYPE`
struct Stats: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Sums or averages a type over time, without double counting.",
        discussion: """
            Amounts such as steps are summed, readings such as weight are averaged, heart rate by \
            the time that each reading stands for, and categories such as sleep are timed. Only buckets with data are listed. Default range: \
            all data.

            sleepAnalysis is counted in nights, as in summary. A night is counted on one day: the \
            day whose 24 hours up to 18:00 contain its midpoint, usually the day it ends on. Naps \
            are counted separately. --from and --to select whole days. --by hour shows the part of \
            each night in each hour.
            """)

    @Argument(help: ArgumentHelp("stepCount or a full identifier.", valueName: "type"))
    var type: String

    @OptionGroup var range: DateRange

    @Option(help: "The length of a bucket, or weekday to compare the days of the week.")
    var by: Step = .each(.day)

    @Option(
        help: ArgumentHelp(
            "List only the n buckets with the largest values, the largest first.", valueName: "n"))
    var best: Int?

    @Option(
        help: ArgumentHelp(
            "A unit that fits the type, for example mi, kJ or mmol<180.1558800000541>/L."))
    var unit: String?

    @Option(help: ArgumentHelp("Only this source. Can be repeated.", valueName: "name"))
    var source: [String] = []

    @Flag(help: "Also show what each source recorded.")
    var bySource = false

    @Option(help: ArgumentHelp("The first day of the week.", valueName: "day"))
    var weekStarts: Weekday = .monday

    @Flag(help: "Print CSV.")
    var csv = false

    @Option(
        help: ArgumentHelp(
            "Also draw the values in a file: .svg, or .png if rsvg-convert is installed.",
            valueName: "file"))
    var chart: ChartDestination?

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if csv && global.json { throw ValidationError("Choose --json or --csv, not both.") }
        if by == .weekday, bySource {
            throw ValidationError("--by-source isn't available with --by weekday.")
        }
        if chart != nil, by.calendarStep == nil || best != nil {
            throw ValidationError(
                "--chart draws hours, days, weeks, months or years, without --best.")
        }
        guard let best else { return }
        if best < 1 { throw ValidationError("--best needs a number from 1.") }
        if by.calendarStep == nil {
            throw ValidationError("--best ranks hours, days, weeks, months or years.")
        }
    }

    @MainActor func run() async throws {
        let store = try global.open()
        let type = try global.type(type, in: store)
        let calendar = try global.calendar(of: store, firstWeekday: weekStarts.number)
        var query = SampleQuery(type, sources: source)
        try range.apply(to: &query, calendar)
        try UnitOption.check(unit, for: type)
        let step = by == .weekday ? .each(.day) : by
        if type.identifier == Metric.sleep.identifier {
            if best != nil, by == .each(.hour) {
                throw UsageError("Nights are ranked by day, week, month or year, not by hour.")
            }
            return try await show(
                SleepStatsResult(
                    store, query, by: step, bySource ? .bySource : .mergedOnly, calendar),
                store, query)
        }
        var rules = StatisticsRules()
        rules.separation = bySource ? .bySource : .mergedOnly
        rules.horizon = Date().timeIntervalSinceReferenceDate
        var result = try StatsResult(
            reading: store, query, by: step, unit: unit, rules: rules, calendar: calendar)
        if let chart, let step = by.calendarStep {
            try chart.write(ChartFile(result, by: step, unit: unit, now: rules.horizon))
        }
        if let best { result.keepLargest(best) }
        let options = StoreOptions.text(global)
        let hidden =
            result.buckets.isEmpty
            ? try ExcludedDataNote(store, query)?.text("in that period", options) : nil
        if by == .weekday {
            try show(WeekdayStats(DayValues(result, now: rules.horizon)), hidden)
        } else if csv {
            try Output.print(StatsCSV.text(result))
            if let hidden { Message.show(hidden) }
        } else if global.json {
            try Output.print(StatsJSON.value(result))
        } else if let hidden {
            try Output.print(hidden)
        } else {
            try Output.print(StatsText.text(result))
            if result.buckets.isEmpty { try showExtent(store, query, calendar) }
            for note in StatsText.notes(result, options) { Message.write(note) }
        }
    }

    private func showExtent(
        _ store: SampleStore, _ query: SampleQuery, _ calendar: CalendarBuckets
    ) throws {
        if let note = try DataExtentNote.text(store, query, calendar) { Message.write(note) }
    }

    private func show(_ stats: WeekdayStats, _ hidden: String?) throws {
        if csv {
            try Output.print(WeekdayData.csv(stats))
        } else if global.json {
            try Output.print(WeekdayData.json(stats))
        } else {
            try Output.print(hidden ?? WeekdayText.text(stats))
        }
        if csv, let hidden { Message.show(hidden) }
    }

    private func show(
        _ result: SleepStatsResult, _ store: SampleStore, _ query: SampleQuery
    ) throws {
        var result = result
        if let chart, let step = by.calendarStep {
            let now = Date().timeIntervalSinceReferenceDate
            try chart.write(ChartFile(result, of: query, by: step, now: now))
        }
        if let best { result.keepLongest(best) }
        let options = StoreOptions.text(global)
        let hidden =
            result.buckets.isEmpty
            ? try ExcludedDataNote(store, query)?.text("in that period", options) : nil
        if by == .weekday {
            let now = Date().timeIntervalSinceReferenceDate
            try show(WeekdayStats(DayValues(result, now: now)), hidden)
        } else if csv {
            try Output.print(SleepCSV.text(result))
            if let hidden { Message.show(hidden) }
        } else if global.json {
            try Output.print(SleepJSON.value(result))
        } else if let hidden {
            try Output.print(hidden)
        } else {
            try Output.print(SleepText.text(result))
            if result.buckets.isEmpty { try showExtent(store, query, result.calendar) }
            for source in result.excluded {
                Message.write(
                    ExclusionNote.text(
                        source.source.name, result.type, reason: source.reason, options))
            }
        }
    }
}

/// The length of a bucket: the whole range, or a calendar step; or days grouped by weekday.
enum Step: Hashable, ExpressibleByArgument, CaseIterable {
    case total
    case each(CalendarStep)
    case weekday

    static let allCases = [Step.total] + CalendarStep.allCases.map(Step.each) + [Step.weekday]
    static let allValueStrings = allCases.map(\.name)

    init?(argument: String) {
        guard let step = Step.allCases.first(where: { $0.name == argument }) else { return nil }
        self = step
    }

    /// The name in arguments, such as "total" or "day".
    var name: String {
        switch self {
        case .total: "total"
        case .each(let step): step.rawValue
        case .weekday: "weekday"
        }
    }
    var defaultValueDescription: String { name }

    /// The calendar step; nil for `total`, which is a single bucket, and for weekdays.
    var calendarStep: CalendarStep? {
        guard case .each(let step) = self else { return nil }
        return step
    }
}

/// The first day of a week.
enum Weekday: String, ExpressibleByArgument, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Parses a name such as "monday", or its first three letters, in any case.
    init?(argument: String) {
        let name = argument.lowercased()
        guard let day = Weekday.allCases.first(where: { $0.rawValue == name || $0.short == name })
        else { return nil }
        self = day
    }

    private var short: String { String(rawValue.prefix(3)) }

    /// The number in the Gregorian calendar: Sunday is 1.
    var number: Int {
        switch self {
        case .sunday: 1
        case .monday: 2
        case .tuesday: 3
        case .wednesday: 4
        case .thursday: 5
        case .friday: 6
        case .saturday: 7
        }
    }
}

/// Validates the option `--unit`.
enum UnitOption {
    /// Checks that a unit fits a type; nil always does.
    ///
    /// - Throws: ``UsageError`` if the unit is invalid or doesn't fit the type.
    static func check(_ unit: String?, for type: SampleType) throws {
        guard let unit else { return }
        if type.kind == .category {
            if unit == "s" { return }
            throw UsageError("\(type.name) is measured in seconds: use --unit s or omit --unit.")
        }
        guard let usual = type.resultUnit else {
            throw UsageError("\(type.name) has no unit: omit --unit.")
        }
        do {
            _ = try HealthUnit(usual).conversion(to: try HealthUnit(unit))
        } catch {
            throw UsageError("The unit doesn't fit \(type.name) (default: \(usual)): \(error)")
        }
    }
}

/// The borders of the buckets in which statistics are computed.
struct BucketRange {
    private var query: SampleQuery
    private var step: Step
    private var calendar: CalendarBuckets
    private var totals: (start: Double, end: Double)?

    /// - Parameter totals: The range of Apple's totals in the answer, which can be longer than that
    ///   of the samples; nil for none.
    init(
        _ query: SampleQuery, by step: Step, _ calendar: CalendarBuckets,
        _ totals: (start: Double, end: Double)? = nil
    ) {
        self.query = query
        self.step = step
        self.calendar = calendar
        self.totals = totals
    }

    /// Returns the borders of the buckets. They cover the range; an open end is that of the data.
    /// The first and the last bucket are clipped to the range. Empty if an end is open and there is
    /// no data.
    ///
    /// - Throws: ``UsageError`` if there would be too many buckets.
    func edges(in store: SampleStore) throws -> [Double] {
        var (from, to) = (query.from, query.to)
        if from == -.infinity || to == .infinity {
            guard let extent = try extent(in: store) else { return [] }
            // A bucket's end is exclusive, so move it just after the last sample.
            if from == -.infinity { from = extent.first }
            if to == .infinity { to = extent.last.nextUp }
        }
        guard from < to else { return [] }
        guard let unit = step.calendarStep else { return [from, to] }
        let bounds = (from: query.from, to: query.to)
        guard let edges = try? calendar.edges(from: from, to: to, by: unit, within: bounds) else {
            throw rangeTooLong(from, to)
        }
        return edges
    }

    /// Returns the first start and the last end of the samples and totals; nil without either.
    private func extent(in store: SampleStore) throws -> (first: Double, last: Double)? {
        let samples = try store.extent(of: everything)
        guard let totals else { return samples }
        // The end of the totals is exclusive already.
        let last = totals.end.nextDown
        return (
            min(samples?.first ?? totals.start, totals.start), max(samples?.last ?? last, last)
        )
    }

    /// Returns the error for a range with too many buckets, for example hours between samples of
    /// year 0 and year 9999.
    private func rangeTooLong(_ from: Double, _ to: Double) -> UsageError {
        func day(_ time: Double) -> String {
            let day = calendar.day(time)
            return day.isEmpty ? "a date outside the calendar" : day
        }
        return UsageError(
            "Too many buckets from \(day(from)) to \(day(to)), by \(step.name): choose a longer "
                + "--by, or a shorter range with --from and --to.")
    }

    private var everything: SampleQuery {
        SampleQuery(query.type, sources: query.sources, visibility: query.visibility)
    }
}
