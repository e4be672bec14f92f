import ArgumentParser
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

extension Imports {
    /// `openhealth imports diff N`
    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Shows what an import changed, by type, with the reasons if known.")

        @Argument(
            help: ArgumentHelp(
                "The import's number, as in the list of imports.", valueName: "number"))
        var number: Int64

        @Flag(help: "Also list the samples, with their values before and after.")
        var samples = false

        @Option(help: ArgumentHelp("The maximum number of samples to list.", valueName: "n"))
        var limit = 100

        @OptionGroup var global: GlobalOptions

        func validate() throws {
            if limit < 1 { throw ValidationError("--limit needs a number from 1.") }
        }

        func run() throws {
            try global.open().withReadSnapshot { store in
                let calendar = try global.calendar(of: store)
                let difference = try store.difference(ofImport: number)
                let listed =
                    samples ? try store.sampleChanges(ofImport: number, limit: limit) : nil
                try global.json
                    ? Output.print(DifferenceText.json(difference, listed, calendar))
                    : Output.print(DifferenceText.text(difference, listed, calendar))
            }
        }
    }
}

enum DifferenceText {
    static func json(
        _ difference: ImportDifference, _ samples: [ImportDifference.SampleChange]?,
        _ calendar: CalendarBuckets
    ) -> JSONText {
        .object([
            "number": .integer(Int(difference.summary.number)),
            "file": .string(difference.summary.file),
            "new": .integer(difference.new), "changed": .integer(difference.changed),
            "vanished": .integer(difference.vanished),
            "types": .array(
                difference.types.map { changes in
                    .object([
                        "type": .string(changes.type.identifier),
                        "new": .integer(changes.new), "changed": .integer(changes.changed),
                        "vanished": .integer(changes.vanished),
                        "first": .string(calendar.of(changes.type).text(changes.first)),
                        "last": .string(calendar.of(changes.type).text(changes.last)),
                        "reasons": .counts(
                            Dictionary(
                                changes.reasons.map { ($0.key.rawValue, $0.value) },
                                uniquingKeysWith: +)),
                    ])
                }),
            "renamed": .array(
                difference.renamed.map {
                    .object(["from": .string($0.from), "to": .string($0.to)])
                }),
            "newSources": .array(difference.newSources.map(JSONText.string)),
            "characteristics": .array(difference.characteristics.map(JSONText.string)),
            "samples": samples.map { .array($0.map { SampleChangeText.json($0, calendar) }) },
        ])
    }

    static func text(
        _ difference: ImportDifference, _ samples: [ImportDifference.SampleChange]?,
        _ calendar: CalendarBuckets
    ) -> String {
        var paragraphs = [sentence(difference, calendar).wrapped() + "\n"]
        if !difference.types.isEmpty {
            var table = Table([
                .text("type", maximumWidth: 30), .number("new"), .number("changed"),
                .number("removed"), .text("first"), .text("last"),
            ])
            for changes in difference.types {
                table.rows.append(
                    [changes.type.name]
                        + [changes.new, changes.changed, changes.vanished].map(count)
                        + [changes.first, changes.last].map(calendar.of(changes.type).day))
            }
            paragraphs.append(table.text)
        }
        let notes = reasons(difference) + sources(difference)
        if !notes.isEmpty { paragraphs.append(notes.map { $0.wrapped() + "\n" }.joined()) }
        if let samples, !samples.isEmpty {
            let all = difference.new + difference.changed + difference.vanished
            paragraphs.append(SampleChangeText.text(samples, of: all, calendar))
        }
        return paragraphs.joined(separator: "\n")
    }

    private static func sentence(
        _ difference: ImportDifference, _ calendar: CalendarBuckets
    ) -> String {
        let name = "Import \(difference.summary.number) (\(difference.summary.file.printable))"
        var parts: [String] = []
        if difference.new > 0 {
            parts.append("added \(counted(difference.new, "sample", "samples"))")
        }
        if difference.changed > 0 { parts.append("changed \(count(difference.changed))") }
        if difference.vanished > 0 { parts.append("removed \(count(difference.vanished))") }
        if parts.isEmpty { return "\(name) changed no samples." }
        let timed = difference.types.filter { $0.type.kind != .activitySummary }
        let listed = timed.isEmpty ? difference.types : timed
        let (first, last) = (listed.map(\.first).min() ?? 0, listed.map(\.last).max() ?? 0)
        let words =
            parts.count < 2
            ? parts[0] : parts.dropLast().joined(separator: ", ") + " and " + parts[parts.count - 1]
        return "\(name) \(words), from \(DateText.long(first, calendar)) to "
            + "\(DateText.long(last, calendar))."
    }

    private static func reasons(_ difference: ImportDifference) -> [String] {
        difference.types.compactMap { changes in
            let parts = ImportDifference.Reason.allCases.compactMap { reason -> String? in
                changes.reasons[reason].map { "\(count($0)) \(reason.words)" }
            }
            if parts.isEmpty { return nil }
            return "\(TypeText.title(changes.type).printable): \(parts.joined(separator: ", "))."
        }
    }

    private static func sources(_ difference: ImportDifference) -> [String] {
        var lines = difference.renamed.map {
            "\($0.from.printable) is now called \($0.to.printable)."
        }
        if !difference.newSources.isEmpty {
            let names = difference.newSources.map(\.printable).joined(separator: ", ")
            lines.append("New sources: \(names).")
        }
        if !difference.characteristics.isEmpty {
            let names = difference.characteristics.map {
                TypeText.split($0.replacing("HKCharacteristicTypeIdentifier", with: ""))
            }
            lines.append(
                "Personal data that differs in this export: "
                    + "\(names.joined(separator: ", ").printable).")
        }
        return lines
    }

    private static func count(_ value: Int) -> String { NumberText.grouped(Double(value)) }
}

extension ImportDifference.Reason {
    fileprivate var words: String {
        switch self {
        case .value: "with a different value"
        case .metadata: "with different metadata"
        case .origin: "with a different version, device or unit"
        case .details: "with different details"
        case .members: "with different members"
        case .retimed: "replaced by another sample of the source with the same start"
        case .replaced: "replaced by a newer version"
        }
    }
}
