public import Foundation
import HealthCalendar
import HealthEngine

/// Weights with their trend and notes: `/weight`.
public struct WeightPage: Page, Hashable {
    /// The URL path of the page.
    public static let path = "/weight"
    /// The title of the page.
    public static let title = "Weight"

    /// One measurement.
    public struct Reading: Hashable, Sendable, Codable {
        /// When it was measured.
        public var date: Date
        /// The value, in the page's unit.
        public var value: Double
        /// The name of the app or device that saved it.
        public var source: String

        public init(date: Date, value: Double, source: String) {
            self.date = date
            self.value = value
            self.source = source
        }
    }

    /// The trend after a day with a weight.
    public struct TrendPoint: Hashable, Sendable, Codable {
        /// The start of the day.
        public var date: Date
        /// The trend, in the page's unit.
        public var value: Double

        package init(date: Date, value: Double) {
            self.date = date
            self.value = value
        }
    }

    /// A note or tags on a weight.
    public struct Note: Hashable, Sendable, Codable {
        /// When the weight was measured.
        public var date: Date
        /// The text; empty if there are only tags.
        public var text: String
        /// The tags.
        public var tags: [String]
        /// The weight, in the page's unit; nil if it is not known.
        public var value: Double?

        public init(date: Date, text: String, tags: [String] = [], value: Double? = nil) {
            self.date = date
            self.text = text
            self.tags = tags
            self.value = value
        }
    }

    /// When the numbers were read, and whether they are current.
    public var freshness: Freshness
    /// The time zone's identifier: "Europe/Berlin".
    public var timeZone: String
    /// The unit of all weights and trends on the page: "kg".
    public var unit: String
    /// The measurements, the earliest first.
    public var measured: [Reading]
    /// The trend for each day with a weight, the earliest first.
    public var trend: [TrendPoint]
    /// The notes in the given order, usually the newest first.
    public var notes: [Note]
    /// Why notes cannot be shown, as a sentence; nil if they can.
    public var notesProblem: String?
    /// The first line: the main result as an English sentence.
    public var sentence: String

    package init(
        freshness: Freshness, timeZone: String, unit: String, measured: [Reading],
        trend: [TrendPoint], notes: [Note], notesProblem: String? = nil, sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.unit = unit
        self.measured = measured
        self.trend = trend
        self.notes = notes
        self.notesProblem = notesProblem
        self.sentence = sentence
    }
}

extension WeightPage {
    /// Reads the page of the weights in a range.
    ///
    /// The trend is exponentially smoothed, as in `openhealth weight trend`. It starts with the
    /// first day's average. Each later average moves the trend by a tenth of the difference. If the
    /// previous day with a weight is n days earlier, it is 1 − 0.9ⁿ of the difference. Use a range
    /// that starts well before the days of interest.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - range: The half-open range in which weights were measured. Only the latest 10,000 are
    ///     read.
    ///   - notes: The notes to show.
    ///   - context: The time and calendar.
    /// - Throws: ``Unavailability``. It is ``Unavailability/notDetermined`` if authorization for
    ///   weight was not requested and `notes` is empty.
    public init(
        of service: some HealthService, over range: DateInterval, notes: [Note] = [],
        context: PageContext
    ) async throws(Unavailability) {
        let calendar = context.calendar
        var readings: [Reading] = []
        do throws(Unavailability) {
            readings = try await service.readings(.weight, range, limit: 10_000)
        } catch {
            guard error == .notDetermined, !notes.isEmpty else { throw error }
        }
        let byDay = Dictionary(grouping: readings) { calendar.civilDate(of: $0.date).dayNumber }
        let line = TrendLine(
            byDay.mapValues { day in day.reduce(0) { $0 + $1.value } / Double(day.count) })
        let unit = Metric.weight.unit
        self.init(
            freshness: context.freshness, timeZone: calendar.timeZone.identifier, unit: unit,
            measured: readings,
            trend: line.days.compactMap { day in
                calendar.interval(of: CivilDate(dayNumber: day.number)).map {
                    TrendPoint(date: $0.start, value: day.trend)
                }
            }, notes: notes, sentence: Self.sentence(line))
    }

    private static func sentence(_ line: TrendLine) -> String {
        guard let latest = line.days.last else {
            return "No weight. Either none was recorded, or reading is not allowed; the system "
                + "doesn't report which."
        }
        let day = DateText.long(CivilDate(dayNumber: latest.number).description)
        let unit = DisplayUnit(Metric.weight.unit)
        let trend = NumberText.grouped(unit.displayed(latest.trend), digits: 1)
        let sentence = "Trend \(trend) \(unit.symbol) on \(day)"
        guard let rate = line.rate(to: latest.number) else {
            return sentence + ". A weekly rate needs weights on three days over at least a week."
        }
        let amount = NumberText.grouped(abs(rate.perWeek) * unit.factor, digits: 1)
        if amount == NumberText.grouped(0, digits: 1) {
            return sentence + ", steady over the last four weeks."
        }
        return sentence
            + ", \(rate.perWeek < 0 ? "falling" : "rising") \(amount) \(unit.symbol) per week over "
            + "the last four weeks."
    }
}
