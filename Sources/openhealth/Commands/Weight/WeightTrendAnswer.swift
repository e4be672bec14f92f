import ArgumentParser
import Foundation
import HealthStorage
import HealthSync

/// `--by` of a trend.
enum WeightPeriod: String, Sendable, CaseIterable, ExpressibleByArgument {
    case day, week, month

    /// How many days are shown unless a range is given.
    var days: Int {
        switch self {
        case .day: 28
        case .week: 84
        case .month: 365
        }
    }

    /// The name of the period that a day is in: its first day, or its month.
    func name(_ number: Int) -> String {
        switch self {
        case .day: WeightSeries.name(number)
        case .week: WeightSeries.name(number - ((number % 7) + 7) % 7)
        case .month: String(WeightSeries.name(number).prefix(7))
        }
    }
}

/// `openhealth weight trend`
struct WeightTrendAnswer: Sendable {
    let asked: WeightDiary.Asked
    let span: WeightSpan
    let period: WeightPeriod
    let unit: WeightUnit?

    func answer() async throws -> String {
        do {
            let diary = try await WeightDiary(asked)
            try await diary.refresh()
            let usual = try await diary.usualUnit()
            let calendar = asked.calendar
            let entries = try await diary.entries().filter { entry in
                entry.start.timeIntervalSinceReferenceDate < span.to ?? .infinity
            }
            let trend = WeightTrend(
                series: WeightSeries(entries, calendar), period: period,
                first: span.from.flatMap { WeightSeries.number(calendar.day($0)) },
                last: span.to.flatMap { WeightSeries.number(calendar.day($0 - 1)) },
                height: try await diary.latestHeight()?.meters)
            let text = WeightTrendText(trend: trend, unit: unit ?? usual, options: asked.options)
            return asked.isJSON ? text.json.text + "\n" : text.text
        } catch {
            throw PlainSyncError(error)
        }
    }
}

/// What a trend's answer is made of, in kilograms.
struct WeightTrend: Sendable {
    /// A day, week or month that has a weight.
    struct Row: Hashable, Sendable {
        var name: String
        var days: Int
        var average: Double
        /// After its last day.
        var trend: Double
        /// Since the row before.
        var change: Double?
    }

    let series: WeightSeries
    let period: WeightPeriod
    /// The first and the last day shown; nil where nothing is.
    let span: ClosedRange<Int>?
    let height: Double?

    /// - Parameters:
    ///   - first: The first day shown; nil for so many days as the period suggests.
    ///   - last: The last one; nil for the latest that has a weight.
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
        // Nothing is drawn before the first weight of all.
        span = max(start, oldest == series.days.first?.number ? oldest : start)...end
    }

    var days: [WeightSeries.Day] {
        series.days.filter { span?.contains($0.number) ?? false }
    }

    var latest: WeightSeries.Day? { days.last }

    var rate: (kilogramsPerWeek: Double, days: Int)? {
        latest.flatMap { series.rate(to: $0.number) }
    }

    /// Of the trend.
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
