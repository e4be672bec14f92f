import Foundation
package import HealthEngine

/// How pages write numbers, dates and times, and in which units. The words stay English.
package struct PageSettings: Hashable, Sendable, Codable {
    /// The system of units.
    package enum Units: String, Codable, Sendable, CaseIterable {
        case metric, imperial
    }

    /// The hours of a day's clock.
    package enum Clock: String, Codable, Sendable, CaseIterable {
        /// "19:42".
        case hours24 = "24"
        /// "7:42 pm".
        case hours12 = "12"
    }

    /// The separators of numbers and the order of dates, named after a language that has them.
    package enum Notation: String, Codable, Sendable, CaseIterable {
        /// "8,214.5" and "Sat, Mar 9, 2024".
        case american = "en-US"
        /// "8,214.5" and "Sat 9 Mar 2024".
        case british = "en-GB"
        /// "8.214,5" and "Sat 9. Mar 2024".
        case german = "de"
        /// "8 214,5", with a narrow no-break space, and "Sat 9 Mar 2024".
        case french = "fr"

        /// The character between groups of three digits.
        package var groupingSeparator: String {
            switch self {
            case .american, .british: ","
            case .german: "."
            case .french: "\u{202F}"
            }
        }

        /// The character before decimal places.
        package var decimalSeparator: String {
            switch self {
            case .american, .british: "."
            case .german, .french: ","
            }
        }
    }

    /// The settings of the reader of the page that is being made. Outside of pages they are the defaults,
    /// so JSON and the command's output are the same everywhere.
    @TaskLocal package static var current = PageSettings()

    /// The system of units.
    package var units: Units
    /// The first day of the week, as in `Calendar`: 1 is Sunday, 2 is Monday, 7 is Saturday.
    package var firstWeekday: Int
    /// The hours of a day's clock.
    package var clock: Clock
    /// The separators of numbers and the order of dates.
    package var notation: Notation

    /// Creates settings. The defaults are those of a browser whose languages are unknown.
    package init(
        units: Units = .metric, firstWeekday: Int = 2, clock: Clock = .hours24,
        notation: Notation = .british
    ) {
        self.units = units
        self.firstWeekday = firstWeekday
        self.clock = clock
        self.notation = notation
    }
}

extension PageSettings {
    /// What a cached page depends on, for its key; empty for the defaults. The first weekday is part of
    /// ``PageContext/cacheKey(_:)``.
    package var cacheWords: String {
        var words = ""
        if units != .metric { words += ", \(units.rawValue)" }
        if clock != .hours24 { words += ", 12 hours" }
        if notation != .british { words += ", \(notation.rawValue)" }
        return words
    }
}

// MARK: - The browser's languages

extension PageSettings {
    /// The maximum number of languages that are read of a header.
    private static let maximumLanguages = 10
    /// The maximum length of a language tag in characters.
    private static let maximumLength = 35

    /// Creates the settings that are usual for the language that a browser prefers.
    ///
    /// ```swift
    /// PageSettings(languages: "de-DE,de;q=0.9,en;q=0.8").notation   // .german
    /// ```
    /// - Parameter languages: The header `Accept-Language`. Parts that aren't language tags are
    ///   ignored; without any, the settings are the defaults of
    ///   ``init(units:firstWeekday:clock:notation:)``.
    package init(languages: String) {
        guard let tag = PageSettings.preferred(languages) else {
            self.init()
            return
        }
        let locale = Locale(identifier: tag)
        self.init(
            units: locale.measurementSystem == .us ? .imperial : .metric,
            firstWeekday: PageSettings.number(locale.firstDayOfWeek),
            clock: [.oneToTwelve, .zeroToEleven].contains(locale.hourCycle) ? .hours12 : .hours24,
            notation: Notation(of: locale))
    }

    /// Returns the language tag with the highest quality value, the first one of several.
    private static func preferred(_ languages: String) -> String? {
        var best: (tag: String, quality: Double)?
        for part in languages.split(separator: ",").prefix(maximumLanguages) {
            let words = part.split(separator: ";").map { word in word.drop { $0 == " " } }
            guard let tag = words.first, isTag(tag) else { continue }
            let given = words.dropFirst().first { $0.hasPrefix("q=") }
                .flatMap { Double($0.dropFirst(2)) }
            let quality = given ?? 1
            // False for NaN too.
            guard quality > 0, quality <= 1, quality > best?.quality ?? 0 else { continue }
            best = (String(tag), quality)
        }
        return best?.tag
    }

    private static func isTag(_ text: Substring) -> Bool {
        (2...maximumLength).contains(text.utf8.count)
            && text.prefix(2).allSatisfy { $0.isASCII && $0.isLetter }
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    /// The days of the week in the order of `Calendar`, which counts from 1.
    private static let weekdays: [Locale.Weekday] = [
        .sunday, .monday, .tuesday, .wednesday, .thursday, .friday, .saturday,
    ]

    private static func number(_ weekday: Locale.Weekday) -> Int {
        (weekdays.firstIndex(of: weekday) ?? 1) + 1
    }
}

extension PageSettings.Notation {
    /// The notation that is closest to that of a locale.
    fileprivate init(of locale: Locale) {
        let grouping = locale.groupingSeparator ?? ","
        if locale.decimalSeparator == "," {
            self = grouping == "." ? .german : .french
        } else {
            self = locale.measurementSystem == .us ? .american : .british
        }
    }
}

// MARK: - Texts

extension PageSettings {
    /// Returns a number with the separators of these settings: "8.214,5" for 8214.5 in German.
    ///
    /// - Parameters:
    ///   - value: The number.
    ///   - digits: The number of decimal places.
    package func grouped(_ value: Double, digits: Int = 0) -> String {
        PageSettings.$current.withValue(self) { NumberText.grouped(value, digits: digits) }
    }

    /// Returns a text of ``NumberText`` with the separators of the notation.
    ///
    /// - Parameter text: The number, without words beside it.
    package func number(_ text: String) -> String {
        if notation.decimalSeparator == "." { return text }
        return text.reduce(into: "") { result, character in
            switch character {
            case ",": result += notation.groupingSeparator
            case ".": result += notation.decimalSeparator
            default: result.append(character)
            }
        }
    }

    /// Returns a day with its weekday: "Sat 9 Mar 2024", "Sat, Mar 9, 2024" or "Sat 9. Mar 2024".
    package func short(_ day: CivilDate) -> String {
        let weekday = DateText.weekday(day.weekday).prefix(3)
        let month = DateText.shortMonth(day)
        return switch notation {
        case .american: "\(weekday), \(month) \(day.day), \(day.year)"
        case .british, .french: "\(weekday) \(day.day) \(month) \(day.year)"
        case .german: "\(weekday) \(day.day). \(month) \(day.year)"
        }
    }

    /// Returns a day in digits: "3/9/2024", "09/03/2024" or "9.3.2024".
    package func digits(_ day: CivilDate) -> String {
        switch notation {
        case .american: "\(day.month)/\(day.day)/\(day.year)"
        case .british, .french:
            "\(PageSettings.twoDigits(day.day))/\(PageSettings.twoDigits(day.month))/\(day.year)"
        case .german: "\(day.day).\(day.month).\(day.year)"
        }
    }

    /// Returns a time of day: "19:42" or "7:42 pm".
    ///
    /// - Parameters:
    ///   - hour: The hour, 0 to 23.
    ///   - minute: The minute, 0 to 59.
    package func time(hour: Int, minute: Int) -> String {
        guard clock == .hours12 else {
            return PageSettings.twoDigits(hour) + ":" + PageSettings.twoDigits(minute)
        }
        let shown = hour % 12 == 0 ? 12 : hour % 12
        return "\(shown):\(PageSettings.twoDigits(minute)) \(hour < 12 ? "am" : "pm")"
    }

    private static func twoDigits(_ number: Int) -> String {
        (number < 10 ? "0" : "") + String(number)
    }
}
