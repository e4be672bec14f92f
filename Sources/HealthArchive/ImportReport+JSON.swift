import Foundation
import HealthEngine
import HealthStorage

extension ImportReport {
    /// The report as scripts read it: one object, keys in a fixed order.
    ///
    /// `{"file","exportDate","bytes","seconds","homeTimeZone","elements","records","vanished",
    /// "repairs","unknown","types",…}`; what the file doesn't say is left out.
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
            "quarantinePlaces": .array(
                quarantinePlaces.map { place in
                    .object([
                        "offset": .integer(Int(place.offset)), "element": .string(place.element),
                        "reason": .string(place.reason),
                    ])
                }),
            "lost": .integer(lost),
            "firstLoss": firstLoss.map { .integer(Int($0)) },
            "truncatedAt": truncatedAt.map { .integer(Int($0)) },
            "equalRecords": .array(
                outcome.equals.map { equals in
                    .object([
                        "type": .string(equals.type), "source": .string(equals.source),
                        "count": .integer(equals.count),
                    ])
                }),
            "renamed": .array(
                outcome.renamed.map { renaming in
                    .object(["from": .string(renaming.from), "to": .string(renaming.to)])
                }),
            "setAside": .array(
                outcome.dayTotals.map { dayTotals in
                    .object([
                        "type": .string(dayTotals.type), "source": .string(dayTotals.source),
                        "bundleIdentifier": .string(dayTotals.bundleIdentifier),
                    ])
                }),
            "routes": routes.json,
            "files": files.json,
            "otherFiles": .counts(companions),
        ]).text
    }
}

extension ImportReport {
    /// The export's moment in ISO 8601, with the offset it was printed with.
    public var exportDateText: String? {
        guard let exportDate, let zone = TimeZone(secondsFromGMT: exportOffset ?? 0) else {
            return nil
        }
        return CalendarBuckets(timeZone: zone).text(exportDate)
    }
}

extension JSONText {
    /// What became of elements of one name: `elements` has `read`, `cutShort` and `superseded`
    /// together.
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
