import HealthArchive
import HealthCalendar
import HealthEngine
import HealthStorage

/// Data for the report of an import that is read from the store after the import.
struct ImportedContents {
    /// A type and a day to suggest for `explain`; nil if no summed type has data. The type is steps
    /// if there are any. The day is the one with most duplicates in the last sixty days of data, or
    /// without duplicates the last one.
    var example: (type: SampleType, day: String)?
    /// The amount that excluded sources recorded, by the type's short name, in the unit of the
    /// report's inflation of that type.
    var excluded: [String: Double] = [:]

    private static let window = 60.0 * 86_400

    init(of path: String, _ report: ImportReport) throws {
        let store = try SampleStore(at: path, access: .reading)
        defer { try? store.close() }
        let types = try store.types().filter { $0.type.aggregation == .cumulative }
        if let summary = types.first(where: { $0.type.name == "stepCount" }) ?? types.first {
            let calendar = CalendarBuckets(timeZone: report.homeZone.timeZone)
            let day = try ImportedContents.day(of: summary, store, calendar)
            example = (summary.type, day)
        }
        let exclusions = try store.exclusions()
        for inflation in report.doubleCounting {
            let of = exclusions.filter { $0.type.name == inflation.type }
            guard let type = of.first?.type, let summary = types.first(where: { $0.type == type })
            else { continue }
            let query = SampleQuery(
                type, from: summary.first, to: summary.last.nextUp,
                sources: of.map(\.excluded.source.bundleIdentifier))
            let explanation = try store.explanation(of: query, unit: inflation.unit)
            excluded[inflation.type] = explanation.excluded.reduce(0) {
                $0 + $1.contributed + $1.duplicate
            }
        }
    }

    private static func day(
        of summary: TypeSummary, _ store: SampleStore, _ calendar: CalendarBuckets
    ) throws -> String {
        let edges = try calendar.edges(
            from: max(summary.first, summary.last - window), to: summary.last.nextUp, by: .day)
        var rules = StatisticsRules()
        rules.separation = .bySource
        rules.horizon = summary.last
        let days = try store.statistics(SampleQuery(summary.type), over: edges, rules: rules)
        let overlaps = days.buckets.map { bucket in
            (bucket.bySource ?? [:]).values.reduce(0) { $0 + ($1.sum ?? 0) }
                - (bucket.merged.sum ?? 0)
        }
        // Rounding errors give a small difference even without duplicates.
        let best = days.buckets.indices.max { overlaps[$0] < overlaps[$1] }
        if let best, overlaps[best] > 1e-6 { return calendar.day(days.buckets[best].start) }
        return calendar.day(days.buckets.last?.start ?? summary.last - 1)
    }
}
