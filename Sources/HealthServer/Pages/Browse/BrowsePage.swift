import Foundation
import HealthCalendar
package import HealthDashboard
package import HealthEngine
import HealthStorage

/// All types with data, grouped by part of health: `/browse`.
package struct BrowsePage: Page, Hashable {
    package static let path = "/browse"
    package static let title = "Browse"

    /// A type with data.
    package struct TypeRow: Hashable, Sendable, Codable {
        /// The short name, such as "stepCount".
        package var name: String
        /// The name as a title, such as "Resting heart rate".
        package var title: String
        /// The number of samples.
        package var samples: Int
        /// The day of the latest end of a sample.
        package var last: CivilDate
        /// The merged sum, the average or the time of that day, with its unit unless that is a count:
        /// "8,774", "58 bpm". Nil for types without such a value.
        package var latest: String?
        /// The address of the type's page.
        package var link: String
    }

    /// The types of one part of health.
    package struct Group: Hashable, Sendable, Codable {
        /// The part of health.
        package var domain: HealthDomain
        /// The types, by name.
        package var types: [TypeRow]
    }

    package var freshness: Freshness
    /// The IANA time zone that determines when days begin.
    package var timeZone: String
    /// The number of types with data.
    package var sentence: String
    /// The groups that have types.
    package var groups: [Group]

    /// - Parameters:
    ///   - contents: The store's types with their counts.
    ///   - calendar: Determines the days.
    ///   - now: When the contents were read.
    init(_ contents: StoreContents, in calendar: CalendarBuckets, now: Date) {
        let rows = contents.types.map { ($0.type.domain, TypeRow($0, calendar)) }
        groups = HealthDomain.allCases.compactMap { domain in
            let types = rows.filter { $0.0 == domain }.map(\.1).sorted { $0.title < $1.title }
            return types.isEmpty ? nil : Group(domain: domain, types: types)
        }
        freshness = Freshness(asOf: now, isCurrent: true)
        timeZone = calendar.calendar.timeZone.identifier
        sentence = counted(rows.count, "type of data", "types of data")
    }
}

extension BrowsePage {
    /// Adds the values of the types' last days.
    mutating func addLatestValues(
        from service: some HealthService, _ calendar: Calendar
    ) async throws(Unavailability) {
        for group in groups.indices {
            for row in groups[group].types.indices {
                let type = groups[group].types[row]
                guard let metric = type.metric, let day = calendar.interval(of: type.last)
                else { continue }
                let series = try await service.series(metric, by: .day, over: day)
                let value = series.points.lazy.compactMap(\.value).last
                groups[group].types[row].latest = value.map {
                    metric.unit == "count"
                        ? MetricText.number($0, of: metric) : MetricText.text($0, of: metric)
                }
            }
        }
    }
}

extension BrowsePage.TypeRow {
    /// The metric of the type; nil for types without values.
    fileprivate var metric: Metric? {
        Catalogue.type(named: name).flatMap { Metric($0) }
    }

    init(_ summary: TypeSummary, _ calendar: CalendarBuckets) {
        let row = DataPage.TypeRow(summary, calendar)
        self.init(
            name: row.name, title: TypeText.title(summary.type), samples: row.samples,
            last: row.last, link: row.link)
    }
}

extension HealthDomain {
    /// The heading of the group.
    var title: String {
        switch self {
        case .activity: "Activity"
        case .heart: "Heart"
        case .sleep: "Sleep"
        case .body: "Body"
        case .vitals: "Vitals and symptoms"
        case .nutrition: "Nutrition"
        case .mindAndCycle: "Mind and cycle"
        }
    }
}

extension SampleType {
    /// The address of the type's page. Sleep and workouts have pages of their own, rings are on the
    /// summary.
    var pageAddress: String {
        switch identifier {
        case Metric.sleep.identifier: SleepPage.path
        case Metric.workouts.identifier: WorkoutsPage.path
        case Metric.rings.identifier: SummaryPage.path
        default: "\(TypePage.path)/\(FormText.encoded(name))"
        }
    }
}
