public import Foundation
public import HealthEngine

extension TrendsPage {
    /// A metric over a range, read from a service.
    ///
    /// - Parameter metrics: What else can be looked at: ``HealthService/metrics()``.
    /// - Throws: ``Unavailability``. A metric that was never asked for has an empty series, so that
    ///   another can be chosen; ``Unavailability/notAsked`` where there is no other.
    public init(
        of service: some HealthService, _ metric: Metric, by step: SeriesStep,
        over range: DateInterval, among metrics: [Metric], setting: PageSetting
    ) async throws(Unavailability) {
        let series: HealthSeries
        var isAsked = true
        do throws(Unavailability) {
            series = try await service.series(metric, by: step, over: range)
        } catch {
            guard error == .notAsked, metrics.contains(where: { $0 != metric }) else {
                throw error
            }
            series = HealthSeries(metric: metric, step: step, over: range, in: setting)
            isAsked = false
        }
        let complete = series.points.filter { !$0.isCurrent }.compactMap(\.value)
        self.init(
            freshness: setting.freshness, timeZone: setting.calendar.timeZone.identifier,
            metric: metric, metrics: metrics.sorted { $0.words < $1.words }, range: range,
            step: step, series: series, usual: UsualRange(of: complete),
            sentence: isAsked
                ? Self.sentence(series, over: range, setting)
                : "No \(metric.words): permission to read it was never asked for.")
    }

    private static func sentence(
        _ series: HealthSeries, over range: DateInterval, _ setting: PageSetting
    ) -> String {
        let metric = series.metric
        let calendar = setting.calendar
        let last = max(range.start, range.end - 1)
        let span =
            "from \(DayWords.long(calendar.civilDate(of: range.start).description)) "
            + "to \(DayWords.long(calendar.civilDate(of: last).description))"
        let found = series.points.filter { $0.value != nil }
        guard let highest = found.max(by: { $0.value ?? 0 < $1.value ?? 0 }),
            let most = highest.value
        else {
            return "No \(metric.words) \(span): either nothing was recorded or reading was not "
                + "allowed; the system doesn't say which."
        }
        let complete = found.filter { !$0.isCurrent }
        let values = (complete.isEmpty ? found : complete).compactMap(\.value)
        let average = values.reduce(0, +) / Double(values.count)
        let day = DayWords.long(calendar.civilDate(of: highest.start).description)
        let top = MetricText.number(most, of: metric)
        let (each, best) =
            metric.kind == .reading
            ? (
                "\(series.step == .day ? "on" : "in") an average \(series.step.rawValue) \(span)",
                "the highest, \(top), "
            )
            : (
                "\(step(series)) on average \(span), every moment counted once",
                "the most, \(top), "
            )
        return "\(MetricText.text(average, of: metric)) \(each); \(best)"
            + (series.step == .day || series.step == .hour ? "on \(day)." : "from \(day) on.")
    }

    private static func step(_ series: HealthSeries) -> String {
        series.step == .hour ? "an hour" : "a \(series.step.rawValue)"
    }
}

extension HealthSeries {
    /// A series without any value.
    fileprivate init(
        metric: Metric, step: SeriesStep, over range: DateInterval, in setting: PageSetting
    ) {
        let borders = setting.calendar.borders(by: step, over: range)
        let points = zip(borders, borders.dropFirst()).map { start, end in
            Point(
                start: start, end: end, value: nil,
                isCurrent: start <= setting.now && setting.now < end)
        }
        self.init(metric: metric, step: step, points: points)
    }
}

extension SleepPage {
    /// Nights that end on some days, read from a service.
    ///
    /// - Parameter chosen: The morning of the night to show in full; nil for the latest.
    /// - Throws: ``Unavailability``; ``Unavailability/notAsked`` if sleep was never asked for.
    public init(
        of service: some HealthService, _ days: ClosedRange<CivilDate>, chosen: CivilDate? = nil,
        setting: PageSetting
    ) async throws(Unavailability) {
        let nights = try await service.nights(days)
        let night = chosen.map { day in nights.first { $0.morning == day } } ?? nights.last
        self.init(
            freshness: setting.freshness, timeZone: setting.calendar.timeZone.identifier,
            days: (days.lowerBound.dayNumber...days.upperBound.dayNumber).map {
                CivilDate(dayNumber: $0)
            }, nights: nights, chosen: night,
            sentence: Self.sentence(night, chosen ?? days.upperBound, setting))
    }

    private static func sentence(
        _ night: SleepNight?, _ day: CivilDate, _ setting: PageSetting
    ) -> String {
        guard let night else {
            return
                "No sleep \(setting.words(for: day)): either nothing was recorded or reading was "
                + "not allowed; the system doesn't say which."
        }
        let names: [(SleepStage, String)] = [
            (.deep, "deep"), (.rem, "REM"), (.core, "core"), (.asleep, "of unknown depth"),
        ]
        let stages = names.compactMap { stage, name -> String? in
            let seconds = night.seconds(stage)
            return seconds > 0 ? "\(NumberText.hours(seconds)) \(name)" : nil
        }
        let sources = night.parts.filter { $0.counted > 0 }.map { PrintableText.name($0.source) }
        let from = sources.isEmpty ? "" : ", as \(sources.joined(separator: " and ")) recorded it"
        let awake = night.seconds(.awake)
        guard let asleep = night.asleep else {
            let inBed = night.inBed.map { "\(NumberText.hours($0)) hours in bed" } ?? "A night"
            return "\(inBed) in the night to "
                + "\(DayWords.long(night.morning.description)); no sleep was recorded."
        }
        return "\(NumberText.hours(asleep)) hours asleep in the night to "
            + "\(DayWords.long(night.morning.description))"
            + (stages.isEmpty ? "" : " (\(stages.joined(separator: ", ")))")
            + (awake > 0 ? ", \(NumberText.hours(awake)) awake" : "")
            + (night.inBed.map { ", \(NumberText.hours($0)) in bed" } ?? "") + from
            + (night.naps.isEmpty ? "." : "; \(counted(night.naps.count, "nap", "naps")) apart.")
    }
}

extension WorkoutsPage {
    /// Workouts of a range, and one of them in full, read from a service.
    ///
    /// - Parameters:
    ///   - id: The workout to show in full; it needn't be among the others.
    ///   - counts: How many there are; nil if that isn't known.
    /// - Throws: ``Unavailability``; ``Unavailability/notAsked`` if workouts were never asked for. Heart
    ///   rates and routes that weren't are left out.
    public init(
        of service: some HealthService, over range: DateInterval, limit: Int = 100,
        chosen id: UUID? = nil, counts: Counts? = nil, setting: PageSetting
    ) async throws(Unavailability) {
        let before = range.end < .distantFuture ? range.end : nil
        let workouts = try await service.workouts(range, limit: limit)
        var detail: WorkoutDetail?
        if let id { detail = try await service.workout(id) }
        self.init(
            freshness: setting.freshness, timeZone: setting.calendar.timeZone.identifier,
            workouts: workouts, total: counts?.total, older: Self.older(workouts, of: counts),
            before: before, detail: detail,
            sentence: detail == nil
                ? counts.flatMap { Self.sentence(workouts, of: $0, before: before, setting) }
                    ?? Self.sentence(workouts, nil, setting)
                : Self.sentence(workouts, detail?.summary, setting))
    }

    private static func sentence(
        _ workouts: [WorkoutSummary], _ chosen: WorkoutSummary?, _ setting: PageSetting
    ) -> String {
        func day(_ date: Date) -> String {
            DayWords.long(setting.calendar.civilDate(of: date).description)
        }
        if let chosen {
            let name = chosen.activity.prefix(1).uppercased() + chosen.activity.dropFirst()
            let distance = chosen.distance.map {
                ", \(NumberText.grouped($0 / 1000, digits: 2)) km"
            }
            let beats = chosen.averageHeartRate.map { ", \(NumberText.grouped($0)) bpm on average" }
            return "\(name) on \(day(chosen.start)): \(NumberText.hours(chosen.duration)) hours"
                + "\(distance ?? "")\(beats ?? "")."
        }
        guard let last = workouts.first else {
            return "No workouts: either none was recorded or reading was not allowed; the system "
                + "doesn't say which."
        }
        let time = workouts.reduce(0) { $0 + $1.duration }
        return "\(counted(workouts.count, "workout", "workouts")) of \(NumberText.hours(time)) "
            + "hours, the last on \(day(last.start)), \(last.activity)."
    }
}
