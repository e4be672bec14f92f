import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension WhyPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        let (before, after) = (day.advanced(by: -1), day.advanced(by: 1))
        var main: HTML = """
            <ul class="tabs">\(earlier(before))\
            \(later(after))</ul>
            \(previewNotice(frame))<section class="card">\
            <h2>\(metric.displayName.capitalizedFirst) on \(PageDateText.short(day))</h2>

            """
        main += appleTotalLine
        main += sources.isEmpty ? noSources : recordedAmount
        if !sources.isEmpty {
            main += """
                <p class="compare">\(naiveText) recorded, \(duplicateText) duplicates removed.</p>\
                \(SVGSourceTimeline(page: self, calendar: calendar).figure)
                """
        }
        main += "</section>\n"
        main += PageFrame.section("By time of day", dayPartTable(calendar))
        main += PageFrame.section("Source priority", ranking)
        main += PageFrame.section("Excluded sources", excludedList)
        if !sources.isEmpty || !excluded.isEmpty || !calibrationForm.rows.isEmpty {
            main += calibrationSection(frame)
        }
        if skipped > 0 {
            main += """
                <p class="small">\(counted(skipped, "sample", "samples")) could not be counted \
                because of an unknown unit or an invalid time. See <a href="/check-up">Data \
                quality</a>.</p>
                """
        }
        return frame.document(self, calendar: calendar, main)
    }

    package var headline: Headline { .value(sentence) }

    /// The line that says that Apple's total is the answer for the day.
    private var appleTotalLine: HTML {
        guard let appleTotal else { return .empty }
        let unit = ChartUnit(metric, largest: appleTotal.value)
        return """
            <p class="hero">\(unit.text(appleTotal.value)) <small>\(unit.symbol)</small></p>\
            <p class="compare">\(appleTotal.label), from \(name: appleTotal.device)</p>

            """
    }

    private var noSources: HTML {
        if !excluded.isEmpty { return "<p>All sources with data on this day are excluded.</p>" }
        return appleTotal == nil
            ? "<p>No data. Nothing was recorded on this day, or reading is not allowed.</p>"
            : "<p>No samples of this day are stored.</p>"
    }

    /// The recorded amount beside Apple's total. Otherwise the headline has it.
    private var recordedAmount: HTML {
        appleTotal == nil && headline.hasValue
            ? .empty
            : "<p class=\"number\">\(mergedText) <small>\(unitLabel) recorded</small></p>"
    }

    private func earlier(_ before: CivilDate) -> HTML {
        guard CivilDate.supportedRange.contains(before) else {
            return "<li><span class=\"off\">← day before</span></li>"
        }
        return "<li><a href=\"\(address(before))\" rel=\"prev\">← day before</a></li>"
    }

    private func later(_ after: CivilDate) -> HTML {
        let isAskable = CivilDate.supportedRange.contains(after)
        if !isAskable || freshness.newest.map({ after > $0 }) ?? false {
            return "<li><span class=\"off\">day after →</span></li>"
        }
        return "<li><a href=\"\(address(after))\" rel=\"next\">day after →</a></li>"
    }

    var unitLabel: String { unit == "count" ? metric.displayName : unit }

    private func address(_ day: CivilDate) -> HTML {
        "\(Self.path)?metric=\(query: name)&amp;day=\(day.description)"
    }

    /// Returns the address of the same day with another proposal and the entered amounts.
    func address(_ proposal: Proposal) -> HTML {
        let fields = (fields(proposal) + calibrationFields).map { field -> HTML in
            "&amp;\(query: field.name)=\(query: field.value)"
        }
        return "\(address(day))\(fields)"
    }

    /// Returns the fields that represent a proposal in an address or a form.
    func fields(_ proposal: Proposal) -> [PageQuery.Field] {
        var fields: [PageQuery.Field] = []
        if !proposal.order.isEmpty {
            fields.append(.init("order", proposal.order.joined(separator: ",")))
        }
        fields += proposal.excluded.map { .init("out", $0) }
        fields += proposal.included.map { .init("in", $0) }
        return fields
    }

    private var calibrationFields: [PageQuery.Field] {
        calibrationForm.rows.flatMap { [.init("on", $0.day), .init("shows", $0.amount)] }
    }

    private func previewNotice(_ frame: PageFrame) -> HTML {
        guard let preview else { return .empty }
        let commands = preview.commands.map { command -> HTML in "<code>\(command)</code>" }
            .joined(" and ")
        let saving: HTML =
            preview.commands.isEmpty ? "Save it here" : "Save it here or with \(commands)"
        let isOrder = proposal.excluded.isEmpty && proposal.included.isEmpty
        let word = isOrder ? "Save this order" : "Save this"
        return """
            <div class="notice" role="status"><p><b>Preview, not saved:</b> \
            <b>\(mergedText)</b> instead of \(preview.savedText) (\(preview.differenceText)). \
            \(saving), or \
            <a href="\(address(Proposal()))">discard the preview</a>.</p>\
            <form class="line" action="\(Self.path)" method="post">\
            <input type="hidden" name="csrf" value="\(frame.formKey)"/>\
            <input type="hidden" name="metric" value="\(name)"/>\
            <input type="hidden" name="day" value="\(day.description)"/>\
            \(hidden(fields(proposal) + calibrationFields))\
            <button type="submit">\(word)</button></form></div>

            """
    }

    func hidden(_ fields: [PageQuery.Field]) -> [HTML] {
        fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\"/>" }
    }

    /// The table of sources by rank, with links that preview a change without saving it.
    private var ranking: HTML {
        guard !sources.isEmpty else { return .empty }
        let rows = sources.map { row -> HTML in
            """
            <tr><td class="n">\(row.rank)</td>\
            <th scope="row">\(SourceColour.key(row.rank, row.source))<br/>\
            <span class="small moves">\(move(row.raised, "up", row.source)) \
            \(move(row.lowered, "down", row.source)) \
            <a href="\(address(proposal.excluding(row.bundleIdentifier)))" \
            aria-label="Exclude \(plain: row.source)">exclude</a></span></th>\
            <td class="n">\(row.contributedText)</td><td class="n">\(row.duplicateText)</td>\
            <td class="n">\(row.recordedText)</td></tr>

            """
        }
        return """
            <p class="small">Where sources recorded at the same time, the one with the better rank \
            is counted, and the amounts of the others are duplicates. Move or exclude a source to \
            preview the result. A preview is not saved.</p>
            <div class="scroll"><table><thead><tr><th scope="col" class="n">Rank</th>\
            <th scope="col">Source</th><th scope="col" class="n">counted</th>\
            <th scope="col" class="n">duplicates</th><th scope="col" class="n">recorded</th>\
            </tr></thead><tbody>\(rows)<tr class="total"><td></td>\
            <th scope="row">Total</th><td class="n">\(mergedText)</td>\
            <td class="n">\(duplicateText)</td><td class="n">\(naiveText)</td></tr>\
            </tbody></table></div>
            """
    }

    private func move(_ order: [String]?, _ direction: String, _ source: String) -> HTML {
        guard let order else { return .empty }
        return """
            <a href="\(address(proposal.ordered(order)))" aria-label="Move \(plain: source) \(direction)">\
            move \(direction)</a>
            """
    }

    private var excludedList: HTML {
        guard !excluded.isEmpty else { return .empty }
        let rows = excluded.map { each -> HTML in
            let command: HTML? = each.command.map { ", or with <code>\($0)</code>" }
            return """
                <tr><th scope="row">\(SourceColour.swatch("aside")) \(name: each.source)</th>\
                <td class="n">\(each.recordedText)</td><td>\(each.reason)<br/>\
                <span class="small">\
                <a href="\(address(proposal.including(each.bundleIdentifier)))" \
                aria-label="Include \(plain: each.source)">include</a>\(command)</span></td></tr>

                """
        }
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Source</th>\
            <th scope="col" class="n">recorded</th><th scope="col">reason</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }
}
