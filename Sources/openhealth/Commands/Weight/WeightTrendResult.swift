import ArgumentParser
import Foundation
import HealthCalendar
import HealthEngine
import HealthStorage
import HealthSync

/// The values of the option `--by` of `weight trend`.
enum WeightPeriod: String, Sendable, CaseIterable, ExpressibleByArgument {
    case day, week, month

    /// The number of days shown if no start is given.
    var days: Int {
        switch self {
        case .day: 28
        case .week: 84
        case .month: 365
        }
    }

    /// The calendar step of a row.
    private var step: CalendarStep {
        switch self {
        case .day: .day
        case .week: .week
        case .month: .month
        }
    }

    /// Returns the name of the period that contains a day: "2024-03-10", the first day of its week
    /// (a Monday), or "2024-03".
    ///
    /// - Parameter number: The day, in days since 1 January 2001.
    func name(_ number: Int) -> String {
        CivilDate(dayNumber: number).first(of: step, 2).name(of: step)
    }
}

/// The output of `openhealth weight trend`.
struct WeightTrendResult: Sendable {
    let context: WeightDiary.CommandContext
    let span: WeightSpan
    let period: WeightPeriod
    let unit: WeightUnit?

    func output() async throws -> String {
        do {
            let diary = try await WeightDiary(context)
            try await diary.refresh()
            let defaultUnit = try await diary.preferredUnit()
            let calendar = context.calendar
            let entries = try await diary.entries().filter { entry in
                entry.start.timeIntervalSinceReferenceDate < span.to ?? .infinity
            }
            let trend = WeightTrend(
                series: WeightSeries(entries, calendar), period: period,
                first: span.from.flatMap { WeightSeries.number(calendar.day($0)) },
                last: span.to.flatMap { WeightSeries.number(calendar.day($0 - 1)) },
                height: try await diary.latestHeight()?.meters)
            let text = WeightTrendText(
                trend: trend, unit: unit ?? defaultUnit, options: context.options)
            return context.isJSON ? text.json.text + "\n" : text.text
        } catch {
            throw UserFacingSyncError(error)
        }
    }
}

/// The contents of a trend. All weights are in kilograms.
struct WeightTrend: Sendable {
    /// A day, week or month with a weight.
    struct Row: Hashable, Sendable {
        var name: String
        var days: Int
        var average: Double
        /// The trend after the last of the row's days with a weight.
        var trend: Double
        /// The change of the trend since the previous row; nil in the first.
        var change: Double?
    }

    let series: WeightSeries
    let period: WeightPeriod
    /// The first and the last day shown, in days since 1 January 2001; nil if there is no weight to
    /// show.
    let span: ClosedRange<Int>?
    let height: Double?

    /// Selects the days to show.
    ///
    /// - Parameters:
    ///   - series: The days with weights.
    ///   - period: The period of a row.
    ///   - first: The first day; nil for as many days as ``WeightPeriod/days`` before the last.
    ///   - last: The last day; nil for the latest with a weight.
    ///   - height: The height in metres; nil if it is unknown.
    init(series: WeightSeries, period: WeightPeriod, first: Int?, last: Int?, height: Double?) {
        self.series = series
        self.period = period
        self.height = height
        guard let latest = series.days.last?.number else {
            span = nil
            return
        }
        let end = last ?? latest
        let start = first ?? (end - period.days + 1)
        let shown = series.days.filter { $0.number >= start && $0.number <= end }
        guard let oldest = shown.first?.number, start <= end else {
            span = nil
            return
        }
        // The chart doesn't begin before the first weight ever recorded.
        span = max(start, oldest == series.days.first?.number ? oldest : start)...end
    }

    var days: [WeightSeries.Day] {
        series.days.filter { span?.contains($0.number) ?? false }
    }

    var latest: WeightSeries.Day? { days.last }

    var rate: (kilogramsPerWeek: Double, days: Int)? {
        latest.flatMap { series.rate(to: $0.number) }
    }

    /// The body mass index of the latest trend shown, in kg/m²; nil if the height is unknown.
    var bodyMassIndex: Double? {
        guard let height, let latest else { return nil }
        return latest.trend / (height * height)
    }

    var rows: [Row] {
        var rows: [Row] = []
        for day in days {
            let name = period.name(day.number)
            if var last = rows.last, last.name == name {
                last.days += 1
                last.average += (day.average - last.average) / Double(last.days)
                last.trend = day.trend
                rows[rows.count - 1] = last
            } else {
                rows.append(Row(name: name, days: 1, average: day.average, trend: day.trend))
            }
        }
        for index in rows.indices.dropFirst() {
            rows[index].change = rows[index].trend - rows[index - 1].trend
        }
        return rows
    }
}
