import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// What the page of a type shows besides its chart: pairs of blood pressure, time in range and the course of
/// a day for glucose, the days of symptoms and other categories, cycles, and states of mind.
struct TypeDetails {
    let store: SampleStore
    let type: SampleType
    let days: ClosedRange<CivilDate>
    let calendar: Calendar

    /// The number of samples from which on categories aren't listed by value.
    static let maximumSamples = 5_000
    private static let pressures: Set<String> = [
        "bloodPressure", "bloodPressureSystolic", "bloodPressureDiastolic",
    ]

    /// The sections; empty for a type without any.
    var html: HTML {
        do {
            switch type.name {
            case let name where Self.pressures.contains(name): return try pressureSection
            case "bloodGlucose": return try glucoseSection
            case "menstrualFlow": return try cycleSections
            case "stateOfMind": return try stateOfMindSections
            default: return type.kind == .category ? try categorySections : .empty
            }
        } catch {
            return "<p class=\"small\">The details can’t be read.</p>"
        }
    }

    /// Returns the samples of a type that touch the days; nil for none and for more than are listed.
    func samples(of type: SampleType) throws -> SampleBatch? {
        guard let range = calendar.interval(of: days) else { return nil }
        let query = SampleQuery(
            type, from: range.start.timeIntervalSinceReferenceDate,
            to: range.end.timeIntervalSinceReferenceDate)
        let batch = try store.samples(query, limit: Self.maximumSamples)
        return batch.samples.isEmpty || batch.samples.count == Self.maximumSamples ? nil : batch
    }

    /// Returns the day on which a sample starts.
    func day(of sample: Sample) -> CivilDate {
        calendar.civilDate(of: Date(timeIntervalSinceReferenceDate: sample.start))
    }

    /// Returns a table of names and numbers; empty without rows.
    static func table(
        _ title: HTML, _ heads: [HTML], _ rows: [(name: HTML, numbers: [Int])]
    ) -> HTML {
        if rows.isEmpty { return .empty }
        let columns = heads.dropFirst().map { head -> HTML in
            "<th scope=\"col\" class=\"n\">\(head)</th>"
        }
        let lines = rows.map { row -> HTML in
            let numbers = row.numbers.map { number -> HTML in
                "<td class=\"n\">\(NumberText.grouped(Double(number)))</td>"
            }
            return "<tr><th scope=\"row\">\(row.name)</th>\(numbers)</tr>\n"
        }
        return """
            <section class="card"><h2>\(title)</h2><div class="scroll"><table><thead><tr>\
            <th scope="col">\(heads.first ?? .empty)</th>\(columns)</tr></thead>\
            <tbody>\(lines)</tbody></table></div></section>

            """
    }
}
