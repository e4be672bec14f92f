import Foundation
import HealthTesting
import OpenHealthKit
import Testing

extension BrowserTests {
    /// The features that the script adds to the pages.
    @Suite(.inTestAll) struct ScriptTests {
        private struct Box: Decodable {
            var left: Double
            var top: Double
            var width: Double
            var height: Double
        }

        private static let readout = "document.querySelector('output.readout').textContent"

        /// Waits until the readout starts with a date, or is empty, and returns it.
        private func readout(_ tab: BrowserTab, of head: String) async throws -> String {
            let text = head.isEmpty ? "" : head + ": "
            let condition = head.isEmpty ? "=== ''" : ".startsWith(\(try json(text)))"
            try await tab.wait(
                "for \(head.isEmpty ? "nothing" : head) to be read out",
                untilTrue: Self.readout + " " + condition)
            return try await tab.value(Self.readout)
        }

        /// Returns a text as a JavaScript literal.
        private func json(_ text: String) throws -> String {
            String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        }

        /// Returns the row headers of the first chart's table, in order.
        private func heads(_ tab: BrowserTab) async throws -> [String] {
            try await tab.value(
                """
                [...document.querySelector('figure.chart').querySelectorAll('tr[data-x]')]
                  .map(row => row.cells[0].textContent)
                """)
        }

        private func chart(_ tab: BrowserTab) async throws -> Box {
            try await tab.value(
                """
                (() => {
                  const svg = document.querySelector('figure.chart svg.plot');
                  svg.scrollIntoView({block: 'center'});
                  const box = svg.getBoundingClientRect();
                  return {left: box.left, top: box.top, width: box.width, height: box.height};
                })()
                """)
        }

        @Test("the pointer reads out the value it is at, and nothing once it has left")
        func pointing() async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(.type, tab, of: person)
            let heads = try await heads(tab)
            let box = try await chart(tab)
            #expect(heads.count == 30)
            let middle = box.top + box.height / 2
            for index in [0, 11, 29] {
                let x = box.left + (Double(index) + 0.5) / 30 * box.width
                try await tab.mouse("mouseMoved", x, middle)
                let text = try await readout(tab, of: heads[index])
                let row = try await tab.value(
                    "document.querySelectorAll('tr[data-x]')[\(index)].cells[1].textContent",
                    as: String.self)
                #expect(text.contains(row) && !row.isEmpty)
            }
            try await tab.mouse("mouseMoved", 2, 2)
            #expect(try await readout(tab, of: "") == "")
        }

        @Test("the arrow keys move through the values of a chart")
        func walking() async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(.type, tab, of: person)
            let heads = try await heads(tab)
            _ = try await tab.value(
                "document.querySelector('svg.plot').focus(), true", as: Bool.self)
            let last = heads.count - 1
            for (key, code, index) in [
                ("End", 35, last), ("ArrowLeft", 37, last - 1), ("PageUp", 33, last - 8),
                ("ArrowRight", 39, last - 7), ("Home", 36, 0), ("ArrowLeft", 37, 0),
            ] {
                try await tab.press(key, code: code)
                let text = try await readout(tab, of: heads[index])
                #expect(text.hasPrefix("\(heads[index]): "), "\(key): \(text)")
            }
        }

        @Test("Escape closes the calendar and gives its button the focus")
        func closing() async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(.type, tab, of: person)
            let menu = "document.querySelector('details.calendar')"
            _ = try await tab.value(
                "\(menu).open = true, \(menu).querySelector('a').focus(), true", as: Bool.self)
            try await tab.press("Escape", code: 27)
            #expect(try await tab.value("\(menu).open", as: Bool.self) == false)
            #expect(
                try await tab.value(
                    "document.activeElement === \(menu).firstElementChild", as: Bool.self))
        }

        @Test("dragging across a chart zooms to that range")
        func zooming() async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(.type, tab, of: person)
            let heads = try await heads(tab)
            let box = try await chart(tab)
            let middle = box.top + box.height / 2
            let loads = tab.loads
            try await tab.mouse("mouseMoved", box.left + 0.35 * box.width, middle)
            try await tab.mouse("mousePressed", box.left + 0.35 * box.width, middle, buttons: 1)
            try await tab.mouse("mouseMoved", box.left + 0.65 * box.width, middle, buttons: 1)
            try await tab.mouse("mouseReleased", box.left + 0.65 * box.width, middle)
            try await tab.wait("for the closer look") { tab.loads > loads }
            #expect(tab.errors == [])
            // Days 10 to 19 of 30, counted from 0.
            let closer = try await self.heads(tab)
            #expect(closer == Array(heads[10...19]))
        }

        @Test("changes of another connection are shown without a reload, and open parts stay open")
        func liveness() async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(.weight, tab, of: person)
            _ = try await tab.value(
                """
                document.querySelector('figure details').open = true,
                document.querySelector('figure svg.plot').focus(), window.mark = 1, true
                """, as: Bool.self)
            let text = "document.getElementById('main').textContent"
            #expect(try await !tab.value(text, as: String.self).contains("171.3"))
            // The browser's language is American: 77.7 kg are 171.3 lb.
            let end = Date(timeIntervalSinceReferenceDate: 812_462_400)
            let store = try HKHealthStore(
                path: person.store,
                configuration: HealthStoreConfiguration(authorization: .assumed))
            try await store.save(
                HKQuantitySample(
                    type: HKQuantityType(.bodyMass),
                    quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 77.7),
                    start: end, end: end))
            try await tab.wait("for what was saved") {
                try await tab.value(text, as: String.self).contains("171.3")
            }
            #expect(try await tab.value("window.mark", as: Int.self) == 1)
            #expect(try await tab.value("document.querySelector('figure details').open"))
            #expect(
                try await tab.value(
                    "document.activeElement === document.querySelector('figure svg.plot')"))
            #expect(tab.errors == [])
        }

        @Test("an update waits while a person types")
        func typing() async throws {
            let (tab, person) = try await Browser.shared.tab()
            _ = try await BrowserTests.open(.type, tab, of: person)
            _ = try await tab.value(
                """
                document.querySelectorAll('main details').forEach(each => each.open = true),
                document.getElementById('from').focus(),
                document.getElementById('main').prepend('old'),
                true
                """, as: Bool.self)
            let text = "document.getElementById('main').textContent.startsWith('old')"
            tab.clear()
            let events = tab.events
            let end = Date(timeIntervalSinceReferenceDate: 812_462_000)
            let store = try HKHealthStore(
                path: person.store,
                configuration: HealthStoreConfiguration(authorization: .assumed))
            try await store.save(
                HKQuantitySample(
                    type: HKQuantityType(.height),
                    quantity: HKQuantity(unit: .meter(), doubleValue: 1.8), start: end, end: end))
            try await tab.wait("for the change to be told") { tab.events > events }
            // By now a request from the page would have been recorded too.
            let asking = "fetch('/type').then(() => fetch('/type')).then(() => true)"
            #expect(try await tab.value(asking))
            #expect(tab.requests.count { $0.hasSuffix("/type") } == 2)
            #expect(try await tab.value(text))
            _ = try await tab.value("document.activeElement.blur(), true", as: Bool.self)
            try await tab.wait("for what was held back") { try await !tab.value(text) }
        }
    }
}
