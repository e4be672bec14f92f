import HealthCalendar
import HealthEngine
import Testing

@testable import HealthDashboard

@Suite("The history of cycles")
struct CycleHistoryTests {
    private let first = CivilDate(2024, 1, 1)

    /// Returns days of bleeding, given as numbers of days after 1 January 2024.
    private func days(_ numbers: [Int], starts: [Int] = []) -> [CycleHistory.Day] {
        numbers.map { number in
            CycleHistory.Day(
                day: first.advanced(by: number), isBleeding: true,
                isStart: starts.contains(number))
        }
    }

    @Test("marked days begin cycles, also if less than ten days without bleeding lie between them")
    func marked() throws {
        let history = CycleHistory(
            days([0, 1, 2, 27, 28, 34, 55], starts: [0, 27, 34]).shuffledBySeed())
        #expect(history.periods.map(\.first.dayNumber) == [0, 27, 34].map { $0 + first.dayNumber })
        #expect(history.periods.map(\.cycleLength) == [27, 7, nil])
        #expect(history.periods.map(\.bleedingDays) == [3, 2, 1])
    }

    @Test("without marks a cycle begins after at least ten days without bleeding")
    func unmarked() throws {
        let history = CycleHistory(days([0, 3, 13, 24, 25, 52]))
        // Between days 3 and 13 are nine days, between 13 and 24 ten.
        #expect(history.periods.map(\.first.dayNumber) == [0, 24, 52].map { $0 + first.dayNumber })
        #expect(history.periods.map(\.bleedingDays) == [3, 2, 1])
        let lengths = try #require(history.lengths)
        #expect((lengths.count, lengths.shortest, lengths.longest) == (2, 24, 28))
        #expect(lengths.median == 24)
    }

    @Test("a day recorded twice counts once, and days without bleeding begin nothing")
    func repeated() {
        let none = CycleHistory.Day(
            day: first.advanced(by: 40), isBleeding: false, isStart: true)
        let history = CycleHistory(days([0, 0, 1, 1]) + [none])
        #expect(history.periods.map(\.bleedingDays) == [2])
        #expect(history.lengths == nil)
        #expect(CycleHistory([]).periods.isEmpty)
    }
}

extension Array {
    /// The elements in another order, which is always the same.
    fileprivate func shuffledBySeed() -> [Element] {
        indices.sorted { ($0 * 7 + 3) % count < ($1 * 7 + 3) % count }.map { self[$0] }
    }
}
