import Foundation
import HealthTesting
import Testing

extension BrowserTests {
    /// The requests of a page, and the browser's log.
    @Suite(.inTestAll) struct NetworkAndConsoleTests {
        @Test(
            "a page leaves nothing in the browser's log and asks nobody but this server",
            arguments: Place.allCases)
        func quietness(place: Place) async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(place, tab, of: person)
            #expect(tab.complaints == [])
            let asked = tab.requests
            #expect(asked.contains { $0.hasSuffix("/style.css") })
            #expect(asked.contains { $0.hasSuffix("/script.js") })
            #expect(
                asked.filter { !$0.hasPrefix(person.base + "/") && !$0.hasPrefix("data:") } == [])
        }

        @Test("what a page must not do is heard: another host, a script in it, a missing file")
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
                tab.forget()
                _ = try await tab.value("void (\(act)), true", as: Bool.self)
                try await tab.wait("to hear of \(words)") {
                    tab.complaints.contains { $0.contains(words) }
                }
            }
            // Even without a policy the browser can't reach other hosts.
            await #expect(throws: DevTools.Failed.self) {
                try await tab.load("http://example.com/")
            }
        }
    }
}
