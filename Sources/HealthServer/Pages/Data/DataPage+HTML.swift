import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension DataPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        var main = links(frame.audience)
        main += PageFrame.section("Storage", storage)
        main += PageFrame.section(
            "Imports, newest first", imports.prefix(20).map { article($0, calendar) }.joined(.empty)
        )
        main += PageFrame.section("Types", typeTable)
        main += PageFrame.section("Sources", sourceTable)
        main += PageFrame.section("Permissions of programs", grantTable)
        return frame.document(self, calendar: calendar, main)
    }

    /// The number of samples and of types; the rest of the sentence is in the sections.
    package var headline: Headline {
        guard !types.isEmpty else { return .sentence(sentence) }
        return .value(
            "\(counted(samples, "sample", "samples")) of \(counted(types.count, "type", "types"))")
    }

    /// Links to what a person does with the data.
    private func links(_ audience: PageAudience) -> HTML {
        let importing: HTML =
            audience == .person ? .empty : "<li><a href=\"\(ImportPage.path)\">Import</a></li>"
        return """
            <ul class="tabs">\(importing)<li><a href="/check-up">Data quality</a></li>\
            <li><a href="/why">How totals are counted</a></li>\
            <li><a href="\(ReportPage.path)">Report</a></li>\
            <li><a href="\(NotesPage.path)">Notes</a></li>\
            <li><a href="\(SettingsPage.path)">Settings</a></li></ul>

            """
    }

    private var storage: HTML {
        """
        <dl><dt>File</dt><dd>\(name: file)</dd><dt>Size</dt><dd>\(sizeText)</dd>\
        <dt>Samples</dt><dd>\(NumberText.grouped(Double(samples)))</dd>\
        <dt>Time zone of days</dt><dd>\(timeZone) (\(timeZoneReason))</dd></dl>
        """
    }

    private func article(_ each: Import, _ calendar: Calendar) -> HTML {
        let columns = columns(each.tallies)
        let rows = each.tallies.map { tally -> HTML in
            let numbers = columns.map { column -> HTML in
                "<td class=\"n\">\(NumberText.grouped(Double(column.number(tally))))</td>"
            }
            return "<tr><th scope=\"row\">\(tally.kind)</th>\(numbers)</tr>\n"
        }
        let heads = columns.map { column -> HTML in
            "<th scope=\"col\" class=\"n\">\(column.title)</th>"
        }
        let made: HTML? = each.exportDate.map { ", created \(PageDateText.moment($0, calendar))" }
        let vanished: HTML? =
            each.vanished > 0
            ? """
            <p class="small">\(counted(each.vanished, "sample", "samples")) of earlier imports \
            \(each.vanished == 1 ? "was" : "were") removed, because the export no longer \
            contains \(each.vanished == 1 ? "it" : "them").</p>
            """ : nil
        return """
            <div class="finding"><p class="what">\(name: each.file)</p>\
            <p>Imported \(PageDateText.moment(each.importedAt, calendar))\(made); \
            \(each.sizeText).</p>\
            <p>\(each.kindText.capitalizedFirst)</p><div class="scroll"><table><thead><tr><th scope="col">Elements</th>\(heads)</tr>\
            </thead><tbody>\(rows)</tbody></table></div>\(vanished)</div>

            """
    }

    /// Returns the columns of an import's table. A column of new, unchanged, changed or repeated
    /// elements is omitted if it is zero in all rows.
    private func columns(
        _ tallies: [Import.Tally]
    ) -> [(title: String, number: (Import.Tally) -> Int)] {
        let outcomes: [(title: String, number: (Import.Tally) -> Int)] = [
            ("new", \.new), ("unchanged", \.unchanged), ("changed", \.changed),
            ("repeated", \.repeated),
        ]
        return [("total", \.read)]
            + outcomes.filter { outcome in tallies.contains { outcome.number($0) > 0 } }
            + [("quarantined", \.quarantined)]
    }

    private func range(_ first: CivilDate, _ last: CivilDate) -> HTML {
        """
        <br/><span class="small"><span class="range">\(first.description)</span> to \
        <span class="range">\(last.description)</span></span>
        """
    }

    private var typeTable: HTML {
        guard !types.isEmpty else { return .empty }
        let rows = types.map { type -> HTML in
            let words: HTML =
                type.link.hasPrefix("/") && !type.link.hasPrefix("//")
                ? "<a href=\"\(type.link)\">\(type.words.capitalizedFirst)</a>"
                : "\(type.words.capitalizedFirst)"
            return """
                <tr><th scope="row">\(words)\(range(type.first, type.last))</th>\
                <td class="n">\(NumberText.grouped(Double(type.samples)))</td>\
                <td>\(type.unit ?? "")</td></tr>

                """
        }
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Type, first to last day</th>\
            <th scope="col" class="n">samples</th><th scope="col">unit</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }

    private var sourceTable: HTML {
        guard !sources.isEmpty else { return .empty }
        let rows = sources.map { source -> HTML in
            let exclusions = source.excludedFrom.map { each -> HTML in
                "<br/>Excluded for \(each.words): \(each.reason)"
            }
            return """
                <tr><th scope="row">\(name: source.name)<br/>\
                <code class="small">\(name: source.bundleIdentifier)</code>\
                \(range(source.first, source.last))\(exclusions)</th>\
                <td class="n">\(NumberText.grouped(Double(source.samples)))</td></tr>

                """
        }
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Source, first to last day</th>\
            <th scope="col" class="n">samples</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }

    private var grantTable: HTML {
        guard !grants.isEmpty else {
            return "<p>No program has requested permissions yet.</p>"
        }
        func list(_ words: [String]) -> String {
            words.isEmpty ? "–" : words.joined(separator: ", ")
        }
        let rows = grants.map { grant -> HTML in
            """
            <tr><th scope="row">\(name: grant.program)</th><td>\(list(grant.reads))</td>\
            <td>\(list(grant.saves))</td><td>\(list(grant.denied))</td></tr>

            """
        }
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Program</th>\
            <th scope="col">reads</th><th scope="col">saves</th><th scope="col">denied</th></tr></thead>\
            <tbody>\(rows)</tbody></table></div>
            """
    }
}
