import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine
import HealthStorage

/// The choice of units, week, clock and notation: `/settings`.
package struct SettingsPage: Page, Hashable {
    package static let path = "/settings"
    package static let title = "Settings"

    package var freshness: Freshness
    /// The IANA time zone that determines when days begin.
    package var timeZone: String
    package var sentence: String
    /// What the person has chosen.
    package var chosen: ChosenSettings
    /// What is usual for the browser's language.
    package var usual: PageSettings

    /// - Parameters:
    ///   - chosen: What the person has chosen.
    ///   - languages: The header `Accept-Language`.
    init(_ chosen: ChosenSettings, for languages: String, timeZone: TimeZone, now: Date) {
        freshness = Freshness(asOf: now, isCurrent: true)
        self.timeZone = timeZone.identifier
        self.chosen = chosen
        usual = PageSettings(languages: languages)
        let settings = chosen.settings(for: languages)
        let day = CivilDate(2024, 3, 9)
        sentence =
            "Numbers and dates look like \(settings.grouped(8214.5, digits: 1)) on "
            + "\(settings.short(day)), \(settings.time(hour: 19, minute: 42))"
    }
}

extension SettingsPage: HTMLPage {
    /// A value of a field: what the form sends, and the words for it.
    private typealias Option = (value: String, words: String)

    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let fields = [
            field(
                .units, "Units", chosen.units?.rawValue, usual.units.rawValue,
                [("metric", "metric: km, kg, °C"), ("imperial", "imperial: mi, lb, °F")]),
            field(
                .firstWeekday, "First day of the week", chosen.firstWeekday.map { String($0) },
                String(usual.firstWeekday), Self.weekdays),
            field(
                .clock, "Clock", chosen.clock?.rawValue, usual.clock.rawValue,
                PageSettings.Clock.allCases.map {
                    ($0.rawValue, PageSettings(clock: $0).time(hour: 19, minute: 42))
                }),
            field(
                .notation, "Numbers and dates", chosen.notation?.rawValue,
                usual.notation.rawValue, PageSettings.Notation.allCases.map(Self.option)),
        ]
        let main = PageFrame.section(
            "How pages look",
            """
            <form action="\(Self.path)" method="post">\
            <input type="hidden" name="csrf" value="\(frame.formKey)"/>\(fields)\
            <p><button type="submit" class="act">Save</button></p></form>
            <p class="small">The choice is kept in the store, and is the same in all browsers. \
            Words stay English.</p>
            """)
        return frame.document(self, calendar: Calendar.ofPage(in: timeZone), main)
    }

    private static let weekdays: [Option] = (1...7).map { number in
        // `DateText` counts from Monday.
        (String(number), DateText.weekday((number + 5) % 7))
    }

    private static func option(_ notation: PageSettings.Notation) -> Option {
        let settings = PageSettings(notation: notation)
        let example = settings.grouped(8214.5, digits: 1) + ", "
        return (notation.rawValue, example + settings.digits(CivilDate(2024, 3, 9)))
    }

    private func field(
        _ preference: Preference, _ title: String, _ chosen: String?, _ usual: String,
        _ options: [Option]
    ) -> HTML {
        let usualWords = options.first { $0.value == usual }?.words ?? usual
        let all: [Option] = [("", "as the browser: \(usualWords)")] + options
        let items = all.map { option -> HTML in
            let mark: HTML? = option.value == chosen ?? "" ? " selected=\"selected\"" : nil
            return "<option value=\"\(option.value)\"\(mark)>\(option.words)</option>"
        }
        return """
            <p><label for="\(preference.rawValue)">\(title)</label>\
            <select id="\(preference.rawValue)" name="\(preference.rawValue)">\(items)</select></p>

            """
    }
}
