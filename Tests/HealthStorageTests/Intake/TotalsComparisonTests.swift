import Foundation
import HealthCalendar
import HealthEngine
import Testing

@testable import HealthStorage

/// The comparison of merged sums with Apple's totals, in UTC days counted from 2001-01-01.
@Suite struct TotalsComparisonTests {
    private static let day = 86_400.0
    /// The date of the first export of ``TemporaryStore``.
    private static let exported = 800_000_001.0
    /// A day before the export.
    private static let first = 9_000 * day
    private let utc = CalendarBuckets(timeZone: .gmt)
    private let file: TemporaryStore
    private let phone: SendingPhone
    private let steps = SampleType.named("stepCount")

    /// Creates a store of ten days with 1,000 recorded steps each.
    init() throws {
        file = try TemporaryStore()
        var recording = Recording()
        for day in 0..<10 {
            let start = Self.first + Double(day) * Self.day + 36_000
            recording.add(steps, "Watch", start, start + 600, 1000, device: .watch)
        }
        try file.add(recording)
        phone = SendingPhone(store: try file.open())
    }

    private func start(_ day: Int) -> Double { Self.first + Double(day) * Self.day }

    private func comparison() throws -> TotalsComparison {
        try #require(try phone.store.totalsComparison(of: steps, in: utc))
    }

    /// Sends the total of a whole day, two days after its end.
    private func send(_ value: Double, day: Int, after seconds: Double = 2 * day) throws {
        try phone.send(
            "stepCount", totals: [(start(day), start(day + 1), value)],
            at: start(day + 1) + seconds)
    }

    @Test("differences, shares and the worst days are those of the two numbers")
    func numbers() throws {
        for (day, value) in [1000.0, 1005, 980, 1250].enumerated() { try send(value, day: day) }
        let found = try comparison()
        #expect(found.unit == "count" && found.incompleteDays == 0)
        #expect(found.days.map(\.apple) == [1000, 1005, 980, 1250])
        #expect(found.days.map(\.own) == [1000, 1000, 1000, 1000])
        #expect(found.days.map(\.start) == [start(0), start(1), start(2), start(3)])
        let differences = [0, -5.0 / 1005, 20.0 / 980, -0.2]
        #expect(found.days.map(\.difference) == differences)
        #expect(found.share(within: 0.005) == 0.5)
        #expect(found.share(within: 0.03) == 0.75)
        let mean = try #require(found.meanDifference)
        #expect(abs(mean - (5.0 / 1005 + 20.0 / 980 + 0.2) / 4) < 1e-12)
        #expect(found.worstDifference == -0.2)
        #expect(found.worst(2).map(\.apple) == [1250, 980])
        // Days that agree aren't among the worst.
        #expect(found.worst(10).count == 3)
    }

    @Test("a total that may still grow is not compared")
    func provisional() throws {
        try send(1000, day: 0, after: Self.day - 1)
        try send(1000, day: 1, after: Self.day)
        #expect(try comparison().days.map(\.start) == [start(1)])
    }

    @Test("days after the last export are counted but not compared")
    func incomplete() throws {
        let day = Int((Self.exported - Self.first) / Self.day)
        try send(1000, day: day)
        try send(1000, day: 3)
        let found = try comparison()
        #expect(found.days.map(\.start) == [start(3)] && found.incompleteDays == 1)
    }

    @Test("hours that leave out the night are a whole day once they were sent again")
    func hours() throws {
        func hours(_ day: Int, _ value: Double) -> [(start: Double, end: Double, value: Double)] {
            [9, 10, 11].map { hour in
                (start(day) + hour * 3600, start(day) + (hour + 1) * 3600, value)
            }
        }
        // Each day is sent on the same day, and the last one not again.
        for day in 0..<4 {
            try phone.send("stepCount", totals: hours(day, 300), at: start(day + 1) - 3600)
        }
        #expect(try comparison().days.isEmpty)
        let week = (0..<3).flatMap { hours($0, 350) }
        try phone.send("stepCount", totals: week, at: start(5))
        // The first day of the series may have begun before the automation.
        #expect(try comparison().days.map(\.start) == [start(1), start(2)])
        #expect(try comparison().days.map(\.apple) == [1050, 1050])
    }

    @Test("a day without recorded samples differs by the whole total")
    func empty() throws {
        try send(500, day: 20)
        #expect(try comparison().days.map(\.difference) == [-1])
        #expect(try phone.store.totalsComparison(of: .named("heartRate"), in: utc) == nil)
        #expect(try phone.store.totalsComparison(of: .named("flightsClimbed"), in: utc) == nil)
    }

    @Test("the range, types and stamp of totals follow what arrives")
    func presence() throws {
        #expect(try phone.store.typesWithReceivedTotals().isEmpty)
        #expect(try phone.store.receivedTotalsExtent(of: steps) == nil)
        #expect(try phone.store.receivedTotalsStamp().isEmpty)
        try send(1000, day: 3)
        let one = try phone.store.receivedTotalsStamp()
        try phone.send(
            "stepCount", totals: [(start(4), start(4) + 3600, 7)], at: start(5))
        #expect(try phone.store.receivedTotalsStamp() != one && !one.isEmpty)
        try phone.send("flightsClimbed", totals: [(start(1), start(2), 7)], at: start(5))
        let types = try phone.store.typesWithReceivedTotals()
        #expect(types.map(\.name) == ["flightsClimbed", "stepCount"])
        let extent = try #require(try phone.store.receivedTotalsExtent(of: steps))
        #expect(extent.start == start(3) && extent.end == start(4) + 3600)
        let unchanged = try phone.store.receivedTotalsStamp()
        #expect(try phone.store.receivedTotalsStamp() == unchanged)
    }
}
