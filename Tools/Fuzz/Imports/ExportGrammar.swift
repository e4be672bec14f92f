import Foundation

/// Generates exports with most kinds of elements that phones have written, and unknown ones.
struct ExportGrammar {
    let catalogue: Catalogue
    /// The percentage of hostile values; 0 for plausible exports.
    var hostility = 0
    /// Whether elements may be nested where they never occur.
    var isMisnested = false
    /// The average number of top-level elements in a file. The number is below twice this one.
    var records = 30
    /// The first day of samples, in days since 1 January 2001. Plausible samples start within 30
    /// days from it.
    var day = 8_470
    var sources = ["Apple\u{A0}Watch von Anna", "iPhone", "Health", "Zqsource", "Withings"]
    /// The route files that workouts reference.
    var routes: [String] = []

    init(_ catalogue: Catalogue) { self.catalogue = catalogue }

    /// Returns the root element of a document.
    mutating func document(_ chance: inout Chance) -> ExportElement {
        routes = []
        var children: [ExportElement] = []
        if !hostile(&chance) {
            let late = date(Double(day + 40) * 86_400, &chance)
            children.append(ExportElement("ExportDate", [("value", late)]))
        }
        if !hostile(&chance) { children.append(me(&chance)) }
        for _ in 0..<max(1, chance.below(2 * records)) { children.append(element(&chance)) }
        let locale = chance.pick(["en_US", "de_DE", "fr_FR", "ja_JP", "en_FR"])
        return ExportElement("HealthData", [("locale", locale)], children)
    }

    private mutating func element(_ chance: inout Chance) -> ExportElement {
        switch chance.below(100) {
        case 0..<55: return quantity(&chance)
        case 55..<72: return category(&chance)
        case 72..<80: return workout(&chance)
        case 80..<85: return correlation(&chance)
        case 85..<90: return rings(&chance)
        case 90..<93: return heartbeats(&chance)
        case 93..<95: return audiogram(&chance)
        case 95..<97: return prescription(&chance)
        case 97..<98: return clinicalRecord(&chance)
        default: return unknown(&chance)
        }
    }

    func hostile(_ chance: inout Chance) -> Bool { chance.percent(hostility) }

    // MARK: - Values

    func number(_ usual: ClosedRange<Int>, _ chance: inout Chance) -> String {
        if hostile(&chance) { return chance.pick(Hostile.numbers) }
        let whole = chance.int(usual)
        return chance.percent(40) ? "\(whole).\(chance.below(10_000))" : String(whole)
    }

    /// Formats a time in seconds since 2001-01-01T00:00:00Z as in exports, or returns a hostile
    /// date.
    func date(_ seconds: Double, _ chance: inout Chance) -> String {
        if hostile(&chance) { return chance.pick(Hostile.dates) }
        let offset = chance.pick([3600, 3600, 3600, 7200, -25_200, 0, 20_700], or: 0)
        return ExportGrammar.date(seconds, offset: offset)
    }

    static func date(_ seconds: Double, offset: Int) -> String {
        let local = Int(seconds) + offset
        var day = local / 86_400
        var rest = local % 86_400
        if rest < 0 {
            rest += 86_400
            day -= 1
        }
        // Converts `day`, in days since 2001-01-01, to a date of the proleptic Gregorian calendar.
        let shifted = day + 11_323 + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * ofYear + 2) / 153
        let monthDay = ofYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let sign = offset < 0 ? "-" : "+"
        let zone = abs(offset) / 3600 * 100 + abs(offset) % 3600 / 60
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        func four(_ number: Int) -> String { String(("000" + String(number)).suffix(4)) }
        return "\(four(year))-\(two(month))-\(two(monthDay)) "
            + "\(two(rest / 3600)):\(two(rest % 3600 / 60)):\(two(rest % 60)) \(sign)\(four(zone))"
    }

    /// Returns the start and end of an interval shorter than `longest` seconds, in seconds since
    /// 2001-01-01T00:00:00Z.
    func span(_ chance: inout Chance, longest: Int = 3600) -> (Double, Double) {
        let start = Double((day + chance.below(30)) * 86_400 + chance.below(86_400))
        return (start, start + Double(chance.below(longest)))
    }

    func identity(_ chance: inout Chance, longest: Int = 3600) -> [(String, String)] {
        let (start, end) = span(&chance, longest: longest)
        var attributes = [
            ("sourceName", hostile(&chance) ? chance.pick(Hostile.texts) : chance.pick(sources))
        ]
        if chance.percent(80) { attributes.append(("sourceVersion", "10.\(chance.below(5))")) }
        if chance.percent(50) { attributes.append(("device", device(&chance))) }
        attributes.append(("creationDate", date(end + Double(chance.below(600)), &chance)))
        attributes.append(("startDate", date(start, &chance)))
        attributes.append(("endDate", date(end, &chance)))
        return attributes
    }

    func device(_ chance: inout Chance) -> String {
        let pointer = String(chance.next() & 0xFFFF_FFFF, radix: 16)
        if hostile(&chance) {
            return chance.pick([
                "<<HKDevice: 0x1, name:x>>", "<<HKDevice: 0x\(pointer)>, name:, , :, hardware:>",
                "<<<<>>>>", "name:a, name:b, name:c", chance.pick(Hostile.texts),
            ])
        }
        return "<<HKDevice: 0x\(pointer)>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, "
            + "hardware:Watch6,\(1 + chance.below(3)), software:10.\(chance.below(4))>"
    }

    func entry(_ chance: inout Chance) -> ExportElement {
        let usual = [
            ("HKTimeZone", "Europe/Berlin"), ("HKWasUserEntered", "1"), ("Withings Link", "x"),
            ("HKIndoorWorkout", "0"), ("HKWeatherTemperature", "47.6 degF"),
            ("HKWeatherHumidity", "9400 %"), ("HKElevationAscended", "45443 cm"),
            ("HKAverageMETs", "5.2 kcal/hr·kg"), ("HKMetadataKeySyncVersion", "2"),
            ("HKMetadataKeySyncIdentifier", "s\(chance.below(4))"),
        ]
        var (key, value) = chance.pick(usual, or: ("k", "v"))
        if hostile(&chance) { key = chance.pick(catalogue.metadata + Hostile.texts) }
        if hostile(&chance) {
            value = chance.pick(Hostile.texts + Hostile.numbers + Hostile.dates + Hostile.units)
        }
        return ExportElement("MetadataEntry", [("key", key), ("value", value)])
    }

    func entries(_ chance: inout Chance) -> [ExportElement] {
        chance.percent(30) ? (0...chance.below(3)).map { _ in entry(&chance) } : []
    }
}
