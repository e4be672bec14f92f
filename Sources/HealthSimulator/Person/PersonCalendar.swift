internal import Foundation
import HealthEngine

/// The start of each of the person's days, at home and on the yearly trips.
///
/// Times are whole reference seconds. Days are numbered from 0, the first day with data. A *lived*
/// day is a date in the time zone where the person is on that date, a *home* day is a date in the
/// home time zone. Their starts differ only during trips.
struct PersonCalendar: Sendable {
    /// The length of the yearly trip in days.
    static let tripLength = 14
    private static let tripStart = 190

    let home: TimeZone
    let abroad: TimeZone
    let first: CivilDate
    /// The number of days with data.
    let count: Int
    /// The starts of the home days from 0 to `count`, which is the day after the last one with
    /// data.
    let homeMidnights: [Int]
    /// The starts of the lived days from -1, the day before the first one with data, to `count`.
    /// The start of day `n` is at index `n + 1`.
    private let localMidnights: [Int]

    init(_ person: SimulatedPerson) throws(SimulationError) {
        guard let home = TimeZone(identifier: person.homeTimeZone) else {
            throw .unknownTimeZone(person.homeTimeZone)
        }
        let awayFromHome =
            person.homeTimeZone.hasPrefix("America/") ? "Europe/Lisbon" : "America/New_York"
        guard let abroad = TimeZone(identifier: awayFromHome) else {
            throw .unknownTimeZone(awayFromHome)
        }
        self.home = home
        self.abroad = abroad
        let end = person.end
        let sameDay = CivilDate(end.year - person.years, end.month, end.day)
        first = CivilDate(dayNumber: person.days.map { end.dayNumber - $0 } ?? sameDay.dayNumber)
        count = end.dayNumber - first.dayNumber
        var homeMidnights: [Int] = []
        var localMidnights: [Int] = []
        let firstNumber = first.dayNumber
        for day in -1...count {
            let date = CivilDate(dayNumber: firstNumber + day)
            let atHome = Self.midnight(date, in: home)
            if day >= 0 { homeMidnights.append(atHome) }
            localMidnights.append(
                Self.isTravelling(day, of: count) ? Self.midnight(date, in: abroad) : atHome)
        }
        self.homeMidnights = homeMidnights
        self.localMidnights = localMidnights
    }

    func date(_ day: Int) -> CivilDate { CivilDate(dayNumber: first.dayNumber + day) }

    func isTravelling(_ day: Int) -> Bool { Self.isTravelling(day, of: count) }

    /// Returns the start of a lived day. Day must be in -1…``count``.
    func midnight(_ day: Int) -> Int { localMidnights[day + 1] }

    func zone(_ day: Int) -> TimeZone { isTravelling(day) ? abroad : home }

    private static func isTravelling(_ day: Int, of count: Int) -> Bool {
        let inYear = ((day % 365) + 365) % 365
        return day > 0 && day - inYear + tripStart + tripLength < count - 1
            && (tripStart..<tripStart + tripLength).contains(inYear)
    }

    /// Returns the start of a date in a time zone: its first instant if clocks skip midnight.
    private static func midnight(_ date: CivilDate, in zone: TimeZone) -> Int {
        func offset(_ instant: Int) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(instant)))
        }
        let asUTC = date.dayNumber * 86_400
        let byEarlierOffset = asUTC - offset(asUTC - 86_400)
        let byLaterOffset = asUTC - offset(byEarlierOffset)
        return offset(byLaterOffset) == asUTC - byLaterOffset ? byLaterOffset : byEarlierOffset
    }
}
