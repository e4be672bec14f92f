import Foundation
import HealthCalendar
package import HealthDashboard

extension WeightPage: HTMLPage {
    /// Returns the page as HTML.
    ///
    /// - Parameter frame: The elements that all pages share.
    /// - Returns: The HTML document.
    package func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.ofPage(in: timeZone)
        guard !measured.isEmpty || !trend.isEmpty else {
            return frame.document(
                self, calendar: calendar,
                """
                <p>No data. Either no weight was recorded, or reading is not allowed; the system \
                doesn’t report which.</p>\(notes.isEmpty ? nil : notesTable(calendar))
                """)
        }
        var main = PageFrame.section(
            "Weight and trend", "\(latest)\(SVGWeight(page: self, calendar: calendar).figure)")
        main += PageFrame.section("Your notes", notesSection(calendar, frame))
        return frame.document(self, calendar: calendar, main)
    }

    private var readersUnit: ChartUnit { ChartUnit(DisplayUnit(unit), digits: 1) }

    private var latest: HTML {
        guard let last = measured.last else { return .empty }
        let calendar = Calendar.ofPage(in: timeZone)
        let trend: HTML? = self.trend.last.map {
            "; trend <b>\(readersUnit.amount($0.value))</b>"
        }
        return """
            <p class="hero">\(readersUnit.text(last.value)) <small>\(readersUnit.symbol)</small></p>\
            <p class="compare">measured \(PageDateText.moment(last.date, calendar)) by \
            \(name: last.source)\(trend)</p>
            """
    }

    private func notesSection(_ calendar: Calendar, _ frame: PageFrame) -> HTML {
        if let notesProblem { return "<p class=\"problem\">\(notesProblem)</p>" }
        if notes.isEmpty {
            // Notes aren't served for many people.
            if frame.audience == .person { return .empty }
            return """
                <p class="small">No notes yet. Add one to a weight with \
                <code>openhealth weight log 82.4kg --note TEXT --tag WORD</code>.</p>
                """
        }
        return notesTable(calendar)
    }

    private func notesTable(_ calendar: Calendar) -> HTML {
        let here = NotedWeights(self).here
        let shown = notes.sorted { $0.date > $1.date }.prefix(100)
        let rows = shown.map { note -> HTML in
            let weight: HTML =
                note.value.map { "\(readersUnit.amount($0))" } ?? "–"
            let gone: HTML? =
                here.contains(note)
                ? nil : "<br/><span class=\"small\">this weight is not in the store</span>"
            let tags = note.tags.map { tag -> HTML in "\(name: tag)" }.joined(", ")
            return """
                <tr><th scope="row">\(PageDateText.moment(note.date, calendar))</th>\
                <td class="n">\(weight)\(gone)</td><td>\(name: note.text)</td><td>\(tags)</td></tr>

                """
        }
        let rest = notes.count - rows.count
        let more: HTML? =
            rest > 0 ? "<p class=\"small\">and \(rest) earlier ones in the page’s JSON</p>" : nil
        return """
            <div class="scroll"><table><thead><tr><th scope="col">Measured</th>\
            <th scope="col" class="n">weight</th><th scope="col">note</th>\
            <th scope="col">tags</th></tr></thead><tbody>\(rows)</tbody></table></div>\(more)
            """
    }
}

/// The notes of a page by the weight that they are on: one at the same time with the same value.
/// The weight may be missing in the store.
struct NotedWeights {
    /// The text of the notes on each weight that has any, as in "after the holidays (fasted)".
    private(set) var words: [WeightPage.Reading: String] = [:]
    /// The notes whose weight is in the store.
    private(set) var here: Set<WeightPage.Note> = []

    init(_ page: WeightPage) {
        let notes = Dictionary(grouping: page.notes) { NotedWeights.place($0.date) }
        for reading in page.measured {
            let beside = (notes[NotedWeights.place(reading.date)] ?? []).filter {
                $0.value.map { abs($0 - reading.value) < 1e-6 } ?? false
            }
            if beside.isEmpty { continue }
            here.formUnion(beside)
            words[reading] = beside.map(\.words).joined(separator: " · ")
        }
    }

    /// Rounds a time to the nearest tenth of a second, so that smaller differences rarely matter.
    private static func place(_ date: Date) -> Double {
        (date.timeIntervalSinceReferenceDate * 10).rounded()
    }
}

extension WeightPage.Note {
    /// The note with its tags, as in "after the holidays (fasted, travel)".
    var words: String {
        let tags = tags.joined(separator: ", ")
        return tags.isEmpty ? text : text.isEmpty ? tags : "\(text) (\(tags))"
    }
}
