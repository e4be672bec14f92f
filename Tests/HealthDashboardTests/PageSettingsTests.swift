import HealthDashboard
import HealthEngine
import Testing

/// How pages write numbers, dates and times for a browser's language.
@Suite struct PageSettingsTests {
    private static let day = CivilDate(2024, 3, 9)

    @Test(
        "a browser's first language determines units, week, clock and notation",
        arguments: [
            ("en-US,en;q=0.9", PageSettings.Units.imperial, 1, "12", "en-US"),
            ("en-GB", .metric, 2, "24", "en-GB"),
            ("de-DE,de;q=0.9,en;q=0.8", .metric, 2, "24", "de"),
            ("fr", .metric, 2, "24", "fr"), ("en;q=0.1, fr;q=0.9", .metric, 2, "24", "fr"),
            ("", .metric, 2, "24", "en-GB"), ("*", .metric, 2, "24", "en-GB"),
            ("../../x, <b>;q=9, de;q=nan", .metric, 2, "24", "en-GB"),
        ] as [(String, PageSettings.Units, Int, String, String)])
    func languages(
        header: String, units: PageSettings.Units, weekday: Int, clock: String, notation: String
    ) {
        let settings = PageSettings(languages: header)
        #expect(settings.units == units)
        #expect(settings.firstWeekday == weekday)
        #expect(settings.clock.rawValue == clock)
        #expect(settings.notation.rawValue == notation)
    }

    @Test("a number has the separators of the notation")
    func numbers() {
        for (notation, text, small) in [
            (PageSettings.Notation.american, "1,234,567.50", "-0.5"),
            (.british, "1,234,567.50", "-0.5"), (.german, "1.234.567,50", "-0,5"),
            (.french, "1\u{202F}234\u{202F}567,50", "-0,5"),
        ] {
            let settings = PageSettings(notation: notation)
            #expect(settings.grouped(1_234_567.5, digits: 2) == text)
            #expect(settings.grouped(-0.5, digits: 1) == small)
        }
        #expect(PageSettings(notation: .german).grouped(.nan) == "–")
    }

    @Test("a day has the order of the notation, and a time the hours of the clock")
    func dates() {
        for (notation, short, digits) in [
            (PageSettings.Notation.american, "Sat, Mar 9, 2024", "3/9/2024"),
            (.british, "Sat 9 Mar 2024", "09/03/2024"), (.german, "Sat 9. Mar 2024", "9.3.2024"),
            (.french, "Sat 9 Mar 2024", "09/03/2024"),
        ] {
            let settings = PageSettings(notation: notation)
            #expect(settings.short(Self.day) == short)
            #expect(settings.digits(Self.day) == digits)
        }
        for (hour, text) in [(0, "12:05 am"), (7, "7:05 am"), (12, "12:05 pm"), (19, "7:05 pm")] {
            #expect(PageSettings(clock: .hours12).time(hour: hour, minute: 5) == text)
        }
        #expect(PageSettings().time(hour: 7, minute: 5) == "07:05")
    }
}
