internal import Foundation
internal import HealthEngine

/// One person's simulated health data and the truth behind it.
///
/// ```swift
/// let simulation = try Simulation(SimulatedPerson(seed: 1, years: 1))
/// for batch in simulation.batches { … }     // 100,000 records
/// simulation.truth.days[0].steps            // what was really walked
/// ```
/// An iPhone and an Apple Watch record the same walks in unaligned, overlapping intervals with
/// small errors of their own, and apps copy some of them. Nothing is random but by the seed, and
/// nothing is remembered between days: memory does not grow with the number of records.
public struct Simulation: Sendable {
    public let person: SimulatedPerson
    let calendar: PersonCalendar
    /// How finely things are recorded: 1 from 180 records a day on, less below.
    let detail: Double
    /// The first day with a Watch.
    let watchSince: Int
    /// How many samples are left for each of the types that fill up to the wished number.
    let quotas: Quotas

    /// Checks the person and counts what their days hold, to meet the number of records.
    ///
    /// - Throws: ``SimulationError``; if the days hold more records than asked for, with the fewest
    ///   they can hold.
    /// - Complexity: O(days): about a quarter of a second for ten years.
    public init(_ person: SimulatedPerson) throws(SimulationError) {
        let draft = try Simulation.unfilled(person)
        let quotas = Quotas(fillingUp: draft)
        guard quotas.fixed <= person.records else {
            throw .tooFewRecords(
                person.records, days: draft.calendar.count, least: try person.leastRecords())
        }
        self.init(
            person: person, calendar: draft.calendar, detail: draft.detail,
            watchSince: draft.watchSince, quotas: quotas)
    }

    /// A person without the types that only fill up the number of records.
    static func unfilled(_ person: SimulatedPerson) throws(SimulationError) -> Simulation {
        guard (1...50).contains(person.years) else { throw .unusableYears(person.years) }
        guard (1...10_000_000).contains(person.records) else {
            throw .unusableRecords(person.records)
        }
        if let days = person.days, !(1...366).contains(days) { throw .unusableDays(days) }
        let calendar = try PersonCalendar(person)
        return Simulation(
            person: person, calendar: calendar,
            detail: min(1, Double(person.records) / Double(calendar.count) / 180),
            watchSince: person.years >= 3 && person.devices == .both ? 45 : 0, quotas: Quotas())
    }

    private init(
        person: SimulatedPerson, calendar: PersonCalendar, detail: Double, watchSince: Int,
        quotas: Quotas
    ) {
        self.person = person
        self.calendar = calendar
        self.detail = detail
        self.watchSince = watchSince
        self.quotas = quotas
    }
}

extension Simulation {
    /// All samples, in batches of some ten thousand, type after type as Apple writes them.
    public var batches: SimulatedBatches { SimulatedBatches(self) }

    /// When the export is made, in reference seconds: 08:55:02 on the morning after the last day.
    public var exportDate: Double { Double(calendar.homeMidnights[calendar.count] + 32_102) }

    /// The home zone's offset from UTC at ``exportDate``, in seconds.
    public var exportOffset: Int {
        calendar.home.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: exportDate))
    }

    /// The phone's language and region.
    public var locale: String { "en_US" }

    /// The person's characteristics as an export words them, by attribute name.
    ///
    /// They depend on the seed alone: another seed is another person, and a later export is the same
    /// one's.
    public var characteristics: [String: String] {
        var random = SeededGenerator(seed: person.seed, stream: .characteristics, day: 0)
        let year = random.integer(1948...2004)
        let month = random.integer(1...12)
        let day = random.integer(1...CivilDate.length(month: month, year: year))
        return [
            "HKCharacteristicTypeIdentifierDateOfBirth": CivilDate(year, month, day).description,
            "HKCharacteristicTypeIdentifierBiologicalSex": random.choice(Self.sexes),
            "HKCharacteristicTypeIdentifierBloodType": random.choice(Self.bloodTypes),
            "HKCharacteristicTypeIdentifierFitzpatrickSkinType": random.choice(Self.skinTypes),
            "HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse": "None",
        ]
    }

    /// With how many of a hundred people have each.
    private static let sexes: [(text: String, weight: Int)] = [
        ("HKBiologicalSexFemale", 50), ("HKBiologicalSexMale", 49), ("HKBiologicalSexOther", 1),
    ]
    private static let bloodTypes: [(text: String, weight: Int)] = [
        ("HKBloodTypeOPositive", 38), ("HKBloodTypeAPositive", 34), ("HKBloodTypeBPositive", 9),
        ("HKBloodTypeONegative", 7), ("HKBloodTypeANegative", 6), ("HKBloodTypeABPositive", 3),
        ("HKBloodTypeBNegative", 2), ("HKBloodTypeABNegative", 1),
    ]
    private static let skinTypes: [(text: String, weight: Int)] = [
        ("HKFitzpatrickSkinTypeI", 5), ("HKFitzpatrickSkinTypeII", 25),
        ("HKFitzpatrickSkinTypeIII", 30), ("HKFitzpatrickSkinTypeIV", 20),
        ("HKFitzpatrickSkinTypeV", 12), ("HKFitzpatrickSkinTypeVI", 8),
    ]
}
