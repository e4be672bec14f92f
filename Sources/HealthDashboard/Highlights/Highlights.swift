import Foundation
import HealthCalendar
package import HealthEngine

extension Highlight {
    /// The metrics whose departures and gaps are reported, in order of importance.
    package static let metrics: [Metric] = [
        .restingHeartRate, .heartRateVariability, .sleep, .weight, .steps, .activeEnergy, .exercise,
        .distance, .heartRate,
    ]

    /// The maximum number of highlights on a page.
    package static let maximum = 3
    /// A departure or record is reported for this many days.
    package static let reportedDays = 7
    /// The minimum length of a gap, in days.
    static let minimumGap = 3
    /// The number of days that are read: those of a departure, and those before it.
    private static let readDays = 70
    /// The number of weeks in which the best one is looked for.
    private static let readWeeks = 260
    /// The minimum number of weeks with data, and of workouts of an activity, before a record.
    private static let minimumBefore = 8
    /// The number of latest workouts in which the longest is looked for, to within a page.
    private static let readWorkouts = 500
    /// The number of earlier workouts that are read at once.
    private static let pageOfWorkouts = 30

    /// Reads what is new on a day and in the week before it, the most important first.
    ///
    /// Departures and records are reported for seven days. A gap is measured to the latest day with data
    /// of any metric, so that an old export isn't a gap of all of them. The day that isn't over is not
    /// compared. Metrics without requested authorization are skipped.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - day: The last day that is considered.
    ///   - context: The time and calendar.
    /// - Returns: At most three highlights.
    /// - Throws: ``Unavailability`` if a read fails.
    package static func latest(
        of service: some HealthService, on day: CivilDate, context: PageContext
    ) async throws(Unavailability) -> [Highlight] {
        let calendar = context.calendar
        let first = day.advanced(by: 1 - readDays)
        guard
            let range = calendar.interval(of: max(first, CivilDate.supportedRange.lowerBound)...day)
        else { return [] }
        var series: [HealthSeries] = []
        for metric in metrics {
            guard let values = try await service.known(metric, by: .day, over: range) else {
                continue
            }
            series.append(values)
        }
        let departures = series.flatMap { self.departures(in: $0, upTo: day, calendar) }
        let gaps = self.gaps(in: series, calendar)
        let records = try await self.records(of: service, on: day, context)
        return Array((departures + records + gaps).prefix(maximum))
    }

    /// Returns a metric's departures that end in the last week.
    static func departures(
        in series: HealthSeries, upTo day: CivilDate, _ calendar: Calendar
    ) -> [Highlight] {
        let values = series.points.map { $0.isCurrent ? nil : $0.value }
        let found = RangeDeparture.all(in: values, resolution: resolution(of: series))
        return found.compactMap { departure in
            func date(_ index: Int) -> CivilDate {
                calendar.civilDate(of: series.points[index].start)
            }
            let days = date(departure.days.lowerBound)...date(departure.days.upperBound - 1)
            guard day.dayNumber - days.upperBound.dayNumber < reportedDays else { return nil }
            return Highlight(
                kind: departure.side == .above ? .above : .below, metric: series.metric,
                first: days.lowerBound, last: days.upperBound,
                sentence: HighlightText.departure(
                    series.metric, departure.side, days,
                    values: values[departure.days].compactMap(\.self),
                    typicalRange: departure.typicalRange))
        }
    }

    /// The smallest difference that is shown of a metric: a minute of sleep, one beat per minute.
    private static func resolution(of series: HealthSeries) -> Double {
        if series.metric.kind == .state { return 60 }
        let largest = series.points.compactMap(\.value).map(abs).max() ?? 0
        let digits = UnitDigits.digits(series.metric.unit, largest: largest)
        return (0..<digits).reduce(1) { step, _ in step / 10 }
    }

    /// Returns the metrics that had data on at least half of 28 days, and none since.
    static func gaps(in series: [HealthSeries], _ calendar: Calendar) -> [Highlight] {
        let lasts = series.map { $0.points.lastIndex { $0.value != nil } }
        guard let newest = lasts.compactMap(\.self).max() else { return [] }
        return zip(series, lasts).compactMap { series, last in
            guard let last, newest - last >= minimumGap else { return nil }
            let before = series.points[max(0, last + 1 - RangeDeparture.comparedDays)...last]
            guard before.count(where: { $0.value != nil }) * 2 >= RangeDeparture.comparedDays
            else { return nil }
            let day = calendar.civilDate(of: series.points[last].start)
            return Highlight(
                kind: .gap, metric: series.metric, first: day.advanced(by: 1),
                last: day.advanced(by: newest - last),
                sentence: HighlightText.gap(series.metric, days: newest - last, since: day))
        }
    }
}

extension Highlight {
    /// Returns the best week of steps, if it is the last complete one, and the longest workouts of the
    /// last week.
    private static func records(
        of service: some HealthService, on day: CivilDate, _ context: PageContext
    ) async throws(Unavailability) -> [Highlight] {
        let calendar = context.calendar
        let start = max(day.advanced(by: -7 * readWeeks), CivilDate.supportedRange.lowerBound)
        guard let range = calendar.interval(of: start...day) else { return [] }
        let weeks = try await service.known(.steps, by: .week, over: range)
        return try await longest(of: service, on: day, calendar)
            + (weeks.flatMap { bestWeek(in: $0, on: day, calendar) }.map { [$0] } ?? [])
    }

    /// Reads the workouts of the last week that are longer than all earlier ones of their activity.
    ///
    /// Earlier workouts are read in pages, only as long as an activity's longest one may be in the last
    /// week: most days need one page, because an earlier one was longer.
    static func longest(
        of service: some HealthService, on day: CivilDate, _ calendar: Calendar
    ) async throws(Unavailability) -> [Highlight] {
        let first = max(day.advanced(by: 1 - reportedDays), CivilDate.supportedRange.lowerBound)
        guard let week = calendar.interval(of: first...day) else { return [] }
        do throws(Unavailability) {
            var workouts = try await service.workouts(week, limit: readWorkouts)
            var best = workouts.longestDistances
            let earlier = DateInterval(start: .distantPast, end: max(.distantPast, week.start))
            var pages = WorkoutPages(of: service, earlier, size: pageOfWorkouts)
            while !best.isEmpty, workouts.count < readWorkouts, let page = try await pages.next() {
                for (activity, distance) in page.longestDistances
                where distance >= best[activity] ?? .infinity {
                    best[activity] = nil
                }
                workouts += page
            }
            return longest(workouts.filter { best[$0.activity] != nil }, on: day, calendar)
        } catch {
            guard error == .notDetermined else { throw error }
            return []
        }
    }

    /// Returns the last complete week if its value is the highest.
    static func bestWeek(
        in series: HealthSeries, on day: CivilDate, _ calendar: Calendar
    ) -> Highlight? {
        let end = calendar.midnight(day.advanced(by: 1))
        let weeks = series.points.filter { !$0.isCurrent && $0.end <= end && $0.value != nil }
        guard let last = weeks.last, let value = last.value, weeks.count > minimumBefore,
            let before = weeks.dropLast().compactMap(\.value).max(), value > before
        else { return nil }
        let days =
            calendar.civilDate(of: last.start)...calendar.civilDate(of: last.end).advanced(by: -1)
        guard day.dayNumber - days.upperBound.dayNumber < reportedDays else { return nil }
        return Highlight(
            kind: .record, metric: series.metric, first: days.lowerBound, last: days.upperBound,
            sentence: HighlightText.bestWeek(series.metric, days, value: value, before: before))
    }

    /// Returns the workouts of the last week that are longer than all earlier ones of their activity.
    static func longest(
        _ workouts: [WorkoutSummary], on day: CivilDate, _ calendar: Calendar
    ) -> [Highlight] {
        Dictionary(grouping: workouts.measured, by: \.activity).sorted { $0.key < $1.key }
            .compactMap { activity, workouts in
                guard let best = workouts.max(by: { ($0.distance ?? 0) < ($1.distance ?? 0) })
                else { return nil }
                let date = calendar.civilDate(of: best.start)
                let before = workouts.filter { $0.start < best.start }.compactMap(\.distance)
                guard let second = before.max(), before.count >= minimumBefore,
                    second < best.distance ?? 0,
                    (0..<reportedDays).contains(day.dayNumber - date.dayNumber)
                else { return nil }
                return Highlight(
                    kind: .record, metric: .workouts, first: date, last: date, workout: best.id,
                    sentence: HighlightText.longest(
                        activity, on: date, metres: best.distance ?? 0, before: second))
            }
    }
}

extension [WorkoutSummary] {
    /// The workouts with a distance.
    fileprivate var measured: [WorkoutSummary] {
        filter { ($0.distance ?? 0).isFinite && ($0.distance ?? 0) > 0 }
    }

    /// The longest distance of each activity that has any, in metres.
    fileprivate var longestDistances: [String: Double] {
        Dictionary(measured.map { ($0.activity, $0.distance ?? 0) }, uniquingKeysWith: Swift.max)
    }
}

extension HealthService {
    /// Returns a series; nil without requested authorization.
    fileprivate func known(
        _ metric: Metric, by step: CalendarStep, over range: DateInterval
    ) async throws(Unavailability) -> HealthSeries? {
        do throws(Unavailability) {
            return try await series(metric, by: step, over: range)
        } catch {
            guard error == .notDetermined else { throw error }
            return nil
        }
    }
}
