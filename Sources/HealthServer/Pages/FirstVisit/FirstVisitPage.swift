import Foundation
import HealthCalendar
package import HealthDashboard

/// The first page of a server without a store: `/`. It becomes the summary with the first import.
package struct FirstVisitPage: Page, Hashable {
    package static let path = "/"
    package static let title = "Welcome"

    /// Whether a simulated person's data can be explored.
    package enum SampleOffer: String, Codable, Sendable { case offered, missing }

    package var freshness: Freshness
    /// The IANA time zone of the time on the page.
    package var timeZone: String
    package var sentence: String
    /// Whether a simulated person's data can be explored.
    package var sample: SampleOffer
    /// The maximum size of a file, in bytes.
    package var maximumBytes: Int

    /// - Parameters:
    ///   - sample: Whether a simulated person's data can be explored.
    ///   - maximumBytes: The maximum size of a file.
    init(sample: SampleOffer, maximumBytes: Int) {
        freshness = Freshness(asOf: .now, isCurrent: true)
        timeZone = TimeZone.current.identifier
        sentence = "Bring your health data here in three steps"
        self.sample = sample
        self.maximumBytes = maximumBytes
    }
}

extension FirstVisitPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let area = ImportForms.dropArea(formKey: frame.formKey, maximumBytes: maximumBytes)
        var main = ImportForms.script
        main += PageFrame.section("Your data", "\(ImportForms.steps)\(area)")
        if sample == .offered {
            let button = ImportForms.button(
                SamplePage.path, "Explore sample data", formKey: frame.formKey)
            main += PageFrame.section(
                "Look around first",
                """
                <p>A simulated person’s year, marked as such and kept apart from yours. It takes \
                a few seconds to make.</p>
                \(button)
                """)
        }
        return frame.document(self, calendar: Calendar.ofPage(in: timeZone), main)
    }
}
