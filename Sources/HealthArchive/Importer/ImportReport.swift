import Foundation
import HealthCalendar
import HealthEngine
public import HealthStorage

/// The results of an import, for display and as JSON.
public struct ImportReport: Sendable {
    /// A type that several sources recorded, with its plain and its merged sum.
    public struct DoubleCounting: Sendable, Hashable {
        /// The short name of the type, for example "stepCount".
        public var type: String
        /// The unit of both sums.
        public var unit: String
        /// The total of the sums of all sources, with duplicates.
        public var naive: Double
        /// The sum after merging, without double counting.
        public var merged: Double
    }

    /// A quarantined element and its position.
    public struct QuarantineLocation: Sendable, Hashable {
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
    /// The offset with which the export's date is printed, in seconds east of UTC; nil if the file
    /// has no date.
    public var exportOffset: Int?
    /// The locale of the phone, for example "en_US"; nil if the file has none.
    public var locale: String?
    /// The size of the XML in bytes.
    public var bytes: Int64
    /// The duration of the import in seconds.
    public var seconds: Double
    /// The home time zone of the store, and how it was determined.
    public var homeZone: HomeZone
    /// The effect of the import on the store.
    public var outcome: SnapshotOutcome
    /// The number of elements by name, at any depth. For records, correlations, workouts and
    /// activity summaries it is the sum of those read according to ``outcome`` (without the
    /// electrocardiograms of ``files``; the records include audiograms and prescriptions), ``truncatedElements`` and ``superseded``.
    public var elements: [String: Int]
    /// The number of elements by name that the end of the file truncated, and of the complete
    /// records inside them. None of these is imported.
    public var truncatedElements: [String: Int]
    /// The number of activity summaries that a later one of the same day replaced.
    public var superseded: Int
    /// The number of repairs by raw value of ``Repair``, and of further repairs by the reader, such
    /// as "keptAsText".
    public var repairs: [String: Int]
    /// How often each unknown element occurred, by name.
    public var unknownElements: [String: Int]
    /// How often each unknown attribute occurred, by "Element.attribute".
    public var unknownAttributes: [String: Int]
    /// The number of samples of unknown types by identifier.
    public var unknownTypes: [String: Int]
    /// The number of samples and other elements by unknown or unfitting unit; "(none)" for
    /// quantities without a unit.
    public var unknownUnits: [String: Int]
    /// The number of unknown category values, activities and events by name; "(none)" for missing
    /// category values.
    public var unknownValues: [String: Int]
    /// The number of known elements by name that this version doesn't read, but keeps as text.
    public var untyped: [String: Int]
    /// The number of quarantined elements by reason.
    public var quarantineReasons: [String: Int]
    /// The positions of the first twenty quarantined elements.
    public var quarantineLocations: [QuarantineLocation]
    /// The number of positions where damage or a limit lost an element, a part of one, its start or
    /// its end.
    public var lost: Int
    /// The offset in the XML of the first loss, in bytes; nil if there is none.
    public var firstLoss: Int64?
    /// The offset in the XML at which the file was truncated, in bytes; nil if it is complete.
    public var truncatedAt: Int64?
    /// The results for the route files that workouts reference.
    public var routes: RouteTally
    /// The results for electrocardiograms, clinical records, attachments and the clinical document.
    public var files: CompanionTally
    /// The number of other files of the export, which aren't imported, by the name of the folder
    /// that contains them. A file directly beside the XML is listed under its own name.
    public var companions: [String: Int]

    // The contents of the store after the import.

    /// The earliest start and the latest end of the store's samples, in seconds since
    /// 2001-01-01T00:00:00Z; nil if there are none. Activity summaries are excluded, and an
    /// undetermined end counts as the start.
    public var period: (first: Double, last: Double)?
    /// The sources with samples in the store, in the default order.
    public var sources: [SourceSummary]
    /// The plain and merged sums of steps, distance, active energy and flights climbed, for those
    /// that several sources recorded.
    public var doubleCounting: [DoubleCounting]
    /// Why values of the three properties above are missing although the import succeeded; nil if
    /// none are.
    public var contentsFailure: String?

    /// Whether nothing of the file was lost to truncation, damage or a limit. Quarantined elements
    /// don't count as lost.
    public var isComplete: Bool { lost == 0 && truncatedAt == nil }
}

extension ImportReport {
    /// The report as JSON: one object, with keys in a fixed order. It has no keys for ``locale``
    /// and for the contents of the store: ``period``, ``sources``, ``doubleCounting`` and
    /// ``contentsFailure``.
    ///
    /// `{"file","exportDate","bytes","seconds","homeTimeZone","elements","records","vanished",
    /// "repairs","unknown","types",…}`. `exportDate`, `firstLoss` and `truncatedAt` are omitted if
    /// they are nil.
    public var json: String {
        JSONText.object([
            "file": .string(file),
            "exportDate": exportDateText.map(JSONText.string),
            "bytes": .integer(Int(bytes)),
            "seconds": .number((seconds * 1000).rounded() / 1000),
            "homeTimeZone": .string(homeZone.identifier),
            "homeTimeZoneReason": .string(homeZone.reason.rawValue),
            "kind": .string(outcome.kind.rawValue),
            "complete": .bool(isComplete),
            "elements": .counts(elements),
            "records": .tally(
                outcome.records,
                (["Record"] + ExportReader.measurementElements)
                    .compactMap { truncatedElements[$0] }.reduce(0, +)),
            "correlations": .tally(outcome.correlations, truncatedElements["Correlation"]),
            "workouts": .tally(outcome.workouts, truncatedElements["Workout"]),
            "activitySummaries": .tally(
                outcome.activitySummaries, truncatedElements["ActivitySummary"],
                superseded: superseded),
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
            "quarantinePlaces": quarantineLocationsJSON,
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

    private var quarantineLocationsJSON: JSONText {
        .array(
            quarantineLocations.map { location in
                .object([
                    "offset": .integer(Int(location.offset)), "element": .string(location.element),
                    "reason": .string(location.reason),
                ])
            })
    }

    private var equalRecordsJSON: JSONText {
        .array(
            outcome.equalRecords.map { equals in
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
    /// The export's date in ISO 8601, with its printed offset; nil if the file has no date.
    public var exportDateText: String? {
        guard let exportDate, let zone = TimeZone(secondsFromGMT: exportOffset ?? 0) else {
            return nil
        }
        return CalendarBuckets(timeZone: zone).text(exportDate)
    }
}

extension JSONText {
    /// Returns the counts for elements of one name. Their number in `elements` is the sum of
    /// `read`, `truncatedElements` and `superseded`.
    fileprivate static func tally(
        _ tally: SnapshotOutcome.Tally, _ truncated: Int?, superseded: Int? = nil
    ) -> JSONText {
        .object([
            "read": .integer(tally.read), "new": .integer(tally.new),
            "unchanged": .integer(tally.unchanged), "changed": .integer(tally.changed),
            "repeated": .integer(tally.repeated), "quarantined": .integer(tally.quarantined),
            "cutShort": .integer(truncated ?? 0),
            "superseded": superseded.map(JSONText.integer),
        ])
    }
}

extension ImportReport {
    /// The types whose plain and merged sums are compared. Their duplicates are the most visible.
    private static let comparedTypes = [
        "stepCount", "distanceWalkingRunning", "activeEnergyBurned", "flightsClimbed",
    ]

    /// Adds the store's contents after the import: its period, its sources, and the effect of
    /// merging.
    ///
    /// The import is already committed. If this fails, the report lacks some of these values and
    /// ``contentsFailure`` holds the reason. It takes a pass over the store's samples and the
    /// statistics of up to four types.
    mutating func addContents(of path: String) {
        do {
            let store = try SampleStore(at: path, access: .reading)
            defer { try? store.close() }
            let contents = try store.contents()
            sources = contents.sources
            let types = contents.types
            // Activity summaries have no time zone. As midnights in UTC they would seem to begin a
            // day early west of UTC.
            let timed = types.filter { $0.type.kind != .activitySummary }
            if let first = timed.map(\.first).min(), let last = timed.map(\.last).max() {
                period = (first, last)
            }
            for name in ImportReport.comparedTypes {
                guard let type = types.first(where: { $0.type.name == name }),
                    contents.sourceCounts[type.type.code] ?? 0 > 1
                else { continue }
                if let amounts = try ImportReport.doubleCounting(of: type, in: store) {
                    doubleCounting.append(amounts)
                }
            }
        } catch {
            contentsFailure = "\(error)"
        }
    }

    /// Returns the sum over all sources and the merged total of a type; nil if all its samples are
    /// at one instant.
    private static func doubleCounting(
        of summary: TypeSummary, in store: SampleStore
    ) throws -> DoubleCounting? {
        var rules = StatisticsRules()
        rules.separation = .bySource
        rules.horizon = summary.last
        // Thirty days at a time, without a calendar, since only the total is used.
        let edges =
            Array(stride(from: summary.first, to: summary.last, by: 30 * 86_400)) + [
                summary.last + 1
            ]
        guard edges.count > 1 else { return nil }
        let statistics = try store.statistics(SampleQuery(summary.type), over: edges, rules: rules)
        var result = DoubleCounting(
            type: summary.type.name, unit: statistics.unit, naive: 0, merged: 0)
        for bucket in statistics.buckets {
            result.merged += bucket.merged.sum ?? 0
            for values in (bucket.bySource ?? [:]).values { result.naive += values.sum ?? 0 }
        }
        return result
    }
}
