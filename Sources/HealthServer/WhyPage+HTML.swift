import Foundation
import HealthDashboard
import HealthEngine

extension WhyPage: WrittenPage {
    public func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.of(timeZone: timeZone)
        let (before, after) = (
            CivilDate(dayNumber: day.dayNumber - 1), CivilDate(dayNumber: day.dayNumber + 1)
        )
        var main: HTML = """
            <ul class="tabs"><li><a href="\(address(before, order: nil))" rel="prev">← day before</a></li>\
            <li><a href="\(address(after, order: nil))" rel="next">day after →</a></li></ul>
            \(previewNotice(frame))<section class="card">\
            <h2>\(metric.words.capitalizedFirst) on \(DateWords.short(day))</h2>

            """
        main +=
            lanes.isEmpty
            ? "<p>No data: either nothing was recorded on this day or reading was not allowed.</p>"
            : "<p class=\"hero\">\(mergedText) <small>\(unitWords), counted once</small></p>"
        if !lanes.isEmpty {
            main += """
                <p class="compare">\(naiveText) were recorded in all; \(setAsideText) of them twice, \
                and set aside.</p>\(SVGLanes(page: self, calendar: calendar).figure)
                """
        }
        main += "</section>\n"
        main += PageFrame.section("Who wins where two record at once", ranking)
        main += PageFrame.section("Left out of the count", excludedList)
        if !lanes.isEmpty { main += calibrationSection }
        if skipped > 0 {
            main += """
                <p class="small">\(counted(skipped, "sample", "samples")) could take no part: an unknown \
                unit, or times that make no sense. <a href="/check-up">Check-up</a> says more.</p>
                """
        }
        return frame.document(self, calendar: calendar, main)
    }

    private var unitWords: String { unit == "count" ? metric.words : unit }

    func address(_ day: CivilDate, order: [String]?) -> HTML {
        let order: HTML? = order.map { "&amp;order=\(query: $0.joined(separator: ","))" }
        return "\(Self.path)?metric=\(query: name)&amp;day=\(day.description)\(order)"
    }

    private func previewNotice(_ frame: PageFrame) -> HTML {
        guard let preview else { return .empty }
        return """
            <div class="notice" role="status"><p><b>Not saved:</b> with this order the day counts \
            <b>\(mergedText)</b> instead of \(preview.savedText) (\(preview.differenceText)). \
            Save it here or with <code>\(preview.command)</code>, or \
            <a href="\(address(day, order: nil))">go back to the saved order</a>.</p>\
            <form class="line" action="\(Self.path)" method="post">\
            <input type="hidden" name="csrf" value="\(frame.formKey)"/>\
            <input type="hidden" name="metric" value="\(name)"/>\
            <input type="hidden" name="day" value="\(day.description)"/>\
            <input type="hidden" name="order" value="\(order.joined(separator: ","))"/>\
            <button type="submit">Save this order</button></form></div>

            """
    }

    /// The sources with links that show what a move would change before anything is saved.
    private var ranking: HTML {
        guard !lanes.isEmpty else { return .empty }
        let rows = lanes.map { lane -> HTML in
            """
            <tr><td class="n">\(lane.rank)</td>\
            <th scope="row">\(SourceColour.key(lane.rank, lane.source))<br/>\
            <span class="small">\(move(lane.raised, "up", lane.source)) \
            \(move(lane.lowered, "down", lane.source))</span></th>\
            <td class="n">\(lane.contributedText)</td><td class="n">\(lane.setAsideText)</td>\
            <td class="n">\(lane.recordedText)</td></tr>

            """
        }
        return """
            <p class="small">The source that stands higher counts; what a lower one recorded in the same \
            time is set aside. Move one and see the number change; nothing is saved by looking.</p>
            <div class="scroll"><table><thead><tr><th scope="col" class="n">Rank</th>\
            <th scope="col">Source</th><th scope="col" class="n">counted</th>\
            <th scope="col" class="n">set aside</th><th scope="col" class="n">recorded</th>\
            </tr></thead><tbody>\(rows)<tr class="total"><td></td>\
            <th scope="row">Together</th><td class="n">\(mergedText)</td>\
            <td class="n">\(setAsideText)</td><td class="n">\(naiveText)</td></tr>\
            </tbody></table></div>
            """
    }

    private func move(_ order: [String]?, _ direction: String, _ source: String) -> HTML {
        guard let order else { return .empty }
        return """
            <a href="\(address(day, order: order))" aria-label="Move \(plain: source) \(direction)">\
            move \(direction)</a>
            """
    }

    private var excludedList: HTML {
        guard !excluded.isEmpty else { return .empty }
        let rows = excluded.map { each -> HTML in
            """
            <tr><th scope="row">\(SourceColour.patch("aside")) \(name: each.source)</th>\
            <td class="n">\(each.recordedText)</td><td>\(each.reason)<br/>\
            <span class="small">take it back with <code>\(each.command)</code></span></td></tr>

            """
        }
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Source</th>\
            <th scope="col" class="n">recorded</th><th scope="col">why</th></tr></thead><tbody>\(rows)</tbody></table></div>
            """
    }
}
