import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

extension TypeDetails {
    /// The days of the flow with spotting and ovulation tests, and the cycles of two years; empty without
    /// any.
    var cycleSections: HTML {
        get throws {
            guard let enumeration = type.valueEnumeration else { return .empty }
            var lanes = try samples(of: type).map { self.lanes(of: $0.samples, enumeration) } ?? []
            lanes += try accompanying
            let chart = SVGDayLanes(
                title: "Cycle, days by what was recorded", lanes: lanes, days: days,
                calendar: calendar, address: address)
            return "\(card("Days", chart))\(cycleTable(try cycles))"
        }
    }

    /// The days of spotting, and of ovulation tests that weren't negative.
    private var accompanying: [SVGDayLanes.Lane] {
        get throws {
            let tests = try Catalogue.type(named: "ovulationTestResult").flatMap(samples)
            let spotting = try Catalogue.type(named: "intermenstrualBleeding").flatMap(samples)
            let positive = (tests?.samples ?? []).filter { $0.value == 2 || $0.value == 4 }
            return [
                ("Spotting", spotting?.samples ?? []), ("Ovulation test", positive),
            ].compactMap { name, samples in
                samples.isEmpty
                    ? nil : SVGDayLanes.Lane(name: name, days: Set(samples.map(day)))
            }
        }
    }

    /// The number of days in which cycles are looked for.
    private static let readDays = 730

    private var cycles: CycleHistory {
        get throws {
            let first = max(
                days.upperBound.advanced(by: -Self.readDays), CivilDate.supportedRange.lowerBound)
            guard let range = calendar.interval(of: first...days.upperBound) else {
                return CycleHistory([])
            }
            let query = SampleQuery(
                type, from: range.start.timeIntervalSinceReferenceDate,
                to: range.end.timeIntervalSinceReferenceDate)
            let batch = try store.samples(query, limit: Self.maximumSamples)
            let enumeration = type.valueEnumeration ?? ""
            return CycleHistory(
                batch.samples.map { sample in
                    CycleHistory.Day(
                        day: day(of: sample),
                        isBleeding: !Catalogue.isAbsence(
                            Int(clamping: sample.value), of: enumeration),
                        isStart: batch.metadata(of: sample)?["HKMenstrualCycleStart"] == .number(1))
                })
        }
    }

    private func cycleTable(_ history: CycleHistory) -> HTML {
        guard !history.periods.isEmpty else { return .empty }
        let rows = history.periods.suffix(12).reversed().map { period -> HTML in
            """
            <tr><th scope="row"><a href="\(TypePage.path)/\(query: type.name)?period=month&amp;\
            day=\(period.first.description)">\(PageDateText.short(period.first))</a></th>\
            <td class="n">\(period.bleedingDays)</td>\
            <td class="n">\(period.cycleLength.map { "\($0)" } ?? "–")</td></tr>

            """
        }
        let lengths = history.lengths.map { lengths -> HTML in
            """
            <p>\(counted(lengths.count, "complete cycle", "complete cycles")) in two years: \
            median \(counted(lengths.median, "day", "days")), \(lengths.shortest) to \
            \(lengths.longest).</p>
            """
        }
        return """
            <section class="card d-mind"><h2>Cycles</h2>\(lengths)<div class="scroll"><table><thead><tr>\
            <th scope="col">First day</th><th scope="col" class="n">days of bleeding</th>\
            <th scope="col" class="n">days to the next</th></tr></thead><tbody>\(rows)</tbody></table>\
            </div><p class="small">A cycle begins on a day that an app marked as its start; without such \
            marks, on a day of bleeding after \(CycleHistory.minimumGap) days without. A length says \
            nothing about a next one.</p></section>

            """
    }
}
