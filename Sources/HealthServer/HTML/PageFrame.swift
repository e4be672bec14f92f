import Foundation
public import HealthDashboard
import HealthEngine

/// A page that is written as HTML.
public protocol WrittenPage: Page {
    /// What stands above the sentence: ``Page/title`` unless the page has a better word.
    var heading: String { get }
    /// The whole document; the same value and frame give the same bytes.
    func html(_ frame: PageFrame) -> String
}

extension WrittenPage {
    /// The page's title.
    public var heading: String { Self.title }
}

/// What all pages share: head, navigation, the first sentence and how fresh it is.
///
/// ```swift
/// PageFrame(formKey: question.formKey).html(.fresh(page, asOf: now))
/// ```
public struct PageFrame: Sendable {
    /// What a form sends back in its field `csrf`.
    public var formKey: String
    /// Said above the page: why its numbers can't be read anew.
    var notice = HTML.empty

    public init(formKey: String = "") { self.formKey = formKey }

    private static let navigation = [
        ("/", "Today"), ("/trends", "Trends"), ("/sleep", "Sleep"), ("/workouts", "Workouts"),
        ("/weight", "Weight"), ("/why", "Why"), ("/data", "Data"), ("/check-up", "Check-up"),
    ]

    /// The page in whichever of its five states it is.
    public func html<Value: WrittenPage>(
        _ state: ViewState<Value>, timeZone: String = "UTC"
    ) -> String {
        switch state {
        case .fresh(let page, _): return page.html(self)
        case .cached(var page, let time):
            page.freshness = Freshness(asOf: time, isCurrent: false)
            return page.html(self)
        case .nothingYet: return nothingYet(Value.self)
        case .empty(let time):
            return empty(
                Value.self, asOf: DateWords.moment(time, Calendar.of(timeZone: timeZone)))
        case .unavailable(let reason, let last, _):
            guard var last else {
                return message(
                    path: Value.path, title: Value.title, sentence: reason.sentence, reason.advice)
            }
            var frame = self
            frame.notice = """
                <div class="notice" role="status"><p><b>\(reason.sentence)</b> \(reason.advice) \
                What was known before:</p></div>
                """
            last.freshness.isCurrent = false
            return last.html(frame)
        }
    }

    /// What stands where there is no page: an address that leads nowhere, a port in use.
    public func message(title: String, sentence: String) -> String {
        message(path: nil, title: title, sentence: sentence, .empty)
    }

    private func nothingYet(_ page: (some WrittenPage).Type) -> String {
        message(
            path: page.path, title: page.title, sentence: "Nothing here yet.",
            """
            Read an export of the Health app with this command; the page fills as soon as it is done.\
            </p><p><code class="command">openhealth import export.zip</code>
            """)
    }

    private func empty(_ page: (some WrittenPage).Type, asOf time: String) -> String {
        message(
            path: page.path, title: page.title, sentence: "No data.",
            """
            Either nothing was recorded or reading was not allowed; the system doesn’t say which. \
            Looked at on \(time).
            """)
    }

    private func message(path: String?, title: String, sentence: String, _ advice: HTML) -> String {
        let body: HTML? = advice.isEmpty ? nil : "<p>\(advice)</p>"
        return document(
            path: path, title: title, sentence: "\(sentence)", freshness: .empty, body ?? .empty)
    }
}

extension PageFrame {
    /// A page's document: its answer first, then what it rests on.
    func document<Value: WrittenPage>(
        _ page: Value, calendar: Calendar, _ main: HTML
    ) -> String {
        let time = DateWords.moment(page.freshness.asOf, calendar)
        let refreshing: HTML = notice.isEmpty ? ", <b>refreshing</b>" : ", <b>not read anew</b>"
        let today = calendar.civil(page.freshness.asOf)
        let read: HTML =
            page.freshness.newest.flatMap { newest -> HTML? in
                newest < today ? "Data to \(DateWords.short(newest)), read \(time)" : nil
            } ?? "Up to date, \(time)"
        let freshness: HTML =
            page.freshness.isCurrent
            ? "<p class=\"fresh\">\(read)</p>"
            : "<p class=\"fresh\">As of \(time)\(refreshing)</p>"
        return document(
            path: Value.path, title: page.heading, sentence: "\(page.sentence)",
            freshness: freshness, main)
    }

    private func document(
        path: String?, title: String, sentence: HTML, freshness: HTML, _ main: HTML
    ) -> String {
        let links = Self.navigation.map { target, name -> HTML in
            target == path
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
            <a class="skip" href="#main">To the numbers</a>
            <header><nav aria-label="Pages"><ul>\(links)</ul></nav></header>
            <svg class="patterns" width="0" height="0" aria-hidden="true"><defs>\
            <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" \
            patternTransform="rotate(45)"><rect class="hatch-ground" width="6" height="6"/>\
            <path class="hatch-line" d="M1.5 0v6"/></pattern>\
            <pattern id="hatch-now" width="6" height="6" patternUnits="userSpaceOnUse" \
            patternTransform="rotate(45)"><rect class="now-ground" width="6" height="6"/>\
            <path class="now-line" d="M1.5 0v6"/></pattern></defs></svg>
            <main id="main">
            \(notice)<h1>\(title)</h1>
            <p class="answer">\(sentence)</p>
            \(freshness)
            \(main)
            </main>
            </body>
            </html>

            """
        return page.markup
    }

    /// A block with a heading.
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
        case .notAsked: "Permission to read was never asked for."
        case .failed(let sentence): sentence
        }
    }

    fileprivate var advice: HTML {
        switch self {
        case .locked: "Its data can be read after the next unlock."
        case .noHealthData:
            "Read an export of the Health app: <code>openhealth import export.zip</code>"
        case .notAsked: "Ask for it in the app that reads, then come back."
        case .failed: "Load the page again; <code>openhealth check</code> looks at the store."
        }
    }
}
