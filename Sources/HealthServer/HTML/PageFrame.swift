import Foundation
import HealthCalendar
package import HealthDashboard
import HealthEngine

/// A page with an HTML representation.
package protocol HTMLPage: Page {
    /// The heading above the summary sentence; by default ``Page/title``.
    var heading: String { get }
    /// The page's main result, which is drawn large: the sentence, by default.
    var headline: Headline { get }
    /// Returns the whole document. It depends only on the page and the frame.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    func html(_ frame: PageFrame) -> String
    /// The days whose notes the page shows; by default none.
    var notedDays: NotedDays { get }
}

extension HTMLPage {
    /// The page's title.
    package var heading: String { Self.title }
    package var notedDays: NotedDays { NotedDays() }
    package var headline: Headline { .sentence(sentence) }
}

/// The elements that all pages share: head, navigation, summary sentence and freshness.
///
/// ```swift
/// PageFrame(formKey: query.formKey).html(.fresh(page, asOf: now))
/// ```
package struct PageFrame: Sendable {
    /// The session's form key (CSRF token), which forms send in the field `csrf`.
    package var formKey: String
    /// Who reads the page.
    package var audience: PageAudience
    /// A notice above the page, for example the reason why its data can't be refreshed.
    var notice = HTML.empty
    /// The notes on the page's days.
    var notes = PageNotes()

    /// Creates a frame.
    ///
    /// - Parameters:
    ///   - formKey: The session's form key; empty for pages without forms.
    ///   - audience: Who reads the page.
    package init(
        formKey: String = "", audience: PageAudience = .owner(commandOptions: "")
    ) {
        self.formKey = formKey
        self.audience = audience
    }

    /// The address of the list of accesses, which only a server of many people has.
    static let accessesPath = "/accesses"
    /// How data arrives at a server of many people.
    static let arrival = "Your data appears here when your phone has sent it to this server."

    private static let navigation = [
        ("/", "Summary"), ("/browse", "Browse"), ("/sleep", "Sleep"), ("/workouts", "Workouts"),
        ("/data", "Data"),
    ]
    /// The entry of the navigation under which a page without an entry of its own is.
    private static let parents = [
        "/type": "/browse", "/why": "/browse", "/compare": "/browse", "/year": "/browse",
        "/weight": "/browse", "/cards": "/", "/check-up": "/data", "/report": "/data",
        "/notes": "/data", "/import": "/data", "/persons": "/data", "/settings": "/data",
    ]
    /// Data that is older than this many days is said first.
    private static let recentDays = 2

    /// Returns the document for a page in any state, also without data.
    ///
    /// - Parameters:
    ///   - state: The page and its state.
    ///   - timeZone: The IANA time zone of the time that is shown for ``ViewState/empty(asOf:)``.
    /// - Returns: The HTML document.
    package func html<Value: HTMLPage>(
        _ state: ViewState<Value>, timeZone: String = "UTC"
    ) -> String {
        switch state {
        case .fresh(let page, _): return page.html(self)
        case .cached(var page, let time):
            page.freshness = Freshness(asOf: time, isCurrent: false)
            return page.html(self)
        case .loading: return nothingYet(Value.self)
        case .empty(let time):
            return empty(
                Value.self, asOf: PageDateText.moment(time, Calendar.ofPage(in: timeZone)))
        case .unavailable(let reason, let last, _):
            guard var last else {
                return message(
                    path: Value.path, title: Value.title, sentence: reason.sentence,
                    advice(reason))
            }
            var frame = self
            frame.notice = """
                <div class="notice" role="status"><p><b>\(reason.sentence)</b> \(advice(reason)) \
                The last known data:</p></div>
                """
            last.freshness.isCurrent = false
            return last.html(frame)
        }
    }

    /// Returns a document with only a message, for example for an unknown address.
    ///
    /// - Parameters:
    ///   - title: The heading.
    ///   - sentence: The message, as plain text.
    /// - Returns: The HTML document.
    package func message(title: String, sentence: String) -> String {
        message(path: nil, title: title, sentence: sentence, .empty)
    }

    private func nothingYet(_ page: (some HTMLPage).Type) -> String {
        let advice: HTML =
            audience.command("openhealth import export.zip").map { command in
                """
                Import an export of the Health app with this command. Then the page shows your data.\
                </p><p><code class="command">\(command)</code>
                """
            } ?? "\(Self.arrival)"
        return message(
            path: page.path, title: page.title, sentence: "No data yet.", advice)
    }

    private func empty(_ page: (some HTMLPage).Type, asOf time: String) -> String {
        message(
            path: page.path, title: page.title, sentence: "No data.",
            """
            Either nothing was recorded, or reading is not allowed; the system doesn’t report \
            which. Checked on \(time).
            """)
    }

    private func message(path: String?, title: String, sentence: String, _ advice: HTML) -> String {
        let body: HTML? = advice.isEmpty ? nil : "<p>\(advice)</p>"
        return document(
            path: path, title: title, headline: .sentence(sentence), freshness: .empty,
            body ?? .empty)
    }
}

extension PageFrame {
    /// Returns a page's document: its summary sentence, then its content.
    func document<Value: HTMLPage>(
        _ page: Value, calendar: Calendar, _ main: HTML
    ) -> String {
        let time = PageDateText.moment(page.freshness.asOf, calendar)
        let age = page.freshness.newest.map { newest in
            calendar.localDate(at: page.freshness.asOf).dayNumber - newest.dayNumber
        }
        let refreshing: HTML = notice.isEmpty ? ", <b>refreshing</b>" : ", <b>not updated</b>"
        let today = calendar.localDate(at: page.freshness.asOf)
        let read: HTML =
            page.freshness.newest.flatMap { newest -> HTML? in
                newest < today ? "Data to \(PageDateText.short(newest)), read \(time)" : nil
            } ?? (page.freshness.newest == nil ? "Read \(time)" : "Up to date, \(time)")
        let freshness: HTML =
            page.freshness.isCurrent
            ? "<p class=\"fresh\">\(read)</p>"
            : "<p class=\"fresh\">As of \(time)\(refreshing)</p>"
        var frame = self
        if let age, age > Self.recentDays, let newest = page.freshness.newest {
            frame.notice += old(newest, age)
        }
        return frame.document(
            path: Value.path, title: page.heading, headline: page.headline,
            freshness: freshness, main)
    }

    /// Says that the newest data is old, and how newer data arrives.
    private func old(_ newest: CivilDate, _ days: Int) -> HTML {
        let arrival: HTML =
            audience == .person
            ? "\(Self.arrival)" : "<a href=\"/data\">How to bring newer data in</a>"
        return """
            <div class="notice" role="status"><p><b>The newest data is \(counted(days, "day", "days")) \
            old:</b> \(PageDateText.short(newest)). \(arrival)</p></div>

            """
    }

    private func document(
        path: String?, title: String, headline: Headline, freshness: HTML, _ main: HTML
    ) -> String {
        let links = Self.navigation.map { target, name -> HTML in
            target == path.map { Self.parents[$0] ?? $0 }
                ? "<li><a href=\"\(target)\" aria-current=\"page\">\(name)</a></li>"
                : "<li><a href=\"\(target)\">\(name)</a></li>"
        }
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <meta name="referrer" content="no-referrer"/>
            <title>\(title) · OpenHealthKit</title>
            <link rel="icon" href="data:,"/>
            <link rel="stylesheet" href="\(Stylesheet.path)"/>
            <script src="\(Script.path)" defer="defer"></script>
            </head>
            <body>
            <a class="skip" href="#main">Skip to content</a>
            <header><nav aria-label="Pages"><ul>\(links)</ul></nav></header>
            <svg class="patterns" width="0" height="0" aria-hidden="true">\(ChartPatterns.definitions)</svg>
            <main id="main">
            \(audience.opening(formKey: formKey))\(notice)<h1>\(title)</h1>
            \(headline.html)
            \(freshness)
            \(main)\(accesses)
            </main>
            </body>
            </html>

            """
        return page.markup
    }

    /// The link to the list of accesses; nil for the owner of the store.
    private var accesses: HTML? {
        guard audience == .person else { return nil }
        return """

            <footer class="small"><a href="\(Self.accessesPath)">Who has read my data</a></footer>
            """
    }

    /// A section with a heading; empty if its content is.
    static func section(_ title: String, _ content: HTML) -> HTML {
        content.isEmpty
            ? .empty : "<section class=\"card\"><h2>\(title)</h2>\n\(content)</section>\n"
    }
}

extension Unavailability {
    var sentence: String {
        switch self {
        case .locked: "The device is locked."
        case .noHealthData: "This device has no health data."
        case .notDetermined: "Permission to read has not been requested."
        case .failed(let sentence): sentence
        }
    }
}

extension PageFrame {
    /// Says how data arrives in a store without any; empty for other stores, whose headline says why a
    /// page has no data.
    func noData(_ freshness: Freshness) -> HTML {
        guard freshness.newest == nil else { return .empty }
        if audience == .person { return "<p>\(Self.arrival)</p>\n" }
        return """
            <p>This store has no data yet. <a href="/import">Import an export of the Health app</a>, \
            or <a href="/data">see how else data arrives</a>.</p>

            """
    }

    private func advice(_ reason: Unavailability) -> HTML {
        switch reason {
        case .locked: return "Unlock it and reload the page."
        case .noHealthData:
            return audience.command("openhealth import export.zip").map { command in
                "Import an export of the Health app: <code>\(command)</code>"
            } ?? "\(Self.arrival)"
        case .notDetermined: return "Request it in the app, then reload the page."
        case .failed:
            let check: HTML? = audience.command("openhealth check").map { command in
                " To check the store: <code>\(command)</code>"
            }
            return "Reload the page.\(check)"
        }
    }
}
