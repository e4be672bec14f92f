import Foundation
import HealthCalendar
package import HealthDashboard
package import HealthEngine

extension ReportPage {
    /// The metrics that are read through a ``HealthService``.
    package static let metrics: [Metric] =
        [.restingHeartRate, .weight, .sleep, .steps, .exercise]
        + [Metric(name: "bloodGlucose")].compactMap(\.self)

    /// Reads the sections of metrics: resting heart rate, weight, sleep, activity and glucose.
    /// ``add(_:in:)`` adds the others, and the sources.
    ///
    /// - Parameters:
    ///   - service: The service; it must use the context's calendar.
    ///   - days: The period, both bounds included; see ``days(from:to:latest:today:)``.
    ///   - context: The time and calendar.
    /// - Throws: ``Unavailability``.
    package init(
        of service: some HealthService, _ days: ClosedRange<CivilDate>, context: PageContext
    ) async throws(Unavailability) {
        let calendar = context.calendar
        var sections: [Section] = []
        for kind in Kind.allCases {
            let metrics: [Metric]
            switch kind {
            case .restingHeartRate: metrics = [.restingHeartRate]
            case .weight: metrics = [.weight]
            case .activity: metrics = [.steps, .exercise]
            case .glucose: metrics = [Metric(name: "bloodGlucose")].compactMap(\.self)
            case .sleep:
                if let section = try await Self.sleep(service, days, calendar) {
                    sections.append(section)
                }
                continue
            case .bloodPressure, .electrocardiograms, .medications: continue
            }
            if let section = try await Self.section(kind, of: metrics, service, days, calendar) {
                sections.append(section)
            }
        }
        self.init(
            freshness: Freshness(asOf: context.now, isCurrent: true),
            timeZone: calendar.timeZone.identifier, first: days.lowerBound,
            last: days.upperBound, sections: sections, sentence: Self.sentence(days, sections))
    }

    private static func section(
        _ kind: Kind, of metrics: [Metric], _ service: some HealthService,
        _ days: ClosedRange<CivilDate>, _ calendar: Calendar
    ) async throws(Unavailability) -> Section? {
        guard let range = calendar.interval(of: withDaysBefore(days)) else { return nil }
        var section: Section?
        var devices: [String] = []
        for metric in metrics {
            let points = try await service.series(metric, by: .day, over: range).points
            let values = ReportDays(points, of: metric, in: days, calendar)
            guard let measure = values.measure else { continue }
            var known = section ?? Section(kind, values)
            known.measures.append(measure)
            section = known
            for point in points where days.contains(calendar.civilDate(of: point.start)) {
                if let total = point.appleTotal { devices.append(total.device) }
            }
        }
        section?.sources = devices.firstOccurrences.map { "Apple’s totals from \($0)" }
        return section
    }

    private static func sleep(
        _ service: some HealthService, _ days: ClosedRange<CivilDate>, _ calendar: Calendar
    ) async throws(Unavailability) -> Section? {
        let nights = try await service.nights(withDaysBefore(days))
        let points = nights.compactMap { night -> HealthSeries.Point? in
            guard let asleep = night.asleep else { return nil }
            return HealthSeries.Point(
                start: calendar.midnight(night.morning),
                end: calendar.midnight(night.morning.advanced(by: 1)), value: asleep)
        }
        let values = ReportDays(points, of: .sleep, in: days, calendar)
        guard let measure = values.measure else { return nil }
        var section = Section(.sleep, values)
        section.measures = [measure]
        let parts = nights.filter { days.contains($0.morning) }.flatMap(\.parts)
        let counted = parts.filter { $0.counted > 0 }.sorted { $0.rank < $1.rank }
        section.sources = counted.map { PrintableText.name($0.source) }.firstOccurrences
        return section
    }
}

extension [String] {
    /// The elements without repetitions, in the order of their first occurrence.
    var firstOccurrences: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
