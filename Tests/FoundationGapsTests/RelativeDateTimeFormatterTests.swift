import Foundation
import FoundationGaps
import Testing

/// Relative dates formatted as in Apple's documentation.
@Suite struct RelativeDateTimeFormatterTests {
    private let formatter: RelativeDateTimeFormatter

    init() {
        formatter = RelativeDateTimeFormatter()
        formatter.locale = Locale(identifier: "en_US")
    }

    @Test(
        "the largest unit is written, and the rest is cut off",
        arguments: [
            (-7_200.0, "2 hours ago"), (7_200, "in 2 hours"), (-7_199, "1 hour ago"),
            (-59, "59 seconds ago"), (-1, "1 second ago"), (90, "in 1 minute"),
            (-86_400, "1 day ago"), (14 * 86_400, "in 2 weeks"), (-400 * 86_400, "1 year ago"),
            (0, "in 0 seconds"), (0.4, "in 0 seconds"),
        ] as [(TimeInterval, String)])
    func numeric(seconds: TimeInterval, text: String) {
        let reference = Date(timeIntervalSinceReferenceDate: 800_000_000)
        let date = reference.addingTimeInterval(seconds)
        #expect(formatter.localizedString(for: date, relativeTo: reference) == text)
        #expect(formatter.localizedString(fromTimeInterval: seconds) == text)
    }

    @Test("named days, weeks, months and years next to now")
    func named() {
        formatter.dateTimeStyle = .named
        let texts = [
            DateComponents(day: -1), DateComponents(day: 1), DateComponents(weekOfMonth: -1),
            DateComponents(month: 1), DateComponents(year: -1), DateComponents(day: -2),
            DateComponents(),
        ].map(formatter.localizedString(from:))
        #expect(
            texts == [
                "yesterday", "tomorrow", "last week", "next month", "last year", "2 days ago",
                "now",
            ])
    }

    @Test(
        "each style writes the unit its way",
        arguments: [
            (RelativeDateTimeFormatter.UnitsStyle.full, "2 months ago"),
            (.spellOut, "two months ago"), (.short, "2 mo. ago"), (.abbreviated, "2mo ago"),
        ])
    func styles(style: RelativeDateTimeFormatter.UnitsStyle, text: String) {
        formatter.unitsStyle = style
        #expect(formatter.localizedString(from: DateComponents(month: -2, day: -20)) == text)
    }

    @Test("words are the locale's, and the context decides about the first letter")
    func localeAndContext() {
        formatter.locale = Locale(identifier: "de_DE")
        formatter.dateTimeStyle = .named
        #expect(formatter.localizedString(from: DateComponents(day: -2)) == "vorgestern")
        formatter.formattingContext = .beginningOfSentence
        #expect(formatter.localizedString(from: DateComponents(day: -2)) == "Vorgestern")
    }

    @Test("components aren't carried over, and huge ones have no text")
    func components() {
        #expect(formatter.localizedString(from: DateComponents(hour: 48)) == "in 48 hours")
        #expect(formatter.localizedString(from: DateComponents(month: .min)) == "")
    }

    @Test("what is no moment has no text", arguments: [Double.nan, .infinity, -1e18])
    func noText(seconds: Double) {
        #expect(formatter.localizedString(fromTimeInterval: seconds) == "")
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(formatter.localizedString(for: Date(), relativeTo: date) == "")
    }

    @Test("string(for:) takes dates only")
    func stringForObject() {
        #expect(formatter.string(for: Date(timeIntervalSinceNow: -7_230)) == "2 hours ago")
        #expect(formatter.string(for: "2 hours ago") == nil)
    }
}

@Suite struct ListFormatterTests {
    @Test("items are joined in the locale's words")
    func joins() {
        let formatter = ListFormatter()
        formatter.locale = Locale(identifier: "en_US")
        #expect(formatter.string(from: ["steps", "sleep", "weight"]) == "steps, sleep, and weight")
        #expect(formatter.string(from: []) == "")
        formatter.locale = Locale(identifier: "de_DE")
        #expect(formatter.string(for: ["a", "b"]) == "a und b")
        #expect(formatter.string(for: "a") == nil)
        #expect(ListFormatter.localizedString(byJoining: ["one"]) == "one")
    }

    @Test("an item formatter writes the items, and one it can't write leaves no list")
    func itemFormatter() {
        let formatter = ListFormatter()
        formatter.locale = Locale(identifier: "en_US")
        let durations = DateComponentsFormatter()
        formatter.itemFormatter = durations
        let items = [DateComponents(second: 65), DateComponents(second: 70)]
        #expect(formatter.string(from: items) == "1:05 and 1:10")
        #expect(formatter.string(from: [3]) == nil)
    }
}
