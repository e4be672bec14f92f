internal import Foundation
internal import HealthEngine

/// The simulated health data of one person, and the ground truth.
///
/// ```swift
/// let simulation = try Simulation(SimulatedPerson(seed: 1, years: 1))
/// for batch in simulation.batches { write(batch) }     // 100,000 records
/// simulation.groundTruth.days[0].steps                 // the steps that were really taken
/// ```
/// An iPhone and an Apple Watch record the same walks in unaligned, overlapping intervals with
/// small independent errors. An app records some of the walks once more. The data depend on the
/// parameters only. No samples are kept between batches, so memory does not grow with the number of
/// records.
public struct Simulation: Sendable {
    /// The parameters of the simulated person.
    public let person: SimulatedPerson
    let calendar: PersonCalendar
    /// The level of detail of recordings: 1 for 180 requested records a day or more, proportionally
    /// smaller for fewer.
    let detail: Double
    /// The index of the first day with a Watch.
    let watchSince: Int
    /// The number of samples of each type that fills the data up to the requested number of
    /// records.
    let quotas: Quotas

    /// Creates a simulation. This counts the records of the types whose number can't be chosen, so
    /// that the other types can fill the data up to the requested number.
    ///
    /// - Parameter person: The parameters of the person.
    /// - Throws: ``SimulationError`` if a parameter is invalid, or if the days have more records
    ///   than requested.
    /// - Complexity: O(days): about 0.25 seconds for ten years.
    public init(_ person: SimulatedPerson) throws(SimulationError) {
        let draft = try Simulation.unfilled(person)
        let quotas = Quotas(fillingUp: draft)
        guard quotas.fixed <= person.records else {
            throw .tooFewRecords(
                person.records, days: draft.calendar.count, minimum: try person.minimumRecords())
        }
        self.init(
            person: person, calendar: draft.calendar, detail: draft.detail,
            watchSince: draft.watchSince, quotas: quotas)
    }

    /// Returns a simulation without the types that fill up the number of records.
    static func unfilled(_ person: SimulatedPerson) throws(SimulationError) -> Simulation {
        guard (1...50).contains(person.years) else { throw .unusableYears(person.years) }
        guard (1...20_000_000).contains(person.records) else {
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
    /// All samples, type by type as in Apple's exports, in batches of one or more days.
    public var batches: SimulatedBatches { SimulatedBatches(self) }

    /// The date of the export in reference seconds, on the day after the last one; see
    /// ``SimulatedPerson/exportTime``.
    public var exportDate: Double {
        Double(calendar.homeMidnights[calendar.count] + min(max(person.exportTime, 0), 86_399))
    }

    /// The home zone's offset from UTC at ``exportDate``, in seconds.
    public var exportOffset: Int {
        calendar.home.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: exportDate))
    }

    /// The phone's language and region.
    public var locale: String { "en_US" }

    /// The values of the person's characteristics as in an export, by attribute name.
    ///
    /// They depend on the seed only: a later export of the same person has the same ones.
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

    /// The values of the biological sex with their frequencies in percent, which the tables of
    /// blood and skin types have too.
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
