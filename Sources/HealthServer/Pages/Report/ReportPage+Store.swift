package import HealthCalendar
import HealthDashboard
import HealthEngine
package import HealthStorage

extension ReportPage {
    /// Adds what a ``HealthService`` can't return: the pairs of blood pressures, the readings of
    /// glucose, electrocardiograms, medications, and the sources.
    ///
    /// - Parameters:
    ///   - store: The store that the report was read from.
    ///   - calendar: The calendar and time zone of days.
    /// - Throws: `StoreError` if the store can't be read.
    /// - Complexity: O(samples of the report's types in the period).
    package mutating func add(_ store: SampleStore, in calendar: CalendarBuckets) throws {
        let days = first...max(first, last)
        guard let reading = ReportReading(store, days, calendar.calendar) else { return }
        for index in sections.indices where sections[index].kind != .sleep {
            var names: [String] = []
            for measure in sections[index].measures {
                guard let type = Catalogue.type(identifier: measure.metric.identifier) else {
                    continue
                }
                names += try reading.sources(of: type)
            }
            sections[index].sources = (names + sections[index].sources).firstOccurrences
            if sections[index].kind == .glucose { try reading.addReadings(to: &sections[index]) }
        }
        let added = [
            try reading.pressures(), try reading.electrocardiograms(), try reading.medications(),
        ]
        let order = Kind.allCases
        sections = (sections + added.compactMap(\.self)).sorted {
            (order.firstIndex(of: $0.kind) ?? 0) < (order.firstIndex(of: $1.kind) ?? 0)
        }
        sentence = Self.sentence(days, sections)
    }
}
