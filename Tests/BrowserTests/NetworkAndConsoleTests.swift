import Foundation
import HealthTesting
import Testing

extension BrowserTests {
    /// The requests of a page, and the browser's log.
    @Suite(.inTestAll) struct NetworkAndConsoleTests {
        @Test(
            "a page logs nothing in the browser and requests only this server",
            arguments: TestPage.allCases)
        func quietness(place: TestPage) async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(place, tab, of: person)
            #expect(tab.errors == [])
            let asked = tab.requests
            #expect(asked.contains { $0.hasSuffix("/style.css") })
            #expect(asked.contains { $0.hasSuffix("/script.js") })
            #expect(
                asked.filter { !$0.hasPrefix(person.base + "/") && !$0.hasPrefix("data:") } == [])
        }

        @Test("forbidden actions are recorded: another host, an inline script, a missing file")
        func hearing() async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(.today, tab, of: person)
            for (act, words) in [
                (
                    "document.body.append(Object.assign(new Image, {src: 'http://example.com/a.png'}))",
                    "Content Security Policy"
                ),
                ("document.body.setAttribute('style', 'color:red')", "Content Security Policy"),
                ("setTimeout(() => { throw new Error('thrown') })", "thrown"),
                ("fetch('/none')", "404"),
            ] {
                tab.clear()
                _ = try await tab.value("void (\(act)), true", as: Bool.self)
                try await tab.wait("to hear of \(words)") {
                    tab.errors.contains { $0.contains(words) }
                }
            }
            // Even without a policy the browser can't reach other hosts.
            await #expect(throws: DevTools.Failed.self) {
                try await tab.load("http://example.com/")
            }
        }
    }
}
