public import HealthEngine

/// The parameters of a simulated person: the complete input of a ``Simulation``.
///
/// Equal values give bit-identical samples on every machine with the same time zone data.
public struct SimulatedPerson: Hashable, Sendable {
    /// The devices that the person uses.
    public enum Devices: String, Hashable, Sendable, CaseIterable {
        case phone, watch, both
    }

    /// Whether an app writes day totals of steps: one record from local midnight to midnight, on 90
    /// % of the days.
    public enum DailyApp: String, Hashable, Sendable {
        case absent, present
    }

    /// The seed of all random numbers.
    public var seed: UInt64
    /// The length of the data in years, 1 to 50, unless ``days`` is set.
    public var years: Int
    /// The length of the data in days, 1 to 366; nil to use `years`.
    public var days: Int?
    /// The number of record elements in an export of this person, 1 to 20,000,000. Members of
    /// correlations count twice, as in Apple's exports.
    ///
    /// The number of heart rate and energy samples is chosen to meet it; without a Watch, that of
    /// audio exposure samples. Steps, sleep and other types, whose number can't be chosen, set a
    /// lower limit of about 30 records a day; see ``shortened()``.
    public var records: Int
    /// The day after the last day with data. The export is made on it.
    public var end: CivilDate
    /// When the export is made, in seconds after midnight of ``end`` in the home time zone. By default it is
    /// 8:55:02. Values outside 0…86,399 are clamped.
    public var exportTime = 32_102
    /// The IANA identifier of the home time zone, in which the days of the truth are counted.
    public var homeTimeZone: String
    /// The devices that the person uses.
    public var devices: Devices
    /// Whether an app writes day totals of steps.
    public var dailyApp: DailyApp
    /// The source name of the iPhone.
    public var phoneName: String
    /// The source name of the Apple Watch.
    public var watchName: String

    /// Creates a person. By default, the data are one year with 100,000 records until the end of
    /// September 2026.
    ///
    /// - Parameters:
    ///   - seed: The seed of all random numbers.
    ///   - years: The length of the data in years, 1 to 50.
    ///   - days: The length of the data in days, 1 to 366; nil to use `years`.
    ///   - records: The number of record elements; nil for 100,000 times `years`, also if `days` is
    ///     set.
    ///   - end: The day after the last day with data.
    ///   - homeTimeZone: The IANA identifier of the home time zone.
    ///   - devices: The devices that the person uses.
    ///   - dailyApp: Whether an app writes day totals of steps.
    ///   - phoneName: The source name of the iPhone.
    ///   - watchName: The source name of the Apple Watch.
    public init(
        seed: UInt64 = 1, years: Int = 1, days: Int? = nil, records: Int? = nil,
        end: CivilDate = CivilDate(2026, 10, 1), homeTimeZone: String = "America/New_York",
        devices: Devices = .both, dailyApp: DailyApp = .absent,
        phoneName: String = "Sam’s iPhone", watchName: String = "Sam’s Apple\u{00A0}Watch"
    ) {
        self.seed = seed
        self.years = years
        self.days = days
        self.records = records ?? 100_000 * years
        self.end = end
        self.homeTimeZone = homeTimeZone
        self.devices = devices
        self.dailyApp = dailyApp
        self.phoneName = phoneName
        self.watchName = watchName
    }
}

/// An error in the parameters of a simulated person.
public enum SimulationError: Error, Hashable, Sendable {
    /// The time zone identifier is unknown.
    case unknownTimeZone(String)
    /// The number of years is outside 1…50.
    case unusableYears(Int)
    /// The number of days is outside 1…366.
    case unusableDays(Int)
    /// The number of records is outside 1…20,000,000.
    case unusableRecords(Int)
    /// The number of records is smaller than that of the types whose number can't be chosen, such
    /// as steps and sleep.
    case tooFewRecords(Int, days: Int, minimum: Int)
}

extension SimulationError: CustomStringConvertible {
    /// The error as text, with the allowed values.
    public var description: String {
        switch self {
        case .unknownTimeZone(let name): "unknown time zone “\(name)”"
        case .unusableYears(let years): "\(years) years: choose between 1 and 50"
        case .unusableDays(let days): "\(days) days: choose between 1 and 366"
        case .unusableRecords(let records):
            "\(records) records: choose between 1 and 20,000,000"
        case .tooFewRecords(let records, let days, let minimum):
            "\(records) records are too few: \(days) days need at least \(minimum)"
        }
    }
}

extension SimulatedPerson {
    /// Returns the person with fewer days, at most 366, if ``records`` don't suffice for all. The
    /// last days are kept.
    ///
    /// ```swift
    /// try SimulatedPerson(records: 3_000).shortened().days   // some ninety
    /// ```
    /// If a single day has more records than requested, ``records`` becomes the smallest number
    /// possible for it.
    ///
    /// - Returns: A person for which ``Simulation/init(_:)`` does not throw
    ///   ``SimulationError/tooFewRecords(_:days:minimum:)``.
    /// - Throws: ``SimulationError`` if another parameter is invalid.
    /// - Complexity: O(days) for each of a few iterations.
    public func shortened() throws(SimulationError) -> SimulatedPerson {
        var person = self
        var days = try Simulation.unfilled(person).calendar.count
        while true {
            let fixed = try person.fixedRecords()
            if fixed <= records { return person }
            if days == 1 {
                person.records = try person.minimumRecords()
                return person
            }
            days = min(days - 1, max(1, days * records / fixed), 366)
            person.days = days
        }
    }

    /// Returns the smallest number of records, ``records`` or greater, that the person's days can
    /// have.
    ///
    /// The number of records of the types whose number can't be chosen grows with the requested
    /// number, but more slowly, so the iteration terminates.
    func minimumRecords() throws(SimulationError) -> Int {
        var person = self
        while true {
            let fixed = try person.fixedRecords()
            if fixed <= person.records { return person.records }
            person.records = fixed
        }
    }

    private func fixedRecords() throws(SimulationError) -> Int {
        Quotas(fillingUp: try Simulation.unfilled(self)).fixed
    }
}
