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
    mutating func document(_ random: inout SeededRandom) -> ExportElement {
        routes = []
        var children: [ExportElement] = []
        if !hostile(&random) {
            let late = date(Double(day + 40) * 86_400, &random)
            children.append(ExportElement("ExportDate", [("value", late)]))
        }
        if !hostile(&random) { children.append(me(&random)) }
        for _ in 0..<max(1, random.below(2 * records)) { children.append(element(&random)) }
        let locale = random.pick(["en_US", "de_DE", "fr_FR", "ja_JP", "en_FR"])
        return ExportElement("HealthData", [("locale", locale)], children)
    }

    private mutating func element(_ random: inout SeededRandom) -> ExportElement {
        switch random.below(100) {
        case 0..<55: return quantity(&random)
        case 55..<72: return category(&random)
        case 72..<80: return workout(&random)
        case 80..<85: return correlation(&random)
        case 85..<90: return rings(&random)
        case 90..<93: return heartbeats(&random)
        case 93..<95: return audiogram(&random)
        case 95..<97: return prescription(&random)
        case 97..<98: return clinicalRecord(&random)
        default: return unknown(&random)
        }
    }

    func hostile(_ random: inout SeededRandom) -> Bool { random.percent(hostility) }

    // MARK: - Values

    func number(_ usual: ClosedRange<Int>, _ random: inout SeededRandom) -> String {
        if hostile(&random) { return random.pick(Hostile.numbers) }
        let whole = random.int(usual)
        return random.percent(40) ? "\(whole).\(random.below(10_000))" : String(whole)
    }

    /// Formats a time in seconds since 2001-01-01T00:00:00Z as in exports, or returns a hostile
    /// date.
    func date(_ seconds: Double, _ random: inout SeededRandom) -> String {
        if hostile(&random) { return random.pick(Hostile.dates) }
        let offset = random.pick([3600, 3600, 3600, 7200, -25_200, 0, 20_700], or: 0)
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
    func span(_ random: inout SeededRandom, longest: Int = 3600) -> (Double, Double) {
        let start = Double((day + random.below(30)) * 86_400 + random.below(86_400))
        return (start, start + Double(random.below(longest)))
    }

    func identity(_ random: inout SeededRandom, longest: Int = 3600) -> [(String, String)] {
        let (start, end) = span(&random, longest: longest)
        var attributes = [
            ("sourceName", hostile(&random) ? random.pick(Hostile.texts) : random.pick(sources))
        ]
        if random.percent(80) { attributes.append(("sourceVersion", "10.\(random.below(5))")) }
        if random.percent(50) { attributes.append(("device", device(&random))) }
        attributes.append(("creationDate", date(end + Double(random.below(600)), &random)))
        attributes.append(("startDate", date(start, &random)))
        attributes.append(("endDate", date(end, &random)))
        return attributes
    }

    func device(_ random: inout SeededRandom) -> String {
        let pointer = String(random.next() & 0xFFFF_FFFF, radix: 16)
        if hostile(&random) {
            return random.pick([
                "<<HKDevice: 0x1, name:x>>", "<<HKDevice: 0x\(pointer)>, name:, , :, hardware:>",
                "<<<<>>>>", "name:a, name:b, name:c", random.pick(Hostile.texts),
            ])
        }
        return "<<HKDevice: 0x\(pointer)>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, "
            + "hardware:Watch6,\(1 + random.below(3)), software:10.\(random.below(4))>"
    }

    func entry(_ random: inout SeededRandom) -> ExportElement {
        let usual = [
            ("HKTimeZone", "Europe/Berlin"), ("HKWasUserEntered", "1"), ("Withings Link", "x"),
            ("HKIndoorWorkout", "0"), ("HKWeatherTemperature", "47.6 degF"),
            ("HKWeatherHumidity", "9400 %"), ("HKElevationAscended", "45443 cm"),
            ("HKAverageMETs", "5.2 kcal/hr·kg"), ("HKMetadataKeySyncVersion", "2"),
            ("HKMetadataKeySyncIdentifier", "s\(random.below(4))"),
        ]
        var (key, value) = random.pick(usual, or: ("k", "v"))
        if hostile(&random) { key = random.pick(catalogue.metadata + Hostile.texts) }
        if hostile(&random) {
            value = random.pick(Hostile.texts + Hostile.numbers + Hostile.dates + Hostile.units)
        }
        return ExportElement("MetadataEntry", [("key", key), ("value", value)])
    }

    func entries(_ random: inout SeededRandom) -> [ExportElement] {
        random.percent(30) ? (0...random.below(3)).map { _ in entry(&random) } : []
    }
}
