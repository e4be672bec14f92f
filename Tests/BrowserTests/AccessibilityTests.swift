import Foundation
import HealthTesting
import Testing

extension BrowserTests {
    /// Tests for users of screen readers and keyboards.
    @Suite(.inTestAll) struct AccessibilityTests {
        @Test(
            "the accessibility tree names every heading, landmark, chart, field and column",
            arguments: TestPage.allCases)
        func tree(place: TestPage) async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(place, tab, of: person)
            _ = try await tab.value(PageProbe.openAllTables, as: Bool.self)
            let tree = try await tab.send(
                "Accessibility.getFullAXTree", as: AccessibilityTree.self)
            #expect(tree.faults == [])
            let drawings = try await tab.value(
                "document.querySelectorAll('main svg[role=img]').length", as: Int.self)
            #expect(tree.shown(["image", "img"]).count == drawings)
            let head = try await tab.value(
                "[document.documentElement.lang, document.title]", as: [String].self)
            #expect(head.first == "en")
            #expect(head.last?.hasSuffix(" · OpenHealthKit") == true)
            let title = try await tab.value(
                "document.querySelector('h1').textContent", as: String.self)
            #expect(head.last?.hasPrefix(title) == true)
        }

        @Test("the Tab key reaches all there is to use, in order", arguments: TestPage.allCases)
        func focus(place: TestPage) async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(place, tab, of: person)
            let count = try await tab.value(PageProbe.expectFocus, as: Int.self)
            #expect(count > 6)
            // Scrolling tables are tab stops, and a date field has four.
            for _ in 0..<(2 * count + 24) { try await tab.press("Tab", code: 9) }
            #expect(try await tab.value(PageProbe.missedFocus, as: [String].self) == [])
        }
    }
}
