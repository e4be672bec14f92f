import Foundation
import HealthTesting
import Testing

extension BrowserTests {
    /// The report as a browser prints it.
    @Suite(.inTestAll) struct ReportPrintTests {
        /// A thousand characters in twenty lines.
        private static let words = (0..<20).map { _ in
            String(repeating: "I often feel tired. ", count: 3).prefix(49)
        }.joined(separator: "\n")

        @Test("a report with all the words a person can enter is printed on three A4 pages at most")
        func pages() async throws {
            let (tab, person) = try await Browser.shared.tab()
            let words = Self.words.addingPercentEncoding(withAllowedCharacters: .alphanumerics)
            try await tab.load(person.base + "/report?words=" + (words ?? ""))
            let sections = try await tab.value(
                "document.querySelectorAll('section.report').length", as: Int.self)
            #expect(sections >= 5)
            let pages = Self.pageCount(of: try await Self.print(tab))
            #expect((1...3).contains(pages), "\(pages) pages")
        }

        @Test("navigation and form are not printed, and no section is divided")
        func printedParts() async throws {
            let (tab, person) = try await Browser.shared.tab()
            try await tab.load(person.base + "/report")
            try await tab.send("Emulation.setEmulatedMedia", ["media": "print"])
            for (selector, property, value) in [
                ("header", "display", "none"), ("main form", "display", "none"),
                (".screen", "display", "none"), ("section.report", "breakInside", "avoid"),
            ] {
                let found = try await tab.value(
                    "getComputedStyle(document.querySelector('\(selector)')).\(property)",
                    as: String.self)
                #expect(found == value, "\(selector)")
            }
            try await tab.send("Emulation.setEmulatedMedia", ["media": ""])
        }

        /// Prints a page on A4, as the browser's dialog does.
        private static func print(_ tab: BrowserTab) async throws -> Data {
            struct Printed: Decodable { var data: Data }
            return try await tab.send(
                "Page.printToPDF",
                ["paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": true],
                as: Printed.self
            ).data
        }

        /// Counts the page objects of a PDF. Chromium doesn't compress them.
        private static func pageCount(of pdf: Data) -> Int {
            String(decoding: pdf, as: UTF8.self).matches(of: #/\/Type\s*\/Page[^s]/#).count
        }
    }
}
