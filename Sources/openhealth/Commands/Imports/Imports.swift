import ArgumentParser
import Foundation
import HealthDashboard
import HealthEngine
import HealthStorage

/// `openhealth imports`
struct Imports: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "imports",
        abstract: "Lists what was imported, says what an import changed, and takes it back.",
        subcommands: [List.self, Diff.self, Undo.self],
        defaultSubcommand: List.self)
}

extension Imports {
    /// `openhealth imports list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists every import with what became of its elements (the default).")

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

/// One import with what its ledger counts, over records, correlations, workouts and rings.
struct ImportLine {
    var summary: ImportSummary
    var new = 0
    var changed = 0
    var unchanged = 0
    /// Gone, or replaced by a higher version of the same name.
    var vanished = 0

    private struct Ledger: Decodable {
        struct Tally: Decodable {
            var new: Int
            var changed: Int
            var unchanged: Int
        }

        var records: Tally?
        var correlations: Tally?
        var workouts: Tally?
        var activitySummaries: Tally?
        var vanished: Int?
        var replaced: Int?
    }

    init(_ summary: ImportSummary) {
        self.summary = summary
        guard
            let ledger = try? JSONDecoder().decode(Ledger.self, from: Data(summary.ledger.utf8))
        else { return }
        let tallies = [
            ledger.records, ledger.correlations, ledger.workouts, ledger.activitySummaries,
        ]
        for tally in tallies.compactMap({ $0 }) {
            new += tally.new
            changed += tally.changed
            unchanged += tally.unchanged
        }
        vanished = (ledger.vanished ?? 0) + (ledger.replaced ?? 0)
    }
}

enum ImportList {
    /// The ledger stands in it as it was kept.
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
                "Nothing was imported yet. Begin with: openhealth import export.zip\n")
        }
        var table = Table([
            .number("no."), .words("file", widest: 14), .words("exported"), .words("imported"),
            .number("new"), .number("changed"), .number("gone"), .number("unchanged"),
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
            "\(counted(imports.count, "import", "imports")); the newest, "
            + "\(newest.summary.file.printable), came in on "
            + "\(DayWords.long(newest.summary.importedAt, calendar))."
        return sentence.wrapped() + "\n\n" + table.text + notes(imports)
    }

    /// What those imports were that did not say what the whole truth is.
    private static func notes(_ imports: [ImportLine]) -> String {
        let lines = imports.compactMap { line -> String? in
            switch line.summary.kind {
            case .snapshot: nil
            case .addition:
                "Import \(line.summary.number) is no newer than one before it: it only added."
            case .partial:
                "Import \(line.summary.number) came from a damaged file: it only added."
            }
        }
        return lines.isEmpty ? "" : "\n" + lines.map { $0 + "\n" }.joined()
    }

    private static func count(_ value: Int) -> String { NumberText.grouped(Double(value)) }
}
