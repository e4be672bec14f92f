import Foundation
import HealthDashboard
import HealthEngine
import Testing

@testable import HealthServer

@Suite struct SVGSourceTimelineTests {
    @Test(
        "counted intervals have the rank's colour, duplicates are hatched, and totals follow"
    )
    func sources() throws {
        let page = PageExamples.why
        let markup = try Markup(
            SVGSourceTimeline(page: page, calendar: PageExamples.calendar).figure.markup)
        func count(_ kind: String) -> Int {
            markup.elements.filter {
                $0.attributes["class"] == kind && $0.attributes["width"] != "11"
            }.count
        }
        // Each counted span is drawn in its row and again in the merged row.
        #expect(count("s1") == 2 * page.sources[0].counted.count)
        #expect(count("s2") == 2 * page.sources[1].counted.count)
        #expect(count("aside") == page.sources.reduce(0) { $0 + $1.recorded.count })
        let sums = markup.all("text").map(\.text)
        for text in ["6,120", "2,094", "5,377", "8,214"] { #expect(sums.contains(text)) }
    }

    @Test("a day of a sample a second is drawn with at most two thousand marks")
    func manySpans() {
        let start = PageExamples.time(PageExamples.day, 0)
        let spans = (0..<86_400).map {
            (
                start: start.addingTimeInterval(Double($0)),
                end: start.addingTimeInterval(Double($0) + 0.5)
            )
        }
        let day = DateInterval(start: start, duration: 86_400)
        let joined = SVGSourceTimeline.coalesced(spans, within: day)
        #expect(joined.count == 1)
        let sparse = spans.enumerated().filter { $0.offset % 50 == 0 }.map(\.element)
        #expect(SVGSourceTimeline.coalesced(sparse, within: day).count <= 2000)
    }

    @Test("a night's chart has the duration of each stage beside its row")
    func night() throws {
        let night = PageExamples.night()
        let markup = try Markup(
            SVGNight(night: night, calendar: PageExamples.calendar).figure.markup)
        let words = markup.all("text").map(\.text)
        for stage in [SleepStage.deep, .core, .rem, .awake, .asleep] {
            #expect(words.contains(NumberText.hours(night.seconds(stage))))
        }
    }

    @Test("a route is drawn with gaps for pauses; a single location is none")
    func route() throws {
        var places = PageExamples.detail.route
        for index in 400..<places.count { places[index].time.addTimeInterval(600) }
        let figure = try #require(SVGRoute(route: places, calendar: PageExamples.calendar).figure)
        let way = try #require(
            Markup(figure.markup).elements.first { $0.attributes["class"] == "way" }?.attributes[
                "d"])
        #expect(way.count { $0 == "M" } == 2)
        #expect(way.count { "ML".contains($0) } <= 640)
        let one = SVGRoute(route: [places[0]], calendar: PageExamples.calendar).figure
        #expect(one == nil)
    }
}

@Suite struct SVGSharesTests {
    @Test("the shares of the sources add up to the total")
    func addsUp() {
        let total = DayTotal(
            metric: .steps, day: CivilDate(2024, 3, 10),
            interval: DateInterval(
                start: Date(timeIntervalSinceReferenceDate: 0), duration: 86_400),
            value: 10.2,
            shares: [
                .init(source: "Watch", rank: 1, counted: 3.4, duplicate: 0),
                .init(source: "Phone", rank: 2, counted: 3.4, duplicate: 1.4),
                .init(source: "Band", rank: 3, counted: 3.4, duplicate: 1.4),
            ])
        let text = SVGShares(total: total).figure.markup
        #expect(
            text.contains(
                "10 steps without double counting: Watch 4, Phone 3, Band 3; 3 duplicates"))
        #expect(text.contains("<bdi>Watch</bdi> <b>4</b>"))
        #expect(text.contains("<bdi>Phone</bdi> <b>3</b>"))
    }
}
