import Foundation
import HealthCalendar
public import HealthEngine

/// The nights of a range of days, with the details of one: `/sleep?day=2024-03-10`.
public struct SleepPage: Page, Hashable {
    /// The URL path of the page.
    public static let path = "/sleep"
    /// The title of the page.
    public static let title = "Sleep"

    /// When the numbers were read, and whether they are current.
    public var freshness: Freshness
    /// The time zone's identifier: "Europe/Berlin".
    public var timeZone: String
    /// All days of the range, including those without a night, the earliest first.
    public var days: [CivilDate]
    /// The nights, the earliest first.
    public var nights: [SleepNight]
    /// The night that is shown in detail: the one of the requested day, or without a request the
    /// latest of ``nights``. Nil if there is none.
    public var chosen: SleepNight?
    /// The sleep regularity index of ``nights``, from -100 to 100; nil with fewer than five pairs of
    /// consecutive nights.
    public var regularity: Double?
    /// The average sleep of ``nights`` by weekday, in seconds, from Monday; nil for a weekday without any.
    public var weekdays: [Double?]
    /// The goal of sleep a night in seconds; nil for none. The initializer doesn't set it.
    public var goal: Double?
    /// The first line: the main result as an English sentence.
    public var sentence: String

    package init(
        freshness: Freshness, timeZone: String, days: [CivilDate], nights: [SleepNight],
        chosen: SleepNight?, regularity: Double? = nil, weekdays: [Double?] = [],
        sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.days = days
        self.nights = nights
        self.chosen = chosen
        self.regularity = regularity
        self.weekdays = weekdays
        self.sentence = sentence
    }
}

extension SleepPage {
    /// Reads the page of the nights of a range of days; see ``SleepNight/morning``.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - days: The days, both bounds included.
    ///   - chosen: The day of the night to show in detail; nil for the latest night.
    ///   - context: The time and calendar.
    /// - Throws: ``Unavailability``; ``Unavailability/notDetermined`` without requested
    ///   authorization for sleep.
    public init(
        of service: some HealthService, _ days: ClosedRange<CivilDate>, chosen: CivilDate? = nil,
        context: PageContext
    ) async throws(Unavailability) {
        let nights = try await service.nights(days)
        let night = chosen.map { day in nights.first { $0.morning == day } } ?? nights.last
        self.init(
            freshness: context.freshness, timeZone: context.calendar.timeZone.identifier,
            days: days.days, nights: nights, chosen: night,
            regularity: SleepRegularity.index(of: nights, context.calendar),
            weekdays: Self.weekdays(nights),
            sentence: Self.sentence(night, chosen ?? days.upperBound, context))
    }

    private static func weekdays(_ nights: [SleepNight]) -> [Double?] {
        (0..<7).map { weekday in
            let known = nights.filter { $0.morning.weekday == weekday }.compactMap(\.asleep)
            return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
        }
    }

    /// "7:12 h asleep, night to Sunday 10 March".
    private static func sentence(
        _ night: SleepNight?, _ day: CivilDate, _ context: PageContext
    ) -> String {
        guard let night else {
            return "No sleep, night to \(DateText.full(day, besides: context.today))"
        }
        let when = "night to \(DateText.full(night.morning, besides: context.today))"
        guard let asleep = night.asleep else {
            let inBed = night.inBed.map { "\(NumberText.hours($0)) h in bed" } ?? "A night"
            return "\(inBed), no sleep recorded, \(when)"
        }
        return "\(NumberText.hours(asleep)) h asleep, \(when)"
    }
}
