import Foundation
import HealthCalendar
package import HealthDashboard

/// The choice of the person whose store the pages show: `/persons`.
package struct PersonsPage: Page, Hashable {
    package static let path = "/persons"
    package static let title = "Person"
    /// The name of the form's field, with a person's name; empty for the store without one.
    static let field = "person"
    /// The words for the store without a name.
    static let unnamed = "Store without a name"

    /// A person with a store.
    package struct Row: Hashable, Sendable, Codable {
        /// The name; nil for the store without one.
        package var name: String?
        /// Whether the pages show this person's store.
        package var isShown: Bool
    }

    package var freshness: Freshness
    /// The IANA time zone of the time on the page.
    package var timeZone: String
    package var sentence: String
    /// The persons, the owner first.
    package var persons: [Row]
    /// Whether a simulated person's data can be explored.
    package var sample: FirstVisitPage.SampleOffer

    /// - Parameters:
    ///   - persons: The persons, the owner first.
    ///   - sample: Whether a simulated person's data can be explored.
    init(_ persons: [Row], sample: FirstVisitPage.SampleOffer) {
        freshness = Freshness(asOf: .now, isCurrent: true)
        timeZone = TimeZone.current.identifier
        self.persons = persons
        self.sample = sample
        sentence =
            persons.count > 1
            ? "\(persons.count) persons have a store in this folder"
            : "This folder has the store of one person"
    }
}

/// The addresses of the forms for a simulated person's data.
enum SamplePage {
    /// Creates and shows the data.
    static let path = "/sample"
    /// Removes it.
    static let removalPath = "/sample/remove"
}

extension PersonsPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let rows = persons.map { row -> HTML in
            let name: HTML =
                if let name = row.name { "\(name: name)" } else { "\(Self.unnamed)" }
            let action: HTML =
                row.isShown
                ? "<b>shown</b>"
                : """
                <button name="\(Self.field)" value="\(row.name ?? "")" \
                aria-label="Show \(plain: row.name ?? Self.unnamed)">Show</button>
                """
            return "<tr><th scope=\"row\">\(name)</th><td>\(action)</td></tr>\n"
        }
        var main = PageFrame.section(
            "Whose data these pages show",
            """
            <form action="\(Self.path)" method="post">\
            <input type="hidden" name="csrf" value="\(frame.formKey)"/>\
            <table><tbody>\(rows)</tbody></table></form>
            <p class="small">Only this browser changes. A store is made with: \
            <code>openhealth import export.zip --as NAME</code></p>
            """)
        if sample == .offered {
            main += PageFrame.section(
                "Sample data",
                ImportForms.button(
                    SamplePage.path, "Explore sample data", formKey: frame.formKey))
        }
        main += "<p><a href=\"/\">Summary</a></p>\n"
        return frame.document(self, calendar: Calendar.ofPage(in: timeZone), main)
    }
}
