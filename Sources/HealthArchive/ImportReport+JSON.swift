import Foundation
import HealthEngine
import HealthStorage

extension ImportReport {
    /// The report as scripts read it: one object, keys in a fixed order.
    ///
    /// `{"file","exportDate","bytes","seconds","homeTimeZone","elements","records","vanished",
    /// "repairs","unknown","types",…}`.
    public var json: String {
        var object = JSONObject()
        object.add("file", file)
        object.add("exportDate", exportDateText)
        object.add("bytes", Double(bytes))
        object.add("seconds", (seconds * 1000).rounded() / 1000)
        object.add("homeTimeZone", homeZone.identifier)
        object.add("homeTimeZoneReason", homeZone.reason.rawValue)
        object.add("kind", outcome.kind.rawValue)
        object.add("complete", raw: isWhole ? "true" : "false")
        object.add("elements", elements)
        object.add("records", outcome.records)
        object.add("correlations", outcome.correlations)
        object.add("workouts", outcome.workouts)
        object.add("activitySummaries", outcome.activitySummaries)
        object.add("vanished", Double(outcome.vanished))
        object.add("replaced", Double(outcome.replaced))
        object.add("notApplied", Double(outcome.notApplied))
        object.add("repairs", repairs)
        var unknown = JSONObject()
        unknown.add("elements", unknownElements)
        unknown.add("attributes", unknownAttributes)
        unknown.add("types", unknownTypes)
        unknown.add("units", unknownUnits)
        unknown.add("values", unknownValues)
        object.add("unknown", raw: unknown.text)
        object.add("types", outcome.types)
        object.add("keptAsText", untyped)
        object.add("quarantineReasons", quarantineReasons)
        object.add("lost", Double(lost))
        object.add("firstLoss", firstLoss.map(Double.init))
        object.add("truncatedAt", truncatedAt.map(Double.init))
        object.add("equalRecords", list: outcome.equals) { item, equals in
            item.add("type", equals.type)
            item.add("source", equals.source)
            item.add("count", Double(equals.count))
        }
        object.add("renamed", list: outcome.renamed) { item, renaming in
            item.add("from", renaming.from)
            item.add("to", renaming.to)
        }
        object.add("setAside", list: outcome.dayTotals) { item, dayTotals in
            item.add("type", dayTotals.type)
            item.add("source", dayTotals.source)
            item.add("bundleIdentifier", dayTotals.bundleIdentifier)
        }
        object.add("otherFiles", companions)
        return object.text
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

/// A JSON object written key by key in the order of the calls; nil adds nothing.
struct JSONObject {
    private var members: [String] = []

    var text: String { "{" + members.joined(separator: ",") + "}" }

    mutating func add(_ key: String, raw: String) {
        members.append(JSONObject.quoted(key) + ":" + raw)
    }

    mutating func add(_ key: String, _ value: String?) {
        if let value { add(key, raw: JSONObject.quoted(value)) }
    }

    mutating func add(_ key: String, _ value: Double?) {
        if let value { add(key, raw: JSONObject.number(value)) }
    }

    mutating func add(_ key: String, _ counts: [String: Int]) {
        var object = JSONObject()
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            object.add(name, Double(count))
        }
        add(key, raw: object.text)
    }

    mutating func add(_ key: String, _ tally: SnapshotOutcome.Tally) {
        var object = JSONObject()
        object.add("read", Double(tally.read))
        object.add("new", Double(tally.new))
        object.add("unchanged", Double(tally.unchanged))
        object.add("changed", Double(tally.changed))
        object.add("repeated", Double(tally.repeated))
        object.add("quarantined", Double(tally.quarantined))
        add(key, raw: object.text)
    }

    mutating func add<Item>(
        _ key: String, list: [Item], _ describe: (inout JSONObject, Item) -> Void
    ) {
        let items = list.map { item in
            var object = JSONObject()
            describe(&object, item)
            return object.text
        }
        add(key, raw: "[" + items.joined(separator: ",") + "]")
    }

    /// Whole numbers without a point, others with the shortest digits that read back the same.
    static func number(_ value: Double) -> String {
        if let whole = Int64(exactly: value), abs(whole) < 1 << 53 { return String(whole) }
        return value.isFinite ? "\(value)" : "null"
    }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case let control where control.value < 0x20:
                let digits = String(control.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
