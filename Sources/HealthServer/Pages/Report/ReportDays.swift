import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

/// The values of a metric by day in a report's period and in as many days before it.
struct ReportDays {
    /// A day with data.
    private struct Value {
        var day: CivilDate
        var value: Double
        var minimum: Double
        var maximum: Double
    }

    /// The minimum length of a gap that is reported, in days.
    static let minimumGap = 7
    /// The maximum number of points in a chart.
    static let maximumPoints = 92

    let metric: Metric
    let days: ClosedRange<CivilDate>
    private let calendar: Calendar
    private let values: [Value]
    private let before: [Double]

    /// Sorts the points of days into the period and the days before it.
    ///
    /// The current day of an amount is left out, because it isn't over.
    ///
    /// - Parameters:
    ///   - points: The days; those without a finite value are skipped.
    ///   - metric: The metric, which determines the unit.
    ///   - days: The period.
    ///   - calendar: Determines the days.
    init(
        _ points: [HealthSeries.Point], of metric: Metric, in days: ClosedRange<CivilDate>,
        _ calendar: Calendar
    ) {
        self.metric = metric
        self.days = days
        self.calendar = calendar
        let known = points.compactMap { point -> Value? in
            guard let value = point.value, value.isFinite,
                !(point.isCurrent && metric.kind == .amount)
            else { return nil }
            return Value(
                day: calendar.civilDate(of: point.start), value: value,
                minimum: point.minimum ?? value, maximum: point.maximum ?? value)
        }.sorted { $0.day < $1.day }
        values = known.filter { days.contains($0.day) }
        before = known.filter { $0.day < days.lowerBound }.map(\.value)
    }

    /// The number of days with data in the period.
    var count: Int { values.count }

    /// The quantity in the period; nil without data.
    var measure: ReportPage.Measure? {
        guard let first = values.first, let last = values.last,
            let average = Self.mean(values.map(\.value)),
            let lowest = values.map(\.minimum).min(), let highest = values.map(\.maximum).max()
        else { return nil }
        return ReportPage.Measure(
            metric: metric, average: average, lowest: lowest, highest: highest,
            first: .init(day: first.day, value: first.value),
            last: .init(day: last.day, value: last.value), days: values.count,
            typicalRange: TypicalRange(of: values.map(\.value)),
            typicalRangeBefore: TypicalRange(of: before))
    }

    /// The runs of at least seven days without data.
    var gaps: [ReportPage.Gap] { Self.gaps(in: days, without: Set(values.map(\.day))) }

    /// The values as at most 92 points, each of as many days.
    var chart: ReportPage.Chart {
        let size = (days.days.count + Self.maximumPoints - 1) / Self.maximumPoints
        let groups = Dictionary(grouping: values) {
            ($0.day.dayNumber - days.lowerBound.dayNumber) / size
        }
        let starts = stride(
            from: days.lowerBound.dayNumber, through: days.upperBound.dayNumber, by: size)
        let points = starts.enumerated().map { index, number -> HealthSeries.Point in
            let next = CivilDate(dayNumber: min(number + size, days.upperBound.dayNumber + 1))
            let group = groups[index] ?? []
            return HealthSeries.Point(
                start: calendar.midnight(CivilDate(dayNumber: number)),
                end: calendar.midnight(next), value: Self.mean(group.map(\.value)),
                minimum: group.map(\.minimum).min(), maximum: group.map(\.maximum).max())
        }
        return ReportPage.Chart(metric: metric, daysPerPoint: size, points: points)
    }
}

extension ReportDays {
    /// Returns the average of values; nil without values.
    static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    /// Returns the runs of at least seven days that aren't among the known ones.
    static func gaps(
        in days: ClosedRange<CivilDate>, without known: Set<CivilDate>
    ) -> [ReportPage.Gap] {
        let ends =
            known.filter { days.contains($0) }.map(\.dayNumber).sorted()
            + [days.upperBound.dayNumber + 1]
        var gaps: [ReportPage.Gap] = []
        var start = days.lowerBound.dayNumber
        for end in ends {
            if end - start >= minimumGap {
                gaps.append(
                    .init(first: CivilDate(dayNumber: start), last: CivilDate(dayNumber: end - 1)))
            }
            start = end + 1
        }
        return gaps
    }
}

extension ReportPage.Section {
    /// Creates the section of a metric without measures and sources.
    init(_ kind: ReportPage.Kind, _ values: ReportDays) {
        self.init(kind: kind, days: values.count, gaps: values.gaps, chart: values.chart)
    }
}
