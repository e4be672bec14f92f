package import Foundation
import HealthArchive
import HealthCalendar
import HealthDashboard
package import HealthEngine
import HealthStorage

extension ImportPage {
    /// The result of an import.
    package struct Report: Hashable, Sendable, Codable {
        /// A source with samples in the store.
        package struct Source: Hashable, Sendable, Codable {
            package var name: String
            package var samples: Int
            package var first: CivilDate
            package var last: CivilDate
        }

        /// What was found how often.
        package struct Count: Hashable, Sendable, Codable {
            package var what: String
            package var count: Int
        }

        /// A source that a type's statistics exclude, because it writes day totals.
        package struct Exclusion: Hashable, Sendable, Codable {
            package var source: String
            /// The type as words, such as "steps".
            package var words: String
            /// The address of the page that explains the type's numbers; nil for an unknown type.
            package var link: String?
        }

        /// The first and the last day of the store's samples; nil if there are none.
        package var first: CivilDate?
        package var last: CivilDate?
        /// When the export was made; nil if the file doesn't say.
        package var exportDate: Date?
        /// The IANA time zone of days.
        package var timeZone: String
        /// Whether the time zone is a guess.
        package var isZoneGuessed: Bool
        /// The sources with samples in the store, the most frequent first.
        package var sources: [Source]
        /// The outcomes for the kinds of elements that the file has.
        package var elements: [DataPage.Import.Tally]
        /// The number of samples that the export no longer contains, or that were replaced by newer
        /// versions.
        package var removed: Int
        /// The number of differing samples that this import may not change.
        package var notApplied: Int
        /// Repairs of the file, by kind.
        package var repaired: [Count]
        /// Invalid elements that were kept apart, by reason.
        package var quarantined: [Count]
        /// Elements and values that were kept although this version doesn't know them.
        package var unknown: [Count]
        /// Sources that this import excluded from statistics.
        package var excluded: [Exclusion]
        /// What is wrong with a file that was imported only in part; nil for a complete one.
        package var damage: String?
        /// The duration in seconds.
        package var seconds: Double
    }
}

extension ImportPage.Report {
    init(_ report: ImportReport) {
        let outcome = report.outcome
        let calendar = CalendarBuckets(timeZone: report.homeZone.timeZone)
        first = report.period.map { calendar.civilDate($0.first) }
        // The end is exclusive.
        last = report.period.map { calendar.civilDate(max($0.first, $0.last.nextDown)) }
        exportDate = report.exportDate.map(Date.init(timeIntervalSinceReferenceDate:))
        timeZone = report.homeZone.identifier
        isZoneGuessed = report.homeZone.reason == .guessed
        sources = report.sources.sorted { $0.samples > $1.samples }.map {
            Source(
                name: PrintableText.text($0.name), samples: $0.samples,
                first: calendar.civilDate($0.first), last: calendar.civilDate($0.last))
        }
        elements = [
            ("records", outcome.records), ("correlations", outcome.correlations),
            ("workouts", outcome.workouts), ("activity summaries", outcome.activitySummaries),
        ].compactMap { kind, tally -> DataPage.Import.Tally? in
            guard tally.read > 0 else { return nil }
            return DataPage.Import.Tally(
                kind: kind, read: tally.read, new: tally.new, unchanged: tally.unchanged,
                changed: tally.changed, repeated: tally.repeated, quarantined: tally.quarantined)
        }
        removed = outcome.vanished + outcome.replaced
        notApplied = outcome.notApplied
        repaired = Self.counts(report.repairs)
        quarantined = Self.counts(report.quarantineReasons)
        var unknown: [String: Int] = [:]
        for found in [
            report.unknownElements, report.unknownAttributes, report.unknownTypes,
            report.unknownUnits, report.unknownValues, report.untyped,
        ] {
            unknown.merge(found) { $0 + $1 }
        }
        self.unknown = Self.counts(unknown)
        excluded = outcome.dayTotals.map { found in
            let type = Catalogue.type(identifier: found.type)
            return Exclusion(
                source: PrintableText.text(found.source),
                words: type.map(TypeText.name) ?? found.type,
                link: type.map { "/why?metric=\($0.name)" })
        }
        damage = report.isComplete ? nil : Self.damage(report)
        seconds = report.seconds
    }

    /// The maximum number of kinds in a list.
    private static let maximumKinds = 12

    private static func counts(_ counts: [String: Int]) -> [Count] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(maximumKinds)
            .map { Count(what: PrintableText.text($0.key), count: $0.value) }
    }

    private static func damage(_ report: ImportReport) -> String {
        let place = report.truncatedAt ?? report.firstLoss
        let words = report.truncatedAt == nil ? "at" : "from"
        return "The file is damaged"
            + (place.map { " \(words) byte \(NumberText.grouped(Double($0)))" } ?? "")
            + ". Its complete elements were imported, and nothing was removed. Export again on the "
            + "phone and import the new file."
    }
}
