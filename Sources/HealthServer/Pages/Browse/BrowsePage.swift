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

extension BrowsePage.TypeRow {
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
    /// The address of the type's page. Sleep, workouts have pages of their own.
    var pageAddress: String {
        switch identifier {
        case Metric.sleep.identifier: SleepPage.path
        case Metric.workouts.identifier: WorkoutsPage.path
        default: "\(TypePage.path)/\(FormText.encoded(name))"
        }
    }
}
