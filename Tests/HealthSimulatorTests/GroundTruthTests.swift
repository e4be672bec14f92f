import Foundation
import HealthEngine
import HealthTesting
import Testing

@testable import HealthSimulator

@Suite struct GroundTruthTests {
    /// Returns the steps of each home day, counted minute by minute with Foundation's calendar.
    /// `divided` has the steps of minutes that contain the end of a home day, which may count on
    /// either side.
    private func countedByMinute(
        _ simulation: Simulation
    ) throws -> (days: [String: Int], divided: [String: Int]) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: simulation.person.homeTimeZone))
        func date(_ time: Int) throws -> String {
            let instant = Date(timeIntervalSinceReferenceDate: Double(time))
            let parts = calendar.dateComponents([.year, .month, .day], from: instant)
            return try CivilDate(
                #require(parts.year), #require(parts.month), #require(parts.day)
            ).description
        }
        var days: [String: Int] = [:]
        var divided: [String: Int] = [:]
        for localDay in 0..<simulation.calendar.count {
            for walk in simulation.plan(localDay).walks {
                for (minute, steps) in walk.cadence.enumerated() {
                    let first = try date(walk.start + minute * 60)
                    let last = try date(walk.start + minute * 60 + 59)
                    days[first, default: 0] += steps
                    guard first != last else { continue }
                    divided[first, default: 0] += steps
                    divided[last, default: 0] += steps
                }
            }
        }
        return (days, divided)
    }

    @Test(
        "each day's truth is the count of its minutes, but for a minute in which the day ends",
        arguments: [
            "America/New_York", "Europe/Berlin", "Asia/Tokyo", "Pacific/Auckland",
        ].prefix(TestTier.current == .quick ? 1 : 4))
    func independentCount(zone: String) throws {
        let simulation = try Simulation.unfilled(
            SimulatedPerson(seed: 5, years: 1, records: 15_000, homeTimeZone: zone))
        let (counted, divided) = try countedByMinute(simulation)
        let truth = simulation.groundTruth
        #expect(truth.days.count == 365)
        for day in truth.days {
            let difference = abs(day.steps - counted[day.date, default: 0])
            #expect(difference <= divided[day.date, default: 0], "\(day.date)")
        }
        let total = truth.days.reduce(0) { $0 + $1.steps }
        #expect(total == counted.values.reduce(0, +))
    }

    @Test(
        "days of the truth follow each other without gap, from end minus years to the day before end"
    )
    func dates() throws {
        let simulation = try Simulation.unfilled(
            SimulatedPerson(years: 4, records: 40_000, end: CivilDate(2024, 3, 1)))
        let dates = simulation.groundTruth.days.map(\.date)
        #expect(dates.first == "2020-03-01")
        #expect(dates.last == "2024-02-29")
        #expect(dates.count == 1461)
        #expect(Set(dates).count == dates.count)
        #expect(dates == dates.sorted())
    }

    @Test("no two walks of a person overlap, also around flights")
    func oneBody() throws {
        for zone in ["America/New_York", "Asia/Tokyo", "Pacific/Auckland"] {
            let simulation = try Simulation.unfilled(
                SimulatedPerson(seed: 2, years: 2, records: 30_000, homeTimeZone: zone))
            var last = Int.min
            for day in 0..<simulation.calendar.count {
                for walk in simulation.plan(day).walks {
                    #expect(walk.start >= last, "\(zone), day \(day)")
                    last = walk.end
                }
            }
        }
    }

    /// Returns the naive sum, the merged sum and the true steps of each home day.
    private func sums(_ person: SimulatedPerson) throws -> [(
        naive: Double, merged: Double, truth: Double
    )] {
        let simulation = try Simulation.unfilled(person)
        var builder = BatchBuilder(sources: simulation.sources, firstKey: 1)
        for day in 0..<simulation.calendar.count {
            simulation.recordSteps(simulation.plan(day), into: &builder)
        }
        var batch = builder.batch
        batch.sort()
        let edges = simulation.calendar.homeMidnights.map(Double.init)
        let conversions = batch.origins.map { _ in UnitConversion?.some(.identity) }
        let statistics = batch.statistics(
            of: .cumulative, over: edges, conversions: conversions,
            order: SourceOrder(
                ranking: [Recorder.watch.rawValue, Recorder.phone.rawValue],
                excluded: [Recorder.dailyApp.rawValue]))
        var merged: [Double: Double] = [:]
        for bucket in statistics { merged[bucket.start] = bucket.merged.sum }
        var naive = [Double](repeating: 0, count: edges.count)
        var day = 0
        for sample in batch.samples {
            while day + 1 < edges.count, edges[day + 1] <= sample.start { day += 1 }
            naive[day] += sample.value
        }
        return simulation.groundTruth.days.enumerated().map { number, day in
            (naive[number], merged[edges[number]] ?? 0, Double(day.steps))
        }
    }

    @Test(
        "merged steps are within 3 % of the truth on 97 % of days; the sum is half too high on 75 %",
        arguments: 1...UInt64(TestTier.current == .quick ? 2 : 10))
    func acceptance(seed: UInt64) throws {
        let days = try sums(
            SimulatedPerson(
                seed: seed, years: 1, records: 66_000,
                dailyApp: seed.isMultiple(of: 2) ? .present : .absent))
        let close = days.count { abs($0.merged - $0.truth) <= 0.03 * $0.truth }
        #expect(Double(close) >= 0.97 * Double(days.count), "seed \(seed)")
        let far = days.count { $0.naive >= 1.5 * $0.truth }
        #expect(Double(far) >= 0.75 * Double(days.count), "seed \(seed)")
    }

    @Test(
        "within 3 % on 95.5 % of days over three and ten years, and where little is recorded",
        .inTestAll)
    func longer() throws {
        for (years, records) in [(3, 60_000), (10, 400_000), (3, 200_000)] {
            let days = try sums(SimulatedPerson(seed: 4, years: years, records: records))
            let close = days.count { abs($0.merged - $0.truth) <= 0.03 * $0.truth }
            #expect(Double(close) >= 0.955 * Double(days.count), "\(years) years")
        }
    }
}
