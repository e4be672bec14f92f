import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

extension TypeDetails {
    /// The days of a category by value, the number of samples of each value, and other symptoms on these
    /// days; empty without samples, and for sleep, which has a page of its own.
    var categorySections: HTML {
        get throws {
            guard type.identifier != Metric.sleep.identifier,
                let enumeration = type.valueEnumeration,
                let batch = try samples(of: type)
            else { return .empty }
            let chart = SVGDayLanes(
                title: "\(TypeText.name(type).capitalizedFirst), days by value",
                lanes: lanes(of: batch.samples, enumeration), days: days, calendar: calendar,
                address: address)
            let others = Self.isSymptom(enumeration) ? try otherSymptoms : .empty
            return """
                \(card("Days", chart))\(valueTable(batch.samples, enumeration))\(others)
                """
        }
    }

    /// Returns a chart as a section; empty if it has too many days.
    func card(_ title: HTML, _ chart: SVGDayLanes) -> HTML {
        let figure = chart.figure
        if figure.isEmpty { return .empty }
        return """
            <section class="card \(type.domain.cssClass)"><h2>\(title)</h2>\(figure)</section>

            """
    }

    /// The address of this type on a day, or in the month of a day.
    func address(of day: CivilDate, _ period: SummaryPage.Period) -> HTML {
        "\(TypePage.path)/\(query: type.name)?period=\(period.rawValue)&amp;day=\(day.description)"
    }

    /// Returns the days of each value that occurs: the highest first, as the strongest of a severity, and
    /// values that state absence last.
    func lanes(of samples: [Sample], _ enumeration: String) -> [SVGDayLanes.Lane] {
        let byValue = Dictionary(grouping: samples) { Int(clamping: $0.value) }
        func isAbsence(_ value: Int) -> Bool { Catalogue.isAbsence(value, of: enumeration) }
        let values = byValue.keys.sorted { a, b in
            isAbsence(a) != isAbsence(b) ? isAbsence(b) : a > b
        }
        return values.map { value in
            SVGDayLanes.Lane(
                name: Self.name(of: value, enumeration), isAbsence: isAbsence(value),
                days: Set((byValue[value] ?? []).map(day)))
        }
    }

    /// The name of a value: "Moderate"; "Value 7" for an unknown one.
    static func name(of value: Int, _ enumeration: String) -> String {
        Catalogue.value(value, of: enumeration).map { TypeText.split($0.name).capitalizedFirst }
            ?? "Value \(value)"
    }

    private func valueTable(_ samples: [Sample], _ enumeration: String) -> HTML {
        let byValue = Dictionary(grouping: samples) { Int(clamping: $0.value) }
        let rows = byValue.sorted { $0.key < $1.key }.map { value, samples in
            (
                name: "\(Self.name(of: value, enumeration))" as HTML,
                numbers: [samples.count, Set(samples.map(day)).count]
            )
        }
        return Self.table("Recorded values", ["Value", "samples", "days"], rows)
    }

    private static func isSymptom(_ enumeration: String) -> Bool {
        ["HKCategoryValueSeverity", "HKCategoryValuePresence"].contains(enumeration)
    }

    /// The other symptoms that were recorded on the days, the most frequent first.
    private var otherSymptoms: HTML {
        get throws {
            guard let range = calendar.interval(of: days) else { return .empty }
            let (from, to) = (
                range.start.timeIntervalSinceReferenceDate, range.end.timeIntervalSinceReferenceDate
            )
            let found = try store.presentTypes().filter { other in
                other.valueEnumeration.map(Self.isSymptom) ?? false && other.name != type.name
            }.compactMap { other -> (type: SampleType, count: Int)? in
                let count = try store.starts(of: other, from: from, to: to)?.samples ?? 0
                return count > 0 ? (other, count) : nil
            }
            let rows = found.sorted { $0.count > $1.count }.map { other, count in
                (
                    name: """
                    <a href="\(TypePage.path)/\(query: other.name)?period=month&amp;\
                    day=\(days.lowerBound.description)">\(TypeText.name(other).capitalizedFirst)</a>
                    """ as HTML,
                    numbers: [count]
                )
            }
            return Self.table("Other symptoms on these days", ["Symptom", "samples"], rows)
        }
    }
}
