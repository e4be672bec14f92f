import Foundation
import FoundationGaps
import Testing

/// Durations formatted as in Apple's documentation.
@Suite struct DateComponentsFormatterTests {
    typealias Style = DateComponentsFormatter.UnitsStyle
    typealias Zeros = DateComponentsFormatter.ZeroFormattingBehavior

    private let formatter: DateComponentsFormatter

    init() {
        formatter = DateComponentsFormatter()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.locale = Locale(identifier: "en_US")
        formatter.calendar = calendar
    }

    @Test(
        "each style writes hours, minutes and seconds its way",
        arguments: [
            (Style.positional, "9:41:30"), (.abbreviated, "9h 41m 30s"),
            (.short, "9 hr, 41 min, 30 sec"), (.full, "9 hours, 41 minutes, 30 seconds"),
            (.spellOut, "nine hours, forty-one minutes, thirty seconds"),
            (.brief, "9hr 41min 30sec"),
        ])
    func styles(style: Style, text: String) {
        formatter.unitsStyle = style
        #expect(formatter.string(from: 9 * 3600 + 41 * 60 + 30) == text)
    }

    @Test("one is singular, zero and many are plural")
    func plurals() {
        formatter.unitsStyle = .full
        #expect(formatter.string(from: 3661) == "1 hour, 1 minute, 1 second")
        #expect(formatter.string(from: 0) == "0 seconds")
        formatter.unitsStyle = .short
        #expect(
            formatter.string(from: DateComponents(year: 2, month: 1, day: 2))
                == "2 yrs, 1 mth, 2 days")
    }

    @Test(
        "zeros are dropped or padded as their behaviour says",
        arguments: [
            (Zeros.default, Style.positional, 3610.0, "1:00:10"), (.default, .positional, 9, "9"),
            (.default, .positional, 65, "1:05"), (.default, .abbreviated, 3610, "1h 10s"),
            (.default, .positional, 0, "0"), (.default, .abbreviated, 0, "0s"),
            (.pad, .positional, 3610, "01:00:10"), (.pad, .positional, 9, "00:00:09"),
            ([], .positional, 3610, "1:0:10"), ([], .abbreviated, 600, "0h 10m 0s"),
            (.dropLeading, .abbreviated, 600, "10m 0s"),
            (.dropMiddle, .abbreviated, 3610, "1h 10s"),
            (.dropMiddle, .abbreviated, 600, "0h 10m 0s"),
            (.dropTrailing, .abbreviated, 3600, "1h"), (.dropAll, .abbreviated, 600, "10m"),
            ([.dropLeading, .pad], .positional, 65, "01:05"),
        ] as [(Zeros, Style, TimeInterval, String)])
    func zeros(behavior: Zeros, style: Style, seconds: TimeInterval, text: String) {
        formatter.allowedUnits = [.hour, .minute, .second]
        formatter.unitsStyle = style
        formatter.zeroFormattingBehavior = behavior
        #expect(formatter.string(from: seconds) == text)
    }

    @Test("allowed units decide what is counted, and what is smaller is cut off")
    func allowedUnits() {
        formatter.allowedUnits = [.minute, .second]
        #expect(formatter.string(from: 3909) == "65:09")
        formatter.allowedUnits = [.hour, .minute]
        formatter.unitsStyle = .abbreviated
        #expect(formatter.string(from: 3659.9) == "1h")
        #expect(formatter.string(from: 100_000) == "27h 46m")
        formatter.allowedUnits = [.day, .hour]
        #expect(formatter.string(from: 100_000) == "1d 3h")
    }

    @Test("days and longer stand before a positional time")
    func positionalDays() {
        #expect(formatter.string(from: 100_000) == "1d 3:46:40")
        #expect(formatter.string(from: DateComponents(minute: 90)) == "1:30:00")
    }

    @Test("a duration backwards has a minus before it")
    func negative() {
        #expect(formatter.string(from: -3909) == "-1:05:09")
        formatter.unitsStyle = .abbreviated
        #expect(formatter.string(from: -3909) == "-1h 5m 9s")
        formatter.unitsStyle = .spellOut
        #expect(formatter.string(from: -60) == "minus one minute")
        formatter.unitsStyle = .full
        let date = Date(timeIntervalSinceReferenceDate: 0)
        #expect(formatter.string(from: date, to: date.addingTimeInterval(-60)) == "-1 minute")
    }

    @Test("units are counted up to a maximum, and a largest unit of one can be folded")
    func unitCount() {
        formatter.unitsStyle = .abbreviated
        formatter.maximumUnitCount = 2
        #expect(formatter.string(from: 4230) == "1h 10m")
        formatter.maximumUnitCount = 0
        formatter.collapsesLargestUnit = true
        #expect(formatter.string(from: 63) == "63s")
        #expect(formatter.string(from: 60) == "1m")
        #expect(formatter.string(from: 123) == "2m 3s")
    }

    @Test("phrases stand around the duration")
    func phrases() {
        formatter.unitsStyle = .full
        formatter.includesTimeRemainingPhrase = true
        #expect(formatter.string(from: 300) == "5 minutes remaining")
        formatter.includesApproximationPhrase = true
        #expect(formatter.string(from: 300) == "About 5 minutes remaining")
        formatter.formattingContext = .middleOfSentence
        #expect(formatter.string(from: 300) == "about 5 minutes remaining")
    }

    @Test("months are counted by the calendar from the reference date")
    func referenceDate() {
        formatter.unitsStyle = .full
        let month = 31 * 86_400.0
        #expect(formatter.string(from: month) == "1 month")
        // February 2001.
        formatter.referenceDate = Date(timeIntervalSinceReferenceDate: month)
        #expect(formatter.string(from: month) == "1 month, 3 days")
        formatter.calendar = nil
        #expect(formatter.string(from: month) == "1 month, 3 days")
    }

    @Test(
        "a duration that is no number, or longer than calendars count, has no text",
        arguments: [.nan, .infinity, -.infinity, 1e12, -1e300, .greatestFiniteMagnitude])
    func noText(seconds: TimeInterval) {
        #expect(formatter.string(from: seconds) == nil)
        #expect(
            formatter.string(from: .distantPast, to: Date(timeIntervalSince1970: seconds)) == nil)
    }

    @Test("components of any size and kind are formatted or refused, never trapped on")
    func hugeComponents() {
        #expect(formatter.string(from: DateComponents(year: .min)) == nil)
        #expect(formatter.string(from: DateComponents(month: .max - 1, day: .max - 1)) == nil)
        #expect(formatter.string(from: DateComponents(second: 61, weekday: .min)) == "1:01")
        #expect(formatter.string(from: DateComponents(quarter: .min, weekOfYear: .min)) == nil)
        #expect(formatter.string(from: DateComponents()) == "0")
    }

    @Test("string(for:) and localizedString(from:unitsStyle:) say the same")
    func otherForms() {
        let duration = DateComponents(hour: 1, minute: 5)
        #expect(formatter.string(for: duration) == "1:05:00")
        #expect(formatter.string(for: 65) == nil)
        #expect(
            DateComponentsFormatter.localizedString(from: duration, unitsStyle: .abbreviated)
                == "1h 5m")
    }
}
