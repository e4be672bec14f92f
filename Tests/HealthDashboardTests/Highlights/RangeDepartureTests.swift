import Foundation
import HealthEngine
import HealthSimulator
import HealthTesting
import Testing

@testable import HealthDashboard

@Suite struct RangeDepartureTests {
    /// Four weeks of values from 50 to 59, whose typical range is 50.7 to 58.3.
    private let usual = (0..<28).map { Double(50 + $0 * 7 % 10) }

    private func departures(_ after: [Double?]) -> [RangeDeparture] {
        RangeDeparture.all(in: usual + after, resolution: 1)
    }

    @Test("three days far above the range are a departure, two aren't")
    func length() {
        #expect(departures([70, 70, 70]).map(\.days) == [28..<31])
        #expect(departures([70, 70, 70]).map(\.side) == [.above])
        #expect(departures([70, 70]).isEmpty)
        #expect(departures([38, 38, 38]).map(\.side) == [.below])
    }

    @Test("each day is beyond the range by a quarter of its width")
    func quarter() throws {
        let range = try #require(TypicalRange(of: usual))
        let edge = range.high + (range.high - range.low) / 4
        #expect(departures([edge, 80, 80]).count == 1)
        #expect(departures([edge - 0.01, 80, 80]).isEmpty)
        #expect(departures([edge, edge, edge, edge, edge]).count == 1)
        // Fewer than five days are further out on average.
        #expect(departures([edge, edge, edge, edge]).isEmpty)
    }

    @Test("a day without data, or on the other side, ends a departure")
    func interruptions() {
        #expect(departures([70, 70, nil, 70, 70]).isEmpty)
        #expect(departures([70, 70, 38, 70, 70]).isEmpty)
        #expect(departures([70, 70, .nan, 70]).isEmpty)
        #expect(departures([70, 70, 70, nil, 70]).map(\.days) == [28..<31])
    }

    @Test("at least 14 of the 28 days before have data")
    func minimumData() {
        let sparse = usual.enumerated().map { $0.offset % 2 == 0 ? $0.element : nil }
        #expect(RangeDeparture.all(in: sparse + [80, 80, 80], resolution: 1).count == 1)
        var thirteen = sparse
        thirteen[0] = nil
        #expect(RangeDeparture.all(in: thirteen + [80, 80, 80], resolution: 1).isEmpty)
        #expect(RangeDeparture.all(in: [80, 80, 80], resolution: 1).isEmpty)
        #expect(RangeDeparture.all(in: [], resolution: 1).isEmpty)
    }

    @Test("values that are always the same depart only by what is shown")
    func constant() {
        let same = [Double?](repeating: 60, count: 28)
        #expect(RangeDeparture.all(in: same + [60.4, 60.4, 60.4], resolution: 1).isEmpty)
        #expect(RangeDeparture.all(in: same + [61, 61, 61], resolution: 1).count == 1)
    }

    @Test("a long departure is one, and the days after it are compared with it")
    func long() {
        let found = departures([Double](repeating: 70, count: 60).map { $0 })
        #expect(found.first?.days == 28..<88 && found.count == 1)
    }

    /// The resting heart rates of a year, one for each day with a record.
    private func restingHeartRates(seed: UInt64) throws -> [Double?] {
        var person = SimulatedPerson(seed: seed, records: 10_000)
        person.days = 365
        let simulation = try Simulation(person)
        let code = try #require(
            Catalogue.type(identifier: Metric.restingHeartRate.identifier)
        ).code
        var values: [Int: Double] = [:]
        for batch in simulation.batches {
            for sample in batch.samples where sample.type == code {
                values[Int(clamping: (sample.start / 86_400).rounded(.down))] = sample.value
            }
        }
        let days = values.keys.sorted()
        guard let first = days.first, let last = days.last else { return [] }
        return (first...last).map { values[$0] }
    }

    @Test("six days of 4 beats above the range are always found, in any simulated year")
    func planted() throws {
        for seed in 1...TestTier.count(quick: 2, all: 4, torture: 40) {
            var values = try restingHeartRates(seed: UInt64(seed))
            let day = 60 + seed * 7
            let before = values[(day - 28)..<day].compactMap(\.self)
            let range = try #require(TypicalRange(of: before))
            for index in day..<(day + 6) { values[index] = range.high + 4 }
            let found = RangeDeparture.all(in: values, resolution: 1)
            #expect(
                found.contains { $0.side == .above && $0.days.contains(day + 5) }, "seed \(seed)")
        }
    }

    @Test("unchanged years have at most a third of a departure on average, rarely two")
    func unchanged() throws {
        let years = TestTier.count(quick: 3, all: 8, torture: 100)
        let counts = try (0..<years).map { year in
            RangeDeparture.all(
                in: try restingHeartRates(seed: UInt64(101 + year)), resolution: 1
            ).count
        }
        #expect(counts.reduce(0, +) <= max(3, years * 3 / 10), "\(counts)")
        #expect(counts.count { $0 > 1 } <= 2, "\(counts)")
    }
}
