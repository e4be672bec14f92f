import Foundation
import HealthTesting
import Testing

extension BrowserTests {
    /// The layout and colours of a page, as far as they can be checked automatically.
    @Suite(.inTestAll) struct AppearanceTests {
        @Test(
            "nothing is wider than the window, and no texts overlap",
            arguments: TestPage.allCases)
        func layout(place: TestPage) async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(place, tab, of: person)
            for (width, height) in [(390, 844), (1280, 900)] {
                try await tab.size(width, height)
                let faults = try await tab.value(PageProbe.layout, as: [String].self)
                #expect(faults == [], "at \(width)")
            }
        }

        @Test(
            "text has enough contrast with its background, light and dark",
            arguments: TestPage.allCases)
        func contrast(place: TestPage) async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(place, tab, of: person)
            _ = try await tab.value(PageProbe.openAllTables, as: Bool.self)
            for scheme in ["light", "dark"] {
                try await tab.scheme(scheme)
                let faults = try await tab.value(PageProbe.contrast, as: [String].self)
                #expect(faults == [], "\(scheme)")
            }
        }

        @Test(
            "without scripts a page shows the same answer, charts and tables",
            arguments: TestPage.allCases)
        func withoutScripts(place: TestPage) async throws {
            let (tab, person) = try await Browser.shared.tab()
            let path = try await BrowserTests.open(place, tab, of: person)
            let content = try await tab.value(PageProbe.content, as: [String].self)
            try await tab.send("Emulation.setScriptExecutionDisabled", ["value": true])
            try await tab.load(person.base + path)
            #expect(try await tab.value(PageProbe.content, as: [String].self) == content)
            #expect(content.first?.isEmpty == false)
            let stops = try await tab.value(
                "document.querySelectorAll('svg[tabindex]').length", as: Int.self)
            #expect(stops == 0, "the script ran")
        }
    }
}
