import Foundation
import HealthEngine
import HealthTesting
import Testing

/// The handwritten scenarios under Tests/Scenarios. Adding one needs no Swift.
@Suite("Scenarios")
struct ScenarioTests {
    static func scenarios(_ folder: String) throws -> [Scenario] {
        try Scenario.all(in: ProjectFiles.scenarios.appendingPathComponent(folder))
    }

    @Test("merge scenarios give their expected numbers", arguments: try scenarios("merge"))
    func merge(_ scenario: Scenario) {
        expectAgreement(scenario)
    }

    /// The boundaries come from the file. HealthStorage's tests check that a calendar yields the
    /// same ones.
    @Test("scenarios with local days", arguments: try scenarios("days"))
    func days(_ scenario: Scenario) {
        #expect(scenario.calendar != nil, "\(scenario.path): no “buckets” line")
        expectAgreement(scenario)
    }

    @Test("the day boundaries of scenarios equal those of Python's zoneinfo")
    func boundaries() throws {
        let known = Dictionary(
            try CalendarRequest.boundaries().map { ($0.request, $0.boundaries) },
            uniquingKeysWith: { a, _ in a })
        for scenario in try Self.scenarios("days") {
            let request = try #require(scenario.calendar)
            #expect(scenario.expectedBoundaries == known[request], "\(scenario.path)")
        }
    }

    @Test("the reference merge meets the same expectations")
    func slowMerge() throws {
        for scenario in try Self.scenarios("merge") + Self.scenarios("days") {
            let slow = ReferenceMerge(
                scenario.batch, conversions: scenario.conversions, order: scenario.order,
                rules: scenario.rules)
            let results =
                switch scenario.kind {
                case .quantity(let style):
                    slow.statistics(of: style, over: scenario.edges).map { ScenarioResult($0) }
                case .category: slow.categories(over: scenario.edges).map { ScenarioResult($0) }
                }
            for failure in scenario.failures(results) { Issue.record("\(failure)") }
            let timeline = slow.mergedIntervals().map {
                (Int32($0.source), $0.start, $0.end, $0.value)
            }
            for failure in scenario.failures(timeline: timeline) { Issue.record("\(failure)") }
        }
    }

    private func expectAgreement(_ scenario: Scenario) {
        var rules = scenario.rules
        rules.separation = .bySource
        let results: [ScenarioResult]
        switch scenario.kind {
        case .quantity(let style):
            results = scenario.batch.statistics(
                of: style, over: scenario.edges, conversions: scenario.conversions,
                order: scenario.order, rules: rules
            ).map { ScenarioResult($0) }
        case .category:
            results = scenario.batch.categoryStatistics(
                over: scenario.edges, order: scenario.order, rules: rules
            ).map { ScenarioResult($0) }
        }
        for failure in scenario.failures(results) { Issue.record("\(failure)") }
        let timeline = Timeline(
            scenario.batch, conversions: scenario.conversions, order: scenario.order, rules: rules)
        let mergedIntervals = timeline.mergedIntervals.map {
            ($0.source, $0.start, $0.end, $0.value)
        }
        for failure in scenario.failures(timeline: mergedIntervals) { Issue.record("\(failure)") }
    }

    @Test(
        "an invalid scenario file is reported with its line and reason",
        arguments: [
            ("sources A\nB 0 1 5\n---\n0 1 sum=5", "x.txt:2: no source is called “B”"),
            ("sources A\nA 0 one 5\n---\n0 1 sum=5", "x.txt:2: “one” is no number"),
            ("sources A\nA 0 2024-03-31T01:00 5\n---\n0 1 sum=5", "x.txt:2: “2024-03-31T01:00”"),
            ("sources A\nA 0 1\n---\n0 1 sum=5", "x.txt:2: the line ends too early"),
            ("sources A\nA 0 1 5\n0 1 sum=5", "x.txt:3: no source is called “0”"),
            ("sources A\nA 0 1 5\n", "x.txt:3: no line of dashes"),
            ("sources A\nA 0 1 5\n---\n# none", "x.txt:4: no expected bucket"),
            ("sources A\n---\n0 1 sum 5", "x.txt:3: expected NAME=NUMBER"),
        ])
    func unreadable(text: String, message: String) {
        let error = #expect(throws: ScenarioError.self) {
            try Scenario(text: text, path: "x.txt", name: "x")
        }
        #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
    }
}
