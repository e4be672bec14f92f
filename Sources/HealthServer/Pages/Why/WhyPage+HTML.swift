import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine

extension WhyPage: WrittenPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.of(timeZone: timeZone)
        let (before, after) = (day.advanced(by: -1), day.advanced(by: 1))
        var main: HTML = """
            <ul class="tabs">\(earlier(before))\
            \(later(after))</ul>
            \(previewNotice(frame))<section class="card">\
            <h2>\(metric.words.capitalizedFirst) on \(PageDateText.short(day))</h2>

            """
        main +=
            lanes.isEmpty
            ? excluded.isEmpty
                ? "<p>No data. Nothing was recorded on this day, or reading is not allowed.</p>"
                : "<p>All sources with data on this day are excluded.</p>"
            : "<p class=\"hero\">\(mergedText) <small>\(unitWords)</small></p>"
        if !lanes.isEmpty {
            main += """
                <p class="compare">\(naiveText) recorded, \(setAsideText) duplicates removed.</p>\
                \(SVGLanes(page: self, calendar: calendar).figure)
                """
        }
        main += "</section>\n"
        main += PageFrame.section("Source priority", ranking)
        main += PageFrame.section("Excluded sources", excludedList)
        if !lanes.isEmpty || !excluded.isEmpty || !typed.rows.isEmpty {
            main += calibrationSection
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

    private func earlier(_ before: CivilDate) -> HTML {
        guard CivilDate.askable.contains(before) else {
            return "<li><span class=\"off\">← day before</span></li>"
        }
        return "<li><a href=\"\(address(before))\" rel=\"prev\">← day before</a></li>"
    }

    private func later(_ after: CivilDate) -> HTML {
        let isAskable = CivilDate.askable.contains(after)
        if !isAskable || freshness.newest.map({ after > $0 }) ?? false {
            return "<li><span class=\"off\">day after →</span></li>"
        }
        return "<li><a href=\"\(address(after))\" rel=\"next\">day after →</a></li>"
    }

    private var unitWords: String { unit == "count" ? metric.words : unit }

    private func address(_ day: CivilDate) -> HTML {
        "\(Self.path)?metric=\(query: name)&amp;day=\(day.description)"
    }

    /// Returns the address of the same day with another arrangement and the entered amounts.
    func address(_ arrangement: Arrangement) -> HTML {
        let fields = (fields(arrangement) + typedFields).map { field -> HTML in
            "&amp;\(query: field.name)=\(query: field.value)"
        }
        return "\(address(day))\(fields)"
    }

    /// Returns the fields that represent an arrangement in an address or a form.
    func fields(_ arrangement: Arrangement) -> [PageQuery.Field] {
        var fields: [PageQuery.Field] = []
        if !arrangement.order.isEmpty {
            fields.append(.init("order", arrangement.order.joined(separator: ",")))
        }
        fields += arrangement.excluded.map { .init("out", $0) }
        fields += arrangement.included.map { .init("in", $0) }
        return fields
    }

    private var typedFields: [PageQuery.Field] {
        typed.rows.flatMap { [.init("on", $0.day), .init("shows", $0.amount)] }
    }

    private func previewNotice(_ frame: PageFrame) -> HTML {
        guard let preview else { return .empty }
        let commands = preview.commands.map { command -> HTML in "<code>\(command)</code>" }
            .joined(" and ")
        let isOrder = arrangement.excluded.isEmpty && arrangement.included.isEmpty
        let word = isOrder ? "Save this order" : "Save this"
        return """
            <div class="notice" role="status"><p><b>Preview, not saved:</b> \
            <b>\(mergedText)</b> instead of \(preview.savedText) (\(preview.differenceText)). \
            Save it here or with \(commands), or \
            <a href="\(address(Arrangement()))">discard the preview</a>.</p>\
            <form class="line" action="\(Self.path)" method="post">\
            <input type="hidden" name="csrf" value="\(frame.formKey)"/>\
            <input type="hidden" name="metric" value="\(name)"/>\
            <input type="hidden" name="day" value="\(day.description)"/>\
            \(hidden(fields(arrangement) + typedFields))\
            <button type="submit">\(word)</button></form></div>

            """
    }

    func hidden(_ fields: [PageQuery.Field]) -> [HTML] {
        fields.map { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\"/>" }
    }

    /// The table of sources by rank, with links that preview a change without saving it.
    private var ranking: HTML {
        guard !lanes.isEmpty else { return .empty }
        let rows = lanes.map { lane -> HTML in
            """
            <tr><td class="n">\(lane.rank)</td>\
            <th scope="row">\(SourceColour.key(lane.rank, lane.source))<br/>\
            <span class="small moves">\(move(lane.raised, "up", lane.source)) \
            \(move(lane.lowered, "down", lane.source)) \
            <a href="\(address(arrangement.excluding(lane.bundleIdentifier)))" \
            aria-label="Exclude \(plain: lane.source)">exclude</a></span></th>\
            <td class="n">\(lane.contributedText)</td><td class="n">\(lane.setAsideText)</td>\
            <td class="n">\(lane.recordedText)</td></tr>

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
            <td class="n">\(setAsideText)</td><td class="n">\(naiveText)</td></tr>\
            </tbody></table></div>
            """
    }

    private func move(_ order: [String]?, _ direction: String, _ source: String) -> HTML {
        guard let order else { return .empty }
        return """
            <a href="\(address(arrangement.ordered(order)))" aria-label="Move \(plain: source) \(direction)">\
            move \(direction)</a>
            """
    }

    private var excludedList: HTML {
        guard !excluded.isEmpty else { return .empty }
        let rows = excluded.map { each -> HTML in
            let command: HTML? = each.command.map { ", or with <code>\($0)</code>" }
            return """
                <tr><th scope="row">\(SourceColour.patch("aside")) \(name: each.source)</th>\
                <td class="n">\(each.recordedText)</td><td>\(each.reason)<br/>\
                <span class="small">\
                <a href="\(address(arrangement.takingIn(each.bundleIdentifier)))" \
                aria-label="Include \(plain: each.source)">include</a>\(command)</span></td></tr>

                """
        }
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Source</th>\
            <th scope="col" class="n">recorded</th><th scope="col">reason</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }
}
