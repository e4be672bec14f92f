import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension ImportPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        var main = ImportForms.script
        switch phase {
        case .receiving, .importing, .undoing: main += progress(frame)
        case .asking: main += question(frame)
        case .ready, .finished, .failed, .undone:
            if let problem {
                main += "<div class=\"notice\" role=\"alert\"><p>\(problem)</p></div>\n"
            }
            if let report {
                main += "<p><a class=\"button\" href=\"/\">See your data</a></p>\n"
                main += ReportHTML(report: report, person: person, calendar: calendar).html
            }
            main += drop(frame)
            main += undo(frame, calendar)
        }
        return frame.document(self, calendar: calendar, main)
    }

    private func drop(_ frame: PageFrame) -> HTML {
        let area = ImportForms.dropArea(formKey: frame.formKey, maximumBytes: maximumBytes)
        let title = report == nil ? "Import an export" : "Import another export"
        let owner: HTML? = person.map { "<p>Into the store of \(name: $0).</p>\n" }
        return PageFrame.section(title, "\(owner)\(ImportForms.steps)\(area)")
    }

    private func progress(_ frame: PageFrame) -> HTML {
        let bar: HTML =
            if let percent {
                "<progress max=\"100\" value=\"\(percent)\" aria-label=\"Progress\"></progress>"
            } else {
                "<progress max=\"100\" aria-label=\"Progress\"></progress>"
            }
        let samples: HTML? = samplesRead.map {
            "\(counted($0, "sample", "samples")) read."
        }
        let cancel: HTML? =
            phase == .undoing
            ? nil : ImportForms.button(Self.cancelPath, "Cancel", formKey: frame.formKey)
        let note: HTML? =
            phase == .importing
            ? "<p class=\"small\">It goes on if you close this page while the server runs.</p>"
            : nil
        return """
            <section class="card" data-phase="\(phase.rawValue)">\(bar)
            <p class="samples">\(samples)</p>
            <noscript><p><a href="\(Self.path)">Show the current progress</a></p></noscript>
            \(note)\(cancel)</section>

            """
    }

    private func question(_ frame: PageFrame) -> HTML {
        let confirm = ImportForms.button(
            Self.confirmPath, "Import: it is the same person", formKey: frame.formKey)
        return """
            <section class="card"><p>Nothing was imported yet. If it is from the same person, for \
            example from a new phone, import it. Otherwise cancel, and import it into a store of \
            its own: <code>openhealth import export.zip --as NAME</code></p>
            \(confirm)
            \(ImportForms.button(Self.cancelPath, "Cancel", formKey: frame.formKey))</section>

            """
    }

    private func undo(_ frame: PageFrame, _ calendar: Calendar) -> HTML {
        guard let newest else { return .empty }
        let form = ImportForms.button(
            Self.undoPath, "Undo this import", formKey: frame.formKey,
            fields: [("number", String(newest.number))])
        return """
            <section class="card"><h2>Newest import</h2>
            <p>\(name: newest.file), imported \
            \(PageDateText.moment(newest.importedAt, calendar)).</p>
            <details><summary>Undo this import…</summary>
            <p>\(newest.effect) Notes and changes that were made since are kept.</p>
            \(form)</details></section>

            """
    }
}

/// The report of an import as HTML.
private struct ReportHTML {
    let report: ImportPage.Report
    let person: String?
    let calendar: Calendar

    var html: HTML {
        var main: HTML = .empty
        if let damage = report.damage {
            main += "<div class=\"notice\" role=\"alert\"><p>\(damage)</p></div>\n"
        }
        main += PageFrame.section("What was imported", "\(facts)\(elements)\(removed)")
        main += PageFrame.section("Whose data", sources)
        main += PageFrame.section("Repaired", list(report.repaired))
        main += PageFrame.section("Quarantined: invalid, kept apart", list(report.quarantined))
        main += PageFrame.section("Unknown to this version, kept", list(report.unknown))
        main += PageFrame.section("Excluded, because it writes daily totals", excluded)
        return main
    }

    private var facts: HTML {
        let made: HTML? = report.exportDate.map {
            "<dt>Export made</dt><dd>\(PageDateText.moment($0, calendar))</dd>"
        }
        var covered: HTML = .empty
        if let first = report.first, let last = report.last {
            covered = """
                <dt>The store covers</dt>\
                <dd>\(PageDateText.short(first)) to \(PageDateText.short(last))</dd>
                """
        }
        let guess = report.isZoneGuessed ? " (a guess)" : ""
        let seconds = NumberText.grouped(report.seconds, digits: report.seconds < 10 ? 1 : 0)
        return """
            <dl>\(made)\(covered)<dt>Days begin in</dt><dd>\(report.timeZone)\(guess)</dd>\
            <dt>Duration</dt><dd>\(seconds) s</dd></dl>
            """
    }

    private var elements: HTML {
        let columns: [(title: String, number: (DataPage.Import.Tally) -> Int)] = [
            ("read", \.read), ("new", \.new), ("changed", \.changed),
            ("unchanged", \.unchanged), ("repeated", \.repeated), ("quarantined", \.quarantined),
        ]
        let heads = columns.map { column -> HTML in
            "<th scope=\"col\" class=\"n\">\(column.title)</th>"
        }
        let rows = report.elements.map { tally -> HTML in
            let cells = columns.map { column -> HTML in
                "<td class=\"n\">\(NumberText.grouped(Double(column.number(tally))))</td>"
            }
            return "<tr><th scope=\"row\">\(tally.kind)</th>\(cells)</tr>\n"
        }
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Elements</th>\(heads)</tr>\
            </thead><tbody>\(rows)</tbody></table></div>

            """
    }

    private var removed: HTML {
        var lines: [HTML] = []
        if report.removed > 0 {
            lines.append(
                """
                <p>\(counted(report.removed, "sample was", "samples were")) removed, because the \
                export no longer has them.</p>
                """)
        }
        if report.notApplied > 0 {
            lines.append(
                """
                <p>\(counted(report.notApplied, "sample differs", "samples differ")) in this file \
                and stayed as they were, because the export is damaged or not newer than an \
                earlier one.</p>
                """)
        }
        return lines.joined("\n")
    }

    /// The maximum number of sources in the table.
    private static let maximumSources = 20

    private var sources: HTML {
        if report.sources.isEmpty { return .empty }
        let rows = report.sources.prefix(Self.maximumSources).map { source -> HTML in
            """
            <tr><th scope="row">\(name: source.name)</th>\
            <td class="n">\(NumberText.grouped(Double(source.samples)))</td>\
            <td>\(source.first.description)</td><td>\(source.last.description)</td></tr>

            """
        }
        let further = report.sources.count - Self.maximumSources
        let more: HTML? =
            further > 0
            ? "<p class=\"small\">\(further) more are on the page <a href=\"/data\">Data</a>.</p>"
            : nil
        let owner: HTML? = person.map { "<p>The store of \(name: $0) has samples of:</p>" }
        return """
            \(owner)<div class="scroll"><table><thead><tr><th scope="col">Source</th>\
            <th scope="col" class="n">samples</th><th scope="col">first</th>\
            <th scope="col">last</th></tr></thead><tbody>\(rows)</tbody></table></div>\(more)
            """
    }

    private var excluded: HTML {
        let items = report.excluded.map { each -> HTML in
            let words: HTML =
                if let link = each.link {
                    "<a href=\"\(link)\">\(each.words)</a>"
                } else {
                    "\(each.words)"
                }
            return "<li>\(name: each.source): \(words)</li>\n"
        }
        return items.isEmpty ? .empty : "<ul>\(items)</ul>"
    }

    private func list(_ counts: [ImportPage.Report.Count]) -> HTML {
        if counts.isEmpty { return .empty }
        let items = counts.map { each -> HTML in
            "<li>\(each.what): \(NumberText.grouped(Double(each.count)))</li>\n"
        }
        return "<ul>\(items)</ul>"
    }
}
