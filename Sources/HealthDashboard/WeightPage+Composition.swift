public import Foundation
import HealthEngine

extension WeightPage {
    /// Weights of a range with their trend, read from a service.
    ///
    /// The trend is that of `openhealth weight trend`: a day's average moves it a tenth of the way;
    /// it begins with the range, so give one that begins well before what is looked at.
    ///
    /// - Parameter notes: What else is known of single weights.
    /// - Throws: ``Unavailability``; ``Unavailability/notAsked`` if weight was never asked for and there
    ///   are no notes to show.
    public init(
        of service: some HealthService, over range: DateInterval, notes: [Note] = [],
        setting: PageSetting
    ) async throws(Unavailability) {
        let calendar = setting.calendar
        var readings: [Reading] = []
        do throws(Unavailability) {
            readings = try await service.readings(.weight, range, limit: 10_000)
        } catch {
            guard error == .notAsked, !notes.isEmpty else { throw error }
        }
        let byDay = Dictionary(grouping: readings) { calendar.civilDate(of: $0.date).dayNumber }
        let line = TrendLine(
            byDay.mapValues { day in day.reduce(0) { $0 + $1.value } / Double(day.count) })
        let unit = Metric.weight.unit
        self.init(
            freshness: setting.freshness, timeZone: calendar.timeZone.identifier, unit: unit,
            measured: readings,
            trend: line.days.compactMap { day in
                calendar.interval(of: CivilDate(dayNumber: day.number)).map {
                    TrendPoint(date: $0.start, value: day.trend)
                }
            }, notes: notes, sentence: Self.sentence(line, unit))
    }

    private static func sentence(_ line: TrendLine, _ unit: String) -> String {
        guard let latest = line.days.last else {
            return "No weight: either none was recorded or reading was not allowed; the system "
                + "doesn't say which."
        }
        let day = DayWords.long(CivilDate(dayNumber: latest.number).description)
        let sentence =
            "\(NumberText.grouped(latest.trend, digits: 1)) \(unit) is your trend on \(day)"
        guard let rate = line.rate(to: latest.number) else {
            return sentence + "; a weekly rate needs three days of weights over a week."
        }
        let amount = NumberText.grouped(abs(rate.perWeek), digits: 1)
        if amount == NumberText.grouped(0, digits: 1) {
            return sentence + ", steady over the four weeks to that day."
        }
        return sentence
            + ", \(rate.perWeek < 0 ? "falling" : "rising") \(amount) \(unit) a week over "
            + "the four weeks to that day."
    }
}
