public import HealthEngine

/// Who is simulated: the whole input of a ``Simulation``.
///
/// Equal values give equal samples, bit for bit, on every machine.
public struct SimulatedPerson: Hashable, Sendable {
    /// What the person carries and wears.
    public enum Devices: String, Hashable, Sendable, CaseIterable {
        case phone, watch, both
    }

    /// An app that writes one step record a day, from local midnight to midnight.
    public enum DailyApp: String, Hashable, Sendable {
        case absent, present
    }

    public var seed: UInt64
    /// How many years before `end` the data begin.
    public var years: Int
    /// How many days before `end` the data begin, where that is less than a year; nil for `years`.
    public var days: Int?
    /// Record elements an export of this person holds, correlation members counted twice as Apple
    /// writes them. Heart rate and energy become denser or sparser to meet it; steps, sleep and
    /// what else is fixed set a lower limit of some thirty a day: see ``shortened()``.
    public var records: Int
    /// The first day without data; the export is made on its morning.
    public var end: CivilDate
    /// IANA identifier of the zone the person lives in; truth days are cut there.
    public var homeTimeZone: String
    public var devices: Devices
    public var dailyApp: DailyApp
    public var phoneName: String
    public var watchName: String

    /// A person with 100,000 records a year until the end of September 2026.
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

/// Why a person cannot be simulated.
public enum SimulationError: Error, Hashable, Sendable {
    case unknownTimeZone(String)
    /// Years outside 1…50.
    case unusableYears(Int)
    /// Days outside 1…366.
    case unusableDays(Int)
    /// Records outside 1…10,000,000.
    case unusableRecords(Int)
    /// Fewer records than the steps, sleep and what else is fixed make anyway.
    case tooFewRecords(Int, days: Int, least: Int)
}

extension SimulationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unknownTimeZone(let name): "no time zone is named “\(name)”"
        case .unusableYears(let years): "\(years) years: choose between 1 and 50"
        case .unusableDays(let days): "\(days) days: choose between 1 and 366"
        case .unusableRecords(let records):
            "\(records) records: choose between 1 and 10,000,000"
        case .tooFewRecords(let records, let days, let least):
            "\(records) records are too few: \(days) days hold at least \(least)"
        }
    }
}
