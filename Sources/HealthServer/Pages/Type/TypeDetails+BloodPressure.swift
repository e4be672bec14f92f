import HealthDashboard
import HealthEngine

extension TypeDetails {
    /// The averages of pairs, by time of day; empty without pairs.
    var pressureSection: HTML {
        get throws {
            guard let section = try ReportReading(store, days, calendar)?.pressures(),
                let pressures = section.pressures, section.measures.count == 2
            else { return .empty }
            let (upper, lower) = (section.measures[0], section.measures[1])
            func row(_ name: HTML, _ pairs: Int, _ systolic: Double, _ diastolic: Double) -> HTML {
                """
                <tr><th scope="row">\(name)</th><td class="n">\(NumberText.grouped(systolic))</td>\
                <td class="n">\(NumberText.grouped(diastolic))</td><td class="n">\(pairs)</td></tr>

                """
            }
            let parts: [(HTML, ReportPage.Pressures.Part?)] = [
                ("Morning, 4:00 to 12:00", pressures.morning),
                ("Evening, 16:00 to 24:00", pressures.evening),
            ]
            let times = parts.compactMap { name, part in
                part.map { row(name, $0.pairs, $0.systolic, $0.diastolic) }
            }
            return """
                <section class="card d-heart"><h2>Pairs</h2>\(section.figure(calendar))<div class="scroll"><table><thead><tr>\
                <th scope="col">Average</th><th scope="col" class="n">systolic mmHg</th>\
                <th scope="col" class="n">diastolic mmHg</th><th scope="col" class="n">pairs</th></tr>\
                </thead><tbody>\(row("All", pressures.pairs, upper.average, lower.average))\(times)\
                </tbody></table></div><p class="small">Lowest \(NumberText.grouped(upper.lowest))/\
                \(NumberText.grouped(lower.lowest)), highest \(NumberText.grouped(upper.highest))/\
                \(NumberText.grouped(lower.highest)). A pair that two apps recorded counts once.</p>\
                </section>

                """
        }
    }
}
