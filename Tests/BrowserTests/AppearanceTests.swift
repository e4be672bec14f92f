import Foundation
import HealthTesting
import Testing

extension BrowserTests {
    /// The layout and colours of a page, as far as they can be checked automatically.
    @Suite(.inTestAll) struct AppearanceTests {
        @Test(
            "nothing is wider than a phone or a desk's window, and no words stand in each other",
            arguments: Place.allCases)
        func layout(place: Place) async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(place, tab, of: person)
            for (width, height) in [(390, 844), (1280, 900)] {
                try await tab.size(width, height)
                let faults = try await tab.value(PageProbe.layout, as: [String].self)
                #expect(faults == [], "at \(width)")
            }
        }

        @Test("words stand out from what is behind them, light and dark", arguments: Place.allCases)
        func contrast(place: Place) async throws {
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
            arguments: Place.allCases)
        func withoutScripts(place: Place) async throws {
            let (tab, person) = try await Browser.shared.tab()
            let path = try await BrowserTests.open(place, tab, of: person)
            let content = try await tab.value(PageProbe.content, as: [String].self)
            try await tab.tell("Emulation.setScriptExecutionDisabled", ["value": true])
            try await tab.load(person.base + path)
            #expect(try await tab.value(PageProbe.content, as: [String].self) == content)
            #expect(content.first?.isEmpty == false)
            let stops = try await tab.value(
                "document.querySelectorAll('svg[tabindex]').length", as: Int.self)
            #expect(stops == 0, "the script ran")
        }
    }
}
