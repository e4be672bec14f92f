import Foundation
import HealthCalendar
import HealthEngine
public import HealthStorage

/// The results of an import, for display and as JSON.
public struct ImportReport: Sendable {
    /// A type that several sources recorded, with its plain and its merged sum.
    public struct Inflation: Sendable, Hashable {
        /// The short name of the type, for example "stepCount".
        public var type: String
        /// The unit of both sums.
        public var unit: String
        /// The sum over all sources, with duplicates.
        public var naive: Double
        /// The sum after merging, without double counting.
        public var merged: Double
    }

    /// A quarantined element and its position.
    public struct QuarantinePlace: Sendable, Hashable {
        /// The offset in the XML at which the element begins, in bytes.
        public var offset: Int64
        /// The element's name.
        public var element: String
        /// Why it was quarantined.
        public var reason: String
    }

    /// The file's name, without its folder.
    public var file: String
    /// The export's date in seconds since 2001-01-01T00:00:00Z; nil if the file has none.
    public var exportDate: Double?
    /// The UTC offset that the export's date is printed with, in seconds east of UTC.
    public var exportOffset: Int?
    /// The locale of the phone, for example "en_US".
    public var locale: String?
    /// The size of the XML in bytes.
    public var bytes: Int64
    /// The duration of the import in seconds.
    public var seconds: Double
    /// The home time zone of the store, and how it was determined.
    public var homeZone: HomeZone
    /// The effect of the import on the store.
    public var outcome: SnapshotOutcome
    /// Elements by name, at any depth. For records, correlations, workouts and activity summaries
    /// this is the sum of those read, ``cutShort`` and ``superseded``.
    public var elements: [String: Int]
    /// The number of elements by name that the end of the file truncated, with the complete records
    /// in them. They aren't imported.
    public var cutShort: [String: Int]
    /// The number of activity summaries that a later one of the same day replaced.
    public var superseded: Int
    /// The number of repairs by kind; see ``Repair``.
    public var repairs: [String: Int]
    /// The number of unknown elements by name.
    public var unknownElements: [String: Int]
    /// The number of unknown attributes by "Element.attribute".
    public var unknownAttributes: [String: Int]
    /// The number of samples of unknown types by identifier.
    public var unknownTypes: [String: Int]
    /// The number of samples and elements by unknown or unfitting unit.
    public var unknownUnits: [String: Int]
    /// The number of unknown category values, activities and events by name.
    public var unknownValues: [String: Int]
    /// The number of known elements by name that this version keeps as text.
    public var untyped: [String: Int]
    /// The number of quarantined elements by reason.
    public var quarantineReasons: [String: Int]
    /// The positions of the first twenty quarantined elements.
    public var quarantinePlaces: [QuarantinePlace]
    /// The number of positions where an element, its start or its end was lost to damage.
    public var lost: Int
    /// The offset in the XML of the first loss, in bytes.
    public var firstLoss: Int64?
    /// The offset in the XML at which the file was truncated, in bytes; nil if it is complete.
    public var truncatedAt: Int64?
    /// The results for the route files that workouts reference.
    public var routes: RouteTally
    /// The results for electrocardiograms, clinical records, attachments and the clinical document.
    public var files: CompanionTally
    /// The number of other files of the export, which aren't imported, by folder.
    public var companions: [String: Int]

    // The contents of the store after the import.

    /// The first start and the latest end of all samples, in seconds since 2001-01-01T00:00:00Z.
    /// Activity summaries are excluded.
    public var period: (first: Double, last: Double)?
    /// The sources of the store.
    public var sources: [SourceSummary]
    /// The plain and merged sums of common types with several sources.
    public var inflations: [Inflation]
    /// Why the three properties above are missing although the import succeeded; else nil.
    public var contentsFailure: String?

    /// Whether every element of the file was read and complete.
    public var isWhole: Bool { lost == 0 && truncatedAt == nil }
}

extension ImportReport {
    /// The report as JSON: one object, with keys in a fixed order.
    ///
    /// `{"file","exportDate","bytes","seconds","homeTimeZone","elements","records","vanished",
    /// "repairs","unknown","types",…}`; keys without a value in the file are omitted.
    public var json: String {
        JSONText.object([
            "file": .string(file),
            "exportDate": exportDateText.map(JSONText.string),
            "bytes": .integer(Int(bytes)),
            "seconds": .number((seconds * 1000).rounded() / 1000),
            "homeTimeZone": .string(homeZone.identifier),
            "homeTimeZoneReason": .string(homeZone.reason.rawValue),
            "kind": .string(outcome.kind.rawValue),
            "complete": .bool(isWhole),
            "elements": .counts(elements),
            "records": .tally(outcome.records, cutShort["Record"]),
            "correlations": .tally(outcome.correlations, cutShort["Correlation"]),
            "workouts": .tally(outcome.workouts, cutShort["Workout"]),
            "activitySummaries": .tally(
                outcome.activitySummaries, cutShort["ActivitySummary"], superseded: superseded),
            "vanished": .integer(outcome.vanished),
            "replaced": .integer(outcome.replaced),
            "notApplied": .integer(outcome.notApplied),
            "repairs": .counts(repairs),
            "unknown": .object([
                "elements": .counts(unknownElements), "attributes": .counts(unknownAttributes),
                "types": .counts(unknownTypes), "units": .counts(unknownUnits),
                "values": .counts(unknownValues),
            ]),
            "types": .counts(outcome.types),
            "keptAsText": .counts(untyped),
            "quarantineReasons": .counts(quarantineReasons),
            "quarantinePlaces": quarantinePlacesJSON,
            "lost": .integer(lost),
            "firstLoss": firstLoss.map { .integer(Int($0)) },
            "truncatedAt": truncatedAt.map { .integer(Int($0)) },
            "equalRecords": equalRecordsJSON,
            "renamed": .array(
                outcome.renamed.map { renaming in
                    .object(["from": .string(renaming.from), "to": .string(renaming.to)])
                }),
            "setAside": setAsideJSON,
            "routes": routes.json,
            "files": files.json,
            "otherFiles": .counts(companions),
        ]).text
    }

    private var quarantinePlacesJSON: JSONText {
        .array(
            quarantinePlaces.map { place in
                .object([
                    "offset": .integer(Int(place.offset)), "element": .string(place.element),
                    "reason": .string(place.reason),
                ])
            })
    }

    private var equalRecordsJSON: JSONText {
        .array(
            outcome.equals.map { equals in
                .object([
                    "type": .string(equals.type), "source": .string(equals.source),
                    "count": .integer(equals.count),
                ])
            })
    }

    private var setAsideJSON: JSONText {
        .array(
            outcome.dayTotals.map { dayTotals in
                .object([
                    "type": .string(dayTotals.type), "source": .string(dayTotals.source),
                    "bundleIdentifier": .string(dayTotals.bundleIdentifier),
                ])
            })
    }
}

extension ImportReport {
    /// The export's date in ISO 8601, with its printed offset.
    public var exportDateText: String? {
        guard let exportDate, let zone = TimeZone(secondsFromGMT: exportOffset ?? 0) else {
            return nil
        }
        return CalendarBuckets(timeZone: zone).text(exportDate)
    }
}

extension JSONText {
    /// Returns the results for elements of one name: the count in `elements` is the sum of `read`,
    /// `cutShort` and `superseded`.
    fileprivate static func tally(
        _ tally: SnapshotOutcome.Tally, _ cutShort: Int?, superseded: Int? = nil
    ) -> JSONText {
        .object([
            "read": .integer(tally.read), "new": .integer(tally.new),
            "unchanged": .integer(tally.unchanged), "changed": .integer(tally.changed),
            "repeated": .integer(tally.repeated), "quarantined": .integer(tally.quarantined),
            "cutShort": .integer(cutShort ?? 0),
            "superseded": superseded.map(JSONText.integer),
        ])
    }
}
