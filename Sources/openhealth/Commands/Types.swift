import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// `openhealth types`
struct Types: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Lists the store's types with their number of samples, first and last day.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        let store = try global.open()
        let calendar = try global.calendar(of: store)
        let types = try store.types()
        try global.json
            ? Output.print(TypeList.json(types, calendar))
            : Output.print(TypeList.text(types, calendar))
    }
}

enum TypeList {
    static func json(_ types: [TypeSummary], _ calendar: CalendarBuckets) -> JSONText {
        .object([
            "types": .array(
                types.map {
                    .object([
                        "type": .string($0.type.identifier),
                        "unit": .text($0.type.resultUnit),
                        "samples": .integer($0.samples),
                        "first": .string(calendar.of($0.type).text($0.first)),
                        "last": .string(calendar.of($0.type).text($0.last)),
                    ])
                })
        ])
    }

    static func text(_ types: [TypeSummary], _ calendar: CalendarBuckets) -> String {
        let timed = types.filter { $0.type.kind != .activitySummary }
        guard let first = (timed.isEmpty ? types : timed).map(\.first).min(),
            let last = (timed.isEmpty ? types : timed).map(\.last).max()
        else {
            return StoreOptions.completed(
                "The store has no samples yet. Import an export: openhealth import export.zip\n")
        }
        let samples = types.reduce(0) { $0 + $1.samples }
        var table = Table([
            .text("type", maximumWidth: 36), .text("unit", maximumWidth: 12), .number("samples"),
            .text("first"), .text("last"),
        ])
        for summary in types {
            table.rows.append([
                summary.type.name, summary.type.resultUnit ?? "",
                NumberText.grouped(Double(summary.samples)),
                calendar.of(summary.type).day(summary.first),
                calendar.of(summary.type).day(summary.last),
            ])
        }
        return """
            \(counted(samples, "sample", "samples")) of \(counted(types.count, "type", "types")), \
            from \(DateText.long(first, calendar)) to \(DateText.long(last, calendar)).

            \(table.text)
            """
    }
}

extension SampleType {
    /// The unit of the type's statistics: seconds for categories; nil for types without values.
    var resultUnit: String? { kind == .category ? "s" : displayUnit ?? canonicalUnit }
}

extension CalendarBuckets {
    /// Returns the calendar for a type's times. Activity summaries have days without a time zone,
    /// stored as midnights in UTC.
    func of(_ type: SampleType) -> CalendarBuckets {
        type.kind == .activitySummary ? CalendarBuckets(timeZone: .gmt) : self
    }
}
