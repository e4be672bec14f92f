import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage
import OpenHealthKit
import Testing

@testable import HealthServer

@Suite("What the page of a type shows besides its chart")
struct TypeDetailsTests {
    private let march = CivilDate(2024, 3, 1)...CivilDate(2024, 3, 31)

    private func details(
        _ file: ReportStore, _ name: String, _ days: ClosedRange<CivilDate>? = nil
    ) throws -> Markup {
        let type = try #require(Catalogue.type(named: name))
        let html = TypeDetails(
            store: try file.open(), type: type, days: days ?? march,
            calendar: .gregorian(in: .gmt)
        ).html
        return try Markup("<div>\(html.markup)</div>")
    }

    /// The texts of a table's rows.
    private func rows(_ markup: Markup) -> [String] { markup.all("tr").map(\.text) }

    /// The names of a chart's rows, from top to bottom.
    private func lanes(_ markup: Markup) -> [String] {
        markup.all("text").filter { $0.attributes["class"] == "lane" }.map(\.text)
    }

    @Test("a symptom has a row for each severity, the strongest first, and its absence last")
    func symptom() throws {
        let file = try ReportStore()
        for (day, severity) in [(1, 4.0), (2, 2), (2, 3), (3, 1), (4, 2)] {
            try file.add("headache", day, 9, value: severity)
        }
        try file.add("nausea", 4, 10, value: 2)
        try file.add("nausea", 60, 10, value: 2)
        try file.add("fatigue", 60, 10, value: 2)
        try file.write()
        let markup = try details(file, "headache")
        #expect(lanes(markup) == ["Severe", "Moderate", "Mild", "Not present"])
        let links = markup.all("a").compactMap { $0.attributes["href"] }
        #expect(links.contains("/type/headache?period=day&day=2024-03-02"))
        let marks = markup.all("rect").filter { $0.attributes["class"] == "pair" }
        #expect(marks.count == 4)
        #expect(markup.all("rect").filter { $0.attributes["class"] == "usual-key" }.count == 1)
        #expect(
            markup.all("desc").first?.text.hasPrefix("Severe on 1 day, moderate on 1 day") == true)
        let rows = rows(markup)
        #expect(rows.contains("Mild22") && rows.contains("Nausea1"))
        #expect(!rows.contains { $0.hasPrefix("Fatigue") })
    }

    @Test("the cycle has its flow, spotting and positive tests, and the lengths of cycles")
    func cycle() throws {
        let file = try ReportStore()
        for (day, flow, isStart) in [
            (0, 4.0, true), (1, 3, false), (2, 2, false), (3, 5, false), (28, 3, true),
            (29, 2, false),
        ] {
            try file.add(
                "menstrualFlow", day, 0, value: flow, hours: 24,
                metadata: ["HKMenstrualCycleStart": .number(isStart ? 1 : 0)])
        }
        try file.add("intermenstrualBleeding", 14, 0, value: 0)
        try file.add("ovulationTestResult", 13, 8, value: 1)
        try file.add("ovulationTestResult", 15, 8, value: 2)
        try file.write()
        let markup = try details(file, "menstrualFlow")
        #expect(
            lanes(markup) == ["Heavy", "Medium", "Light", "None", "Spotting", "Ovulation test"])
        let marks = markup.all("rect").filter { $0.attributes["class"] == "pair" }
        #expect(marks.count == 5 + 1 + 1)
        let text = markup.all("p").map(\.text).joined()
        #expect(text.contains("1 complete cycle in two years: median 28 days, 28 to 28."))
        let rows = rows(markup)
        #expect(rows.contains { $0.hasPrefix("Fri 1 Mar 2024328") })
        #expect(rows.contains { $0.hasPrefix("Fri 29 Mar 20242–") })
    }

    @Test("states of mind have a row for each class, and counts of feelings and associations")
    func stateOfMind() throws {
        let file = try ReportStore()
        func add(_ day: Int, _ valence: Double, _ labels: [Double], _ associations: [Double]) throws
        {
            try file.add(
                "stateOfMind", day, 20,
                detail: .numbers(
                    Dictionary([
                        .kind: [2], .valence: [valence], .labels: labels,
                        .associations: associations,
                    ])))
        }
        try add(2, 0.9, [17, 21], [5])
        try add(3, -0.5, [29], [17, 15])
        try add(4, 0.85, [17, 99], [5])
        try file.write()
        let markup = try details(file, "stateOfMind")
        #expect(lanes(markup) == ["Very pleasant", "Unpleasant"])
        let rows = rows(markup)
        for row in [
            "Happy2", "Joyful1", "Stressed1", "Value 991", "Family2", "Work1", "Daily mood3",
        ] {
            #expect(rows.contains(row), "\(row)")
        }
    }

    @Test("a range of more than 100 days has a mark for each month, as high as its share of days")
    func long() throws {
        let file = try ReportStore()
        for day in [1, 2, 2, 40] { try file.add("headache", day, 9, value: 4) }
        try file.write()
        let markup = try details(file, "headache", CivilDate(2023, 1, 1)...CivilDate(2024, 12, 31))
        #expect(lanes(markup) == ["Severe"])
        #expect(rows(markup).contains("Severe43"))
        #expect(rows(markup).contains("March 2024Severe on 2 days"))
        let heights = markup.all("rect").filter { $0.attributes["class"] == "pair" }
            .compactMap { $0.attributes["height"] }
        // Two of March's 31 days, and one of April's 30, which is drawn at least two pixels high.
        #expect(heights == ["2", "2"])
        let centuries = CivilDate(1900, 1, 1)...CivilDate(2024, 12, 31)
        #expect(lanes(try details(file, "headache", centuries)).isEmpty)
    }

    @Test("days without samples, and unknown values, are shown as what they are")
    func unknown() throws {
        let file = try ReportStore()
        try file.add("headache", 1, 9, value: 77)
        try file.write()
        #expect(lanes(try details(file, "headache")) == ["Value 77"])
        let april = CivilDate(2024, 4, 1)...CivilDate(2024, 4, 30)
        #expect(try details(file, "headache", april).all("section").isEmpty)
    }
}
