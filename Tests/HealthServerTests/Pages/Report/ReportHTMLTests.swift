import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import Testing

@testable import HealthServer

extension PageExamples {
    /// A report with all sections.
    static var report: ReportPage {
        let last = day
        let days = ago(89)...last
        func section(
            _ kind: ReportPage.Kind, _ metric: Metric, _ low: Double, _ high: Double,
            missing: Set<Int> = []
        ) -> ReportPage.Section {
            let points = series(metric, low, high, days: 180, missing: missing).points
            let values = ReportDays(points, of: metric, in: days, calendar)
            var section = ReportPage.Section(kind, values)
            section.measures = [values.measure].compactMap(\.self)
            section.sources = ["Watch", "iPhone"]
            return section
        }
        var pressure = section(
            .bloodPressure, Metric(name: "bloodPressureSystolic") ?? .heartRate, 112, 146)
        pressure.measures +=
            section(
                .bloodPressure, Metric(name: "bloodPressureDiastolic") ?? .heartRate, 70, 92
            ).measures
        pressure.pressures = .init(
            pairs: 90, morning: .init(pairs: 50, systolic: 126, diastolic: 80), evening: nil)
        var glucose = section(.glucose, Metric(name: "bloodGlucose") ?? .heartRate, 80, 190)
        glucose.glucose = .init(readings: 1_024, below: 31, inRange: 737, above: 256)
        let sections: [ReportPage.Section] = [
            section(.restingHeartRate, .restingHeartRate, 52, 60, missing: Set(100...112)),
            pressure, section(.weight, .weight, 72, 74), section(.sleep, .sleep, 20_000, 30_000),
            section(.activity, .steps, 2_000, 14_000), glucose,
            .init(
                kind: .electrocardiograms,
                counts: [
                    .init(name: "Sinus Rhythm", count: 10), .init(name: nil, count: 2),
                ], days: 12, sources: ["Watch"]),
            .init(
                kind: .medications,
                counts: [.init(name: "Metformin", count: 90, taken: 88, skipped: 2)], days: 90,
                sources: ["Health"]),
        ]
        return ReportPage(
            freshness: freshness, timeZone: zone, first: days.lowerBound, last: last,
            words: "I often feel tired.\nSince March I sleep less.", sections: sections,
            sentence: ReportPage.sentence(days, sections))
    }
}

@Suite struct ReportHTMLTests {
    @Test("the words come first, then the sections in their order, then the method")
    func order() throws {
        let markup = try Markup(PageExamples.report.html(PageFrame(formKey: "key")))
        #expect(
            markup.all("h2").map(\.text)
                == [ReportPage.wordsTitle] + ReportPage.Kind.allCases.map(\.title))
        #expect(markup.all("h1").map(\.text) == ["Report"])
        let footer = try #require(
            markup.all("footer").first { $0.attributes["class"] == "report small" })
        for words in [
            "without double counting", "10th to the 90th percentile", "Europe/Berlin",
            "OpenHealthKit \(ProgramVersion.text)", "not a diagnosis", "Sun 10 Mar 2024, 07:42",
        ] {
            #expect(footer.text.contains(words), "\(words)")
        }
    }

    @Test("a report of a year has all its sections in less than 80 kB")
    func size() throws {
        var page = PageExamples.report
        page.words = String(repeating: "<", count: 1_000)
        for index in page.sections.indices {
            page.sections[index].sources = (0..<30).map {
                String(repeating: "&", count: 58) + "\($0)"
            }
        }
        #expect(page.html(PageFrame()).utf8.count < 80_000)
    }

    @Test("a chart has a title and a description, and no table")
    func charts() throws {
        let markup = try Markup(PageExamples.report.html(PageFrame()))
        let drawings = markup.all("svg").filter { $0.attributes["role"] == "img" }
        #expect(drawings.count == 6)
        #expect(markup.all("table").isEmpty)
        let titles = markup.all("title").map(\.text)
        #expect(titles.contains("Systolic, with a band down to diastolic, by day"))
        #expect(titles.contains("Steps by day"))
        #expect(
            markup.all("desc").contains {
                $0.text.hasPrefix("77 of 90 days have data, from ") && $0.text.hasSuffix(" bpm.")
            })
    }

    @Test("names and words with markup stay text")
    func hostileNames() throws {
        var page = PageExamples.report
        let bad = PageExamples.hostile
        page.words = bad
        page.program = bad
        for index in page.sections.indices {
            page.sections[index].sources = [bad]
            for count in page.sections[index].counts.indices {
                page.sections[index].counts[count].name = bad
            }
        }
        for html in [page.html(PageFrame()), Self.withoutStyle(page.document())] {
            #expect(!html.contains("<script>alert"))
            #expect(html.contains("<bdi>&lt;script&gt;alert(1)"))
            let markup = try Markup(html)
            #expect(markup.all("h2").count == 9)
        }
    }

    @Test("the document for a file has its style inside, and no link, form or script")
    func document() throws {
        let document = PageExamples.report.document()
        #expect(document.contains(Stylesheet.text))
        let markup = try Markup(Self.withoutStyle(document))
        for name in ["a", "link", "form", "input", "textarea", "script", "details", "nav"] {
            #expect(markup.all(name).isEmpty, "\(name)")
        }
        #expect(markup.all("h2").count == 9 && markup.all("footer").count == 1)
        for element in markup.elements {
            #expect(element.attributes["href"] == nil && element.attributes["src"] == nil)
        }
        let policy = markup.all("meta").first {
            $0.attributes["http-equiv"] == "Content-Security-Policy"
        }
        #expect(policy?.attributes["content"]?.hasPrefix("default-src 'none'") == true)
    }

    @Test("the form has the period and the words, and the command is only for the owner")
    func form() throws {
        let page = PageExamples.report
        let html = page.html(PageFrame(audience: .owner(commandOptions: " --as Anna")))
        let markup = try Markup(html)
        let form = try #require(markup.all("form").first)
        #expect(form.attributes["action"] == "/report" && form.attributes["method"] == "get")
        #expect(markup.all("textarea").first?.text == page.words)
        let values = markup.all("input").compactMap { $0.attributes["value"] }
        #expect(values == ["2023-12-11", "2024-03-09"])
        let command = "openhealth report --from 2023-12-11 --to 2024-03-09 --out report.html"
        #expect(html.contains("\(command) --as Anna"))
        #expect(!page.html(PageFrame(audience: .person)).contains("openhealth report"))
    }

    @Test("many gaps, sources and names are cut to what fits, and the rest is counted")
    func many() throws {
        var page = PageExamples.report
        page.sections[0].gaps = (0..<10).map { number in
            let first = PageExamples.ago(100 - number * 10)
            return .init(first: first, last: first.advanced(by: 6 + number % 3))
        }
        page.sections[0].sources = (1...9).map { "App \($0)" }
        page.sections[7].counts = (1...15).map { .init(name: "M\($0)", count: 20 - $0) }
        let gaps = try page.value("Gaps of 7 days or more", of: .restingHeartRate)
        #expect(gaps.hasSuffix(" and 6 more"))
        #expect(gaps.split(separator: ", ").count == 4)
        #expect(
            try page.value("Sources", of: .restingHeartRate)
                == "App 1, App 2, App 3, App 4 and 5 more")
        let facts = page.facts(of: page.sections[7])
        #expect(facts.contains { $0.label == .name("M12") })
        #expect(!facts.contains { $0.label == .name("M13") })
        #expect(try page.value("And", of: .medications) == "3 more, with fewer")
    }

    @Test("a report is read back from its JSON")
    func json() throws {
        let page = PageExamples.report
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        #expect(try decoder.decode(ReportPage.self, from: page.json()) == page)
    }

    private static func withoutStyle(_ document: String) -> String {
        guard let start = document.range(of: "<style>"),
            let end = document.range(of: "</style>")
        else { return document }
        return document.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
    }
}
