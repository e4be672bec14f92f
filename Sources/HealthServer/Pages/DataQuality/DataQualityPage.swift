package import Foundation
package import HealthDashboard
package import HealthEngine

/// Findings about the quality of a store's data, with suggestions.
package struct DataQualityPage: Page, Hashable {
    /// The address of the page.
    package static let path = "/check-up"
    /// The title of the page.
    package static let title = "Data quality"

    /// The kind of a finding.
    package enum Kind: String, Codable, Sendable, Hashable, CaseIterable {
        /// A device that was in contact daily and isn't any more.
        case silentDevice
        /// Types that a device in contact no longer sends, and others do.
        case missingType
        /// Totals that a device sends for a part of the day only.
        case partialTotals
        /// A source that wrote regularly and then stopped.
        case inactiveSource
        /// A source that an import excluded from a type's statistics because it writes daily
        /// totals.
        case dayTotals
        /// A day's amount or a reading outside plausible limits, a jump in weight, or too much
        /// sleep.
        case impossibleValue
        /// Two included sources that recorded the same time on at least seven days.
        case twoTrackers
        /// Samples that start in the future or before 2000, or were created more than a day before
        /// they start.
        case clockJump
        /// Elements that an import quarantined.
        case quarantined

        /// The kind's title, such as "Inactive source".
        package var title: String {
            switch self {
            case .silentDevice: "Silent device"
            case .missingType: "Missing type"
            case .partialTotals: "Incomplete totals"
            case .inactiveSource: "Inactive source"
            case .dayTotals: "Daily totals"
            case .impossibleValue: "Implausible value"
            case .twoTrackers: "Overlapping sources"
            case .clockJump: "Wrong date"
            case .quarantined: "Quarantined data"
            }
        }
    }

    /// A finding.
    package struct Finding: Codable, Sendable, Hashable {
        /// The kind of the finding.
        package var kind: Kind
        /// The finding in one sentence.
        package var sentence: String
        /// The first day concerned; nil if there is none. For an inactive source, a silent device
        /// and missing types it is the last day with data or contact, for quarantined data the day of the import.
        package var since: CivilDate?
        /// The display name of the type, such as "steps"; nil if there is no single one.
        package var type: String?
        /// The name of the source; nil if there is no single one.
        package var source: String?
        /// The number of days, samples or elements concerned; for an inactive source the days
        /// without data.
        package var count: Int
        /// The suggestion in one or two sentences.
        package var advice: String
        /// A command that resolves the finding or shows more; nil if there is none.
        package var command: String?
        /// The address of a page that shows more, such as "/why?metric=stepCount&day=2024-03-10";
        /// nil if there is none.
        package var link: String?

        package init(
            kind: Kind, sentence: String, since: CivilDate? = nil, type: String? = nil,
            source: String? = nil, count: Int, advice: String, command: String? = nil,
            link: String? = nil
        ) {
            self.kind = kind
            self.sentence = sentence
            self.since = since
            self.type = type
            self.source = source
            self.count = count
            self.advice = advice
            self.command = command
            self.link = link
        }
    }

    /// When the page's data was read, and whether it is current.
    package var freshness: Freshness
    /// The IANA time zone of days, such as "Europe/Berlin".
    package var timeZone: String
    /// The summary in one sentence.
    package var sentence: String
    /// The findings in the order of ``Kind``, within each kind by descending ``Finding/since``.
    package var findings: [Finding]
    /// The time that was examined by day; nil if no sample has begun.
    package var examined: DateInterval?
    /// The extent of the examination by day, one sentence each.
    package var notes: [String]
    /// The merged sums beside Apple's totals, by type; nil if no day can be compared.
    package var comparison: [ComparedType]?

    package init(
        freshness: Freshness, timeZone: String, sentence: String, findings: [Finding],
        examined: DateInterval?, notes: [String] = []
    ) {
        self.freshness = freshness
        self.timeZone = timeZone
        self.sentence = sentence
        self.findings = findings
        self.examined = examined
        self.notes = notes
    }
}
