import Testing

@testable import HealthServer

@Suite("The headline of a page")
struct HeadlineTests {
    @Test("only the number that a value begins with is drawn large")
    func emphasis() {
        #expect(
            Headline.value("8,774 steps, Wednesday").html.markup
                == "<p class=\"answer\"><b>8,774</b> steps, Wednesday</p>")
        #expect(
            Headline.value("No steps").html.markup == "<p class=\"answer\">No steps</p>")
        #expect(
            Headline.sentence("90 days <all>").html.markup
                == "<p class=\"answer\">90 days &lt;all&gt;</p>")
        #expect(!Headline.value("No steps").hasValue && Headline.value("7:06 h").hasValue)
        #expect(!Headline.sentence("7:06 h").hasValue)
    }

    @Test("the parts of a total stand below it, smaller")
    func parts() {
        let html = Headline.value("5,214 steps. Watch 5,197 · iPhone 17.").html.markup
        #expect(html.contains("<b>5,214</b> steps</p>"))
        #expect(html.contains("<p class=\"parts\">Watch 5,197 · iPhone 17.</p>"))
    }
}
