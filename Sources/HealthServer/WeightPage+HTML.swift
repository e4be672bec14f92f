import Foundation
public import HealthDashboard

extension WeightPage: WrittenPage {
    public func html(_ frame: PageFrame) -> String {
        let calendar = Calendar.of(timeZone: timeZone)
        guard !measured.isEmpty || !trend.isEmpty else {
            return frame.document(
                self, calendar: calendar,
                """
                <p>No data: either no weight was recorded or reading was not allowed; the system \
                doesn’t say which.</p>
                """)
        }
        var main = PageFrame.section(
            "Weight and its trend", "\(latest)\(SVGWeight(page: self, calendar: calendar).figure)")
        main += PageFrame.section("What became of weights", notes(calendar))
        return frame.document(self, calendar: calendar, main)
    }

    private var latest: HTML {
        guard let last = measured.last else { return .empty }
        let calendar = Calendar.of(timeZone: timeZone)
        let trend: HTML? = self.trend.last.map {
            "; trend <b>\(NumberText.grouped($0.value, digits: 1)) \(unit)</b>"
        }
        return """
            <p class="hero">\(NumberText.grouped(last.value, digits: 1)) <small>\(unit)</small></p>\
            <p class="compare">measured \(DateWords.moment(last.date, calendar)) by \
            \(name: last.source)\(trend)</p>
            """
    }

    private func notes(_ calendar: Calendar) -> HTML {
        guard !notes.isEmpty else { return .empty }
        let rows = notes.sorted { $0.date > $1.date }.prefix(100).map { note -> HTML in
            """
            <tr><th scope="row">\(DateWords.moment(note.date, calendar))</th>\
            <td>\(name: note.text)</td></tr>

            """
        }
        return "<div class=\"scroll\"><table><tbody>\(rows)</tbody></table></div>"
    }
}
