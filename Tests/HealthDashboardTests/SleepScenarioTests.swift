import Foundation
import HealthDashboard
import HealthEngine
import Testing

/// The scenarios under Tests/Scenarios/nights. Adding one needs no Swift.
@Suite("the nights of Tests/Scenarios are what their files expect")
struct SleepScenarioTests {
    @Test("nights and merged intervals equal the expected ones", arguments: try SleepScenario.all())
    func nights(_ scenario: SleepScenario) throws {
        let result = SleepNights(
            try scenario.records(), sources: scenario.sources, rules: try scenario.rules())
        #expect(result.nights.map(\.morning.description) == scenario.nights.map(\.morning))
        for (night, expected) in zip(result.nights, scenario.nights) {
            #expect(night.interval.start == (try scenario.time(expected.from)))
            #expect(night.interval.end == (try scenario.time(expected.to)))
            #expect((night.asleep.map(clock) ?? "–") == expected.asleep)
            if let inBed = expected.inBed { #expect(night.inBed.map(clock) == inBed) }
            if let mergedIntervals = expected.mergedIntervals {
                #expect(night.mergedIntervals == (try scenario.mergedIntervals(mergedIntervals)))
            }
            if let naps = expected.naps {
                #expect(night.naps == (try naps.map(scenario.mergedIntervals)))
            }
            if let parts = expected.parts {
                let actual = night.parts.map { part in
                    [part.source, clock(part.recorded), clock(part.counted)]
                        + [part.reason].compactMap(\.self)
                }
                #expect(actual == parts)
            }
        }
        var skipped = SleepNights.Skipped()
        skipped.unknownStage = scenario.skipped?["unknownStage"] ?? 0
        skipped.unknownSource = scenario.skipped?["unknownSource"] ?? 0
        skipped.malformed = scenario.skipped?["malformed"] ?? 0
        skipped.instants = scenario.skipped?["instants"] ?? 0
        skipped.overlong = scenario.skipped?["overlong"] ?? 0
        skipped.notBegun = scenario.skipped?["notBegun"] ?? 0
        #expect(result.skipped == skipped)
    }

    @Test("there are enough scenarios")
    func count() throws {
        #expect(try SleepScenario.all().count >= 20)
    }

    @Test("the order of the records does not change the nights", arguments: try SleepScenario.all())
    func order(_ scenario: SleepScenario) throws {
        let records = try scenario.records()
        let rules = try scenario.rules()
        let actual = SleepNights(records, sources: scenario.sources, rules: rules)
        let back = SleepNights(records.reversed(), sources: scenario.sources, rules: rules)
        #expect(actual == back)
    }

    @Test("nights round-trip through JSON")
    func coding() throws {
        for scenario in try SleepScenario.all() {
            let result = SleepNights(
                try scenario.records(), sources: scenario.sources, rules: try scenario.rules())
            let data = try JSONEncoder().encode(result)
            #expect(try JSONDecoder().decode(SleepNights.self, from: data) == result)
        }
    }

    private func clock(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        return "\(minutes / 60):" + (minutes % 60 < 10 ? "0" : "") + "\(minutes % 60)"
    }
}
