import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// The output of `imports diff --samples`.
enum SampleChangeText {
    static func json(
        _ change: ImportDifference.SampleChange, _ calendar: CalendarBuckets
    ) -> JSONText {
        let calendar = calendar.of(change.type)
        return .object([
            "change": .string(change.kind.rawValue),
            "type": .string(change.type.identifier),
            "start": .string(calendar.text(change.start)),
            "end": .string(calendar.text(change.end)),
            "source": .string(change.source),
            "before": change.kind == .new ? nil : value(change.before, change.unit),
            "after": change.kind == .new || change.kind == .changed
                ? value(change.after, change.afterUnit) : nil,
        ])
    }

    private static func value(_ value: Double?, _ unit: String?) -> JSONText {
        guard let value else { return .null }
        return .object(["value": .number(value), "unit": unit.map(JSONText.string)])
    }

    /// - Parameter all: The number of samples, of which some may be listed.
    static func text(
        _ changes: [ImportDifference.SampleChange], of all: Int, _ calendar: CalendarBuckets
    ) -> String {
        var table = Table([
            .text("change"), .text("start"), .text("type", maximumWidth: 26), .number("before"),
            .number("after"), .text("unit", maximumWidth: 12), .text("source", maximumWidth: 20),
        ])
        for change in changes {
            let calendar = calendar.of(change.type)
            table.rows.append([
                change.kind.rawValue, DateText.minute(change.start, calendar), change.type.name,
                written(change.before, change), written(change.after, change),
                change.afterUnit ?? change.unit ?? "", change.source,
            ])
        }
        let rest = all - changes.count
        let note =
            rest > 0
            ? "\n\(counted(rest, "more sample isn\u{2019}t", "more samples aren\u{2019}t")) listed; "
                + "--limit lists more.\n" : ""
        return table.text + note
    }

    private static func written(
        _ value: Double?, _ change: ImportDifference.SampleChange
    ) -> String {
        guard let value else { return "" }
        if change.type.kind == .category {
            return ValueName.name(Int(clamping: value), of: change.type)
        }
        return NumberText.shortest(value)
    }
}
