import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// `openhealth imports`
struct Imports: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "imports",
        abstract: "Lists imports, shows what an import changed, and undoes the newest one.",
        subcommands: [List.self, Diff.self, Undo.self],
        defaultSubcommand: List.self)
}

extension Imports {
    /// `openhealth imports list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists all imports with their results (the default).")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open()
            let calendar = try global.calendar(of: store)
            let imports = try store.imports().reversed().map { ImportLine($0) }
            try global.json
                ? Output.print(ImportList.json(imports, calendar))
                : Output.print(ImportList.text(imports, calendar))
        }
    }
}

/// An import, with the sums of its counts over records, correlations, workouts and activity
/// summaries.
struct ImportLine {
    var summary: ImportSummary
    var new = 0
    var changed = 0
    var unchanged = 0
    /// The number of samples that the import removed: those that the export no longer contains, and
    /// those replaced by a newer version with the same sync identifier.
    var vanished = 0

    init(_ summary: ImportSummary) {
        self.summary = summary
        let ledger = ImportCounts(summary.ledger)
        for tally in ledger.tallies {
            new += tally.new
            changed += tally.changed
            unchanged += tally.unchanged
        }
        vanished = (ledger.vanished ?? 0) + (ledger.replaced ?? 0)
    }
}

enum ImportList {
    /// The stored report, which is JSON already, is inserted unchanged as "ledger".
    static func json(_ imports: [ImportLine], _ calendar: CalendarBuckets) -> String {
        let items = imports.map { line in
            let fields = JSONText.object([
                "number": .integer(Int(line.summary.number)),
                "file": .string(line.summary.file),
                "exportDate": .text(line.summary.exportDate.map(calendar.text)),
                "importedAt": .string(calendar.text(line.summary.importedAt)),
                "kind": .string(line.summary.kind.rawValue),
                "bytes": .integer(Int(line.summary.bytes)),
                "new": .integer(line.new), "changed": .integer(line.changed),
                "vanished": .integer(line.vanished), "unchanged": .integer(line.unchanged),
            ]).text
            return fields.dropLast() + ",\"ledger\":\(line.summary.ledger)}"
        }
        return "{\"imports\":[" + items.joined(separator: ",") + "]}\n"
    }

    static func text(_ imports: [ImportLine], _ calendar: CalendarBuckets) -> String {
        guard let newest = imports.last else {
            return StoreOptions.completed(
                "No imports yet. Start with: openhealth import export.zip\n")
        }
        var table = Table([
            .number("no."), .text("file", maximumWidth: 14), .text("exported"), .text("imported"),
            .number("new"), .number("changed"), .number("removed"), .number("unchanged"),
        ])
        for line in imports {
            table.rows.append(
                [
                    String(line.summary.number), line.summary.file,
                    line.summary.exportDate.map(calendar.day) ?? "",
                    calendar.day(line.summary.importedAt),
                ] + [line.new, line.changed, line.vanished, line.unchanged].map(count))
        }
        let sentence =
            "\(counted(imports.count, "import", "imports")), the newest from "
            + "\(newest.summary.file.printable) on "
            + "\(DateText.long(newest.summary.importedAt, calendar))."
        return sentence.wrapped() + "\n\n" + table.text + notes(imports)
    }

    /// Describes the imports that could only add samples, with the reason.
    private static func notes(_ imports: [ImportLine]) -> String {
        let lines = imports.compactMap { line -> String? in
            switch line.summary.kind {
            case .snapshot: nil
            case .addition:
                "Import \(line.summary.number) is not newer than an earlier one, so it only added "
                    + "samples."
            case .partial:
                "Import \(line.summary.number) is from a damaged file, so it only added samples."
            }
        }
        return lines.isEmpty ? "" : "\n" + lines.map { $0 + "\n" }.joined()
    }

    private static func count(_ value: Int) -> String { NumberText.grouped(Double(value)) }
}
