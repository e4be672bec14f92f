import Foundation
import HealthDashboard
import HealthEngine
import Testing

@testable import HealthServer

@Suite struct PageHTMLTests {
    @Test("every page is well-formed, small, and has its sentence before its numbers")
    func pages() throws {
        for (name, html) in PageExamples.all {
            let markup = try Markup(html)
            #expect(html.utf8.count <= 150_000, "\(name): \(html.utf8.count) bytes")
            #expect(markup.all("h1").count == 1, "\(name)")
            let response = try #require(
                markup.elements.firstIndex { $0.attributes["class"] == "answer" }, "\(name)")
            let chart = markup.elements.firstIndex { $0.name == "figure" }
            if let chart { #expect(response < chart, "\(name)") }
        }
    }

    @Test("no page holds a style, a script or an address of its own")
    func contentPolicy() throws {
        for (name, html) in PageExamples.all {
            for element in try Markup(html).elements {
                #expect(element.attributes["style"] == nil, "\(name)")
                #expect(element.name != "style", "\(name)")
                if element.name == "script" { #expect(element.text.isEmpty, "\(name)") }
                for (key, value) in element.attributes {
                    #expect(!key.hasPrefix("on"), "\(name): \(key)")
                    if ["href", "src", "action"].contains(key) {
                        #expect(
                            value.hasPrefix("/") && !value.hasPrefix("//") || value == "data:,"
                                || value == "#main", "\(name): \(value)")
                    }
                }
            }
        }
    }

    @Test("each drawing has a title, a sentence and its values as a table")
    func drawings() throws {
        for (name, html) in PageExamples.all {
            let markup = try Markup(html)
            for (index, element) in markup.elements.enumerated()
            where element.name == "svg" && element.attributes["role"] == "img" {
                #expect(markup.elements[index + 1].name == "title", "\(name)")
                #expect(markup.elements[index + 2].name == "desc", "\(name)")
                #expect(!markup.elements[index + 2].text.isEmpty, "\(name)")
            }
        }
    }

    @Test("names with markup and bidirectional controls stay text on every page")
    func hostileNames() throws {
        let bad = PageExamples.hostile
        var today = PageExamples.today
        today.sentence = bad
        today.steps?.shares[0].source = bad
        today.workouts[0].source = bad
        today.workouts[0].activity = bad
        var why = PageExamples.why
        why.sources[0].source = bad
        why.excluded[0].source = bad
        why.name = bad
        var sleep = PageExamples.sleep
        sleep.chosen?.parts[0].source = bad
        sleep.chosen?.mergedIntervals[0].source = bad
        var weight = PageExamples.weight
        weight.measured[0].source = bad
        weight.notes[0].text = bad
        var checkUp = PageExamples.checkUp
        checkUp.findings[0].sentence = bad
        checkUp.findings[0].link = "javascript:alert(1)"
        var data = PageExamples.data
        data.sources[0].name = bad
        data.imports[0].file = bad
        let frame = PageFrame()
        for html in [
            today.html(frame), why.html(frame), sleep.html(frame), weight.html(frame),
            checkUp.html(frame), data.html(frame),
        ] {
            let markup = try Markup(html)
            #expect(markup.all("script").count == 1)
            #expect(!html.contains("<script>alert"))
            #expect(!html.contains("javascript:"))
            #expect(html.contains("&lt;script&gt;alert(1)"))
        }
    }

    @Test("the five states have different texts")
    func states() {
        let frame = PageFrame()
        var page = PageExamples.weight
        let now = page.freshness.asOf
        #expect(page.html(frame).contains(">Read Sun 10 Mar 2024, 07:42<"))
        page.freshness.newest = CivilDate(2024, 3, 10)
        var old = page
        old.freshness.isCurrent = false
        let fresh = frame.html(.fresh(page, asOf: now))
        #expect(fresh.contains("Up to date, Sun 10 Mar 2024, 07:42"))
        let cached = frame.html(.cached(old, asOf: now))
        #expect(cached.contains("As of Sun 10 Mar 2024, 07:42, <b>refreshing</b>"))
        #expect(
            frame.html(ViewState<WeightPage>.loading).contains("openhealth import export.zip"))
        let empty = frame.html(ViewState<WeightPage>.empty(asOf: now))
        #expect(empty.contains("Either nothing was recorded, or reading is not allowed"))
        let locked = frame.html(ViewState.unavailable(.locked, last: page, asOf: now))
        #expect(locked.contains("The device is locked.") && locked.contains("72.4 kg"))
        // A page that can't be refreshed is never called up to date, whatever its content says.
        #expect(!locked.contains("Up to date") && locked.contains("<b>not updated</b>"))
        #expect(!frame.html(.cached(page, asOf: now)).contains("Up to date"))
        let failed = frame.html(
            ViewState<WeightPage>.unavailable(.failed("The disk is full."), last: nil, asOf: nil))
        #expect(failed.contains("The disk is full."))
    }
}
