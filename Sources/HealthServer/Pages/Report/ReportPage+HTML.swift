import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension ReportPage: HTMLPage {
    /// Returns the page as HTML, with a form for the period and the person's words that isn't
    /// printed.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        return frame.document(self, calendar: calendar, "\(form(frame))\(content(calendar))")
    }

    /// Returns the report as a document of its own, for a file: with the stylesheet inside, and
    /// without links, forms or scripts.
    ///
    /// - Returns: The HTML document, which opens and prints without a server.
    package func document() -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8"/>
            <meta name="viewport" content="width=device-width, initial-scale=1"/>
            <meta name="color-scheme" content="light dark"/>
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'"/>
            <title>\(Self.title), \(sentence)</title>
            <style>
            \(HTML(stringLiteral: Stylesheet.text))</style>
            </head>
            <body>
            <main id="main">
            <h1>\(Self.title)</h1>
            <p class="answer">\(sentence)</p>
            \(content(calendar))
            </main>
            </body>
            </html>

            """
        return page.markup
    }

    /// The person's words, the sections and the method.
    private func content(_ calendar: Calendar) -> HTML {
        let all = sections.map { section -> HTML in
            let lines: HTML = "<dl>\(facts(of: section).map(Self.line))</dl>"
            let figure = section.figure(calendar)
            let row: HTML =
                figure.isEmpty ? lines : "<div class=\"report-row\">\(lines)\(figure)</div>"
            return """
                <section class="card report \(section.domain.cssClass)">\
                <h2>\(section.kind.title)</h2>\(row)</section>

                """
        }
        let lines = method.map { line -> HTML in "<p>\(line)</p>" }
        return """
            \(wordsSection)\(all)<footer class="report small">\(lines)</footer>

            """
    }

    private var wordsSection: HTML {
        guard let words else { return .empty }
        let lines = words.split(separator: "\n").map { line -> HTML in "<p>\(String(line))</p>" }
        return """
            <section class="card report report-words"><h2>\(Self.wordsTitle)</h2>\(lines)</section>

            """
    }

    private static func line(_ fact: ReportFact) -> HTML {
        "<dt>\(markup(fact.label))</dt><dd>\(fact.value.map { markup($0) })</dd>"
    }

    private static func markup(_ part: ReportFact.Part) -> HTML {
        switch part {
        case .text(let text): "\(text)"
        case .name(let name): "\(name: name)"
        }
    }

    private func form(_ frame: PageFrame) -> HTML {
        let command: HTML? = frame.audience.command(
            "openhealth report --from \(first) --to \(last) --out report.html"
        ).map { "<p>As a file: <code class=\"command\">\($0)</code></p>" }
        return """
            <details class="screen"><summary>Change the period, or add your words</summary>\
            <form class="line" action="\(Self.path)" method="get">\
            <div><label for="from">From</label>\
            <input id="from" name="from" type="date" value="\(first.description)"/></div>\
            <div><label for="to">To</label>\
            <input id="to" name="to" type="date" value="\(last.description)"/></div>\
            <div class="whole"><label for="words">Your words to the doctor, printed first (at most \
            \(Self.maximumWords) characters; not saved, but part of this page’s address)</label>\
            <textarea id="words" name="words" rows="4" maxlength="\(Self.maximumWords)">\
            \(words ?? "")</textarea></div>\
            <button type="submit">Show</button></form>\
            <p class="small">Print this page, or save it as PDF, with your browser.</p>\(command)\
            </details>

            """
    }
}
