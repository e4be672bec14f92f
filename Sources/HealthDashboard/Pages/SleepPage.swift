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
    /// The first line: the main result as an English sentence.
    public var sentence: String

    package init(
        freshness: Freshness, timeZone: String, days: [CivilDate], nights: [SleepNight],
        chosen: SleepNight?, sentence: String
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.days = days
        self.nights = nights
        self.chosen = chosen
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
            sentence: Self.sentence(night, chosen ?? days.upperBound, context))
    }

    private static func sentence(
        _ night: SleepNight?, _ day: CivilDate, _ context: PageContext
    ) -> String {
        guard let night else {
            return
                "No sleep \(context.label(for: day)). Either nothing was recorded, or reading is "
                + "not allowed; the system doesn't report which."
        }
        let names: [(SleepStage, String)] = [
            (.deep, "deep"), (.rem, "REM"), (.core, "core"), (.asleep, "unspecified"),
        ]
        let stages = names.compactMap { stage, name -> String? in
            let seconds = night.seconds(stage)
            return seconds > 0 ? "\(NumberText.hours(seconds)) \(name)" : nil
        }
        let sources = night.parts.filter { $0.counted > 0 }.map { PrintableText.name($0.source) }
        let from = sources.isEmpty ? "" : ", recorded by \(sources.joined(separator: " and "))"
        let awake = night.seconds(.awake)
        guard let asleep = night.asleep else {
            let inBed = night.inBed.map { "\(NumberText.hours($0)) hours in bed" } ?? "A night"
            return "\(inBed) in the night to "
                + "\(DateText.long(night.morning.description)). No sleep was recorded."
        }
        return "\(NumberText.hours(asleep)) hours asleep in the night to "
            + "\(DateText.long(night.morning.description))"
            + (stages.isEmpty ? "" : " (\(stages.joined(separator: ", ")))")
            + (awake > 0 ? ", \(NumberText.hours(awake)) awake" : "")
            + (night.inBed.map { ", \(NumberText.hours($0)) in bed" } ?? "") + from
            + (night.naps.isEmpty ? "." : ", plus \(counted(night.naps.count, "nap", "naps")).")
    }
}
