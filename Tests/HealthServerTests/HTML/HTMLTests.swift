import Foundation
import HealthDashboard
import Testing

@testable import HealthServer

@Suite struct HTMLTests {
    @Test("text that is interpolated is escaped, in elements and attributes")
    func escaping() {
        let text = "<b a='1'>\"&amp;"
        let html: HTML = "<p title=\"\(text)\">\(text)</p>"
        let escaped = "&lt;b a=&#39;1&#39;&gt;&quot;&amp;amp;"
        #expect(html.markup == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test("markup within markup is not escaped again")
    func nesting() {
        let inner: HTML = "<i>\("<")</i>"
        let outer: HTML = "<p>\(inner)\([inner, inner])</p>"
        #expect(outer.markup == "<p><i>&lt;</i><i>&lt;</i><i>&lt;</i></p>")
    }

    @Test("control characters that HTML forbids are replaced")
    func controls() {
        let html: HTML = "\("a\u{0}b\u{1B}c\td")"
        #expect(html.markup == "a\u{FFFD}b\u{FFFD}c\td")
    }

    @Test("a name's direction doesn't affect the text around it")
    func direction() {
        let name = "\u{202E}gnp.exe\u{2069}"
        let element: HTML = "\(name: name)"
        #expect(element.markup == "<bdi>\u{202E}gnp.exe\u{2069}</bdi>")
        let attribute: HTML = "\(plain: name)"
        #expect(attribute.markup == "\u{2068}gnp.exe\u{2069}")
    }

    @Test(
        "lengths have two digits at most, and a number that is none is zero",
        arguments: [
            (1.0, "1"), (1.5, "1.5"), (33.333, "33.33"), (-0.05, "-0.05"), (2.999, "3"),
            (.nan, "0"), (.infinity, "0"), (0.1, "0.1"), (-12.0, "-12"),
        ])
    func lengths(value: Double, text: String) {
        let html: HTML = "\(length: value)"
        #expect(html.markup == text)
    }

    @Test("a value in a query is encoded")
    func queries() {
        let html: HTML = "\(query: "a b&c=ä")"
        #expect(html.markup == "a%20b%26c%3D%C3%A4")
    }
}
