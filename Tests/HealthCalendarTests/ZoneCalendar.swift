import Foundation
import HealthCalendar
import HealthEngine
import HealthTesting

/// The calendar of a zone from 1970 to 2050 according to Python: one line of the output of
/// `Fixtures/calendar/local_calendar.py`. Times are seconds since 2001.
struct ZoneCalendar: Sendable {
    /// What a boundary begins.
    enum Kind: Int, CaseIterable, Sendable {
        // In the order of the columns.
        case day, weekFromMonday, weekFromSunday, month, year

        var step: CalendarStep {
            switch self {
            case .day: .day
            case .weekFromMonday, .weekFromSunday: .week
            case .month: .month
            case .year: .year
            }
        }

        var firstWeekday: Int { self == .weekFromSunday ? 1 : 2 }
    }

    var zone: String
    /// The times at which the offset changes.
    var changes: [Double]
    /// The dates that the zone skipped, as days since 2001.
    var skipped: [Int]
    /// The times at which days, weeks, months or years begin.
    var boundaries: [Kind: [Double]]
    /// The noon of each day that exists.
    var noons: [Double]
    /// The days of sleeps around the changes, as days since 2001, by the hour at which days are
    /// cut. The order is that of ``sleepMoments``.
    var sleepDays: [Int: [Int]]

    init?(_ line: Substring) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard columns.count == 11 else { return nil }
        let dates = columns[2].split(separator: " ").map { CivilDate(String($0))?.dayNumber }
        let lists = columns[3...].map(ZoneCalendar.numbers)
        guard dates.allSatisfy({ $0 != nil }), lists.allSatisfy({ $0 != nil }) else { return nil }
        zone = String(columns[0])
        changes = columns[1].split(separator: " ").compactMap { Double($0) }
        skipped = dates.compactMap { $0 }
        let numbers = lists.compactMap { $0 }
        let times = numbers.prefix(6).map { $0.map { Double($0) } }
        boundaries = [:]
        for kind in Kind.allCases { boundaries[kind] = times[kind.rawValue] }
        noons = times[5]
        sleepDays = [18: numbers[6], 4: numbers[7]]
    }

    /// Returns the numbers of a list of runs: "0 86400*2 1*1" is 0 86400 172800 172801.
    private static func numbers(_ runs: Substring) -> [Int]? {
        let words = runs.split(separator: " ")
        guard let first = words.first else { return [] }
        guard var last = Int(first) else { return nil }
        var numbers = [last]
        for word in words.dropFirst() {
            let parts = word.split(separator: "*")
            guard parts.count == 2, let step = Int(parts[0]), let count = Int(parts[1]) else {
                return nil
            }
            for _ in 0..<count {
                last += step
                numbers.append(last)
            }
        }
        return numbers
    }

    /// Returns the line of each zone. Parsed, all zones would take hundreds of megabytes.
    static func lines(of zones: [String]) throws -> [Substring] {
        let script = ProjectFiles.fixtures.appendingPathComponent("calendar/local_calendar.py")
        return try Python.run(script: script, zones).split(separator: "\n")
    }
}

// MARK: - Lookup

extension ZoneCalendar {
    /// Returns the bucket that contains a time; nil at the ends of the range.
    func bucket(_ kind: Kind, at time: Double) -> (start: Double, end: Double)? {
        let boundaries = boundaries[kind] ?? []
        let index = ZoneCalendar.index(in: boundaries, at: time)
        guard index >= 0, index + 1 < boundaries.count else { return nil }
        return (boundaries[index], boundaries[index + 1])
    }

    /// Returns the index of the last noon at or before a time; -1 if there is none.
    func lastNoon(at time: Double) -> Int { ZoneCalendar.index(in: noons, at: time) }

    /// Returns the date of a noon: the days since 1970-01-01, without those that were skipped.
    func date(ofNoon index: Int) -> CivilDate {
        var number = CivilDate(1970, 1, 1).dayNumber + index
        for day in skipped.sorted() where day <= number { number += 1 }
        return CivilDate(dayNumber: number)
    }

    /// The times around the changes whose ``sleepDays`` are known: for each hour from 26 before to
    /// 26 after a change, a second before it and at it.
    var sleepMoments: [Double] {
        changes.flatMap { change in
            (-26...26).flatMap { hour -> [Double] in
                let time = change + Double(hour) * 3600
                return [time - 1, time]
            }
        }
    }

    /// Returns the index of the last number at or below a limit in an ascending list, or -1.
    private static func index(in numbers: [Double], at limit: Double) -> Int {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] <= limit { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }
}
