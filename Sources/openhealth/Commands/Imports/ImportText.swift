import HealthArchive
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// The text output of `import`.
enum ImportText {
    /// Returns the whole text.
    ///
    /// - Parameters:
    ///   - report: The result of the import.
    ///   - contents: The store's contents after the import; nil if they could not be read.
    ///   - options: Options that select the store in suggested commands.
    static func text(
        _ report: ImportReport, _ contents: ImportedContents?, options: String
    ) -> String {
        let zone = report.homeZone.timeZone
        let calendar = CalendarBuckets(timeZone: zone)
        var paragraphs = [sentence(report), personLine(report, calendar), numbers(report)]
        paragraphs.append(warnings(report))
        paragraphs.append(inflations(report, contents))
        paragraphs.append(excludedSources(report, options))
        paragraphs.append(next(contents, options))
        return paragraphs.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Returns the text without suggested commands: for data that isn't in a store of its own.
    static func text(_ report: ImportReport) -> String {
        let calendar = CalendarBuckets(timeZone: report.homeZone.timeZone)
        return [
            sentence(report), personLine(report, calendar), numbers(report), warnings(report),
        ].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// Summarizes the changes in one sentence.
    private static func sentence(_ report: ImportReport) -> String {
        let records = report.outcome.records
        let what: String
        if records.new + records.changed + report.outcome.vanished == 0, records.read > 0 {
            what =
                "nothing new, all \(counted(records.unchanged, "record", "records")) were already "
                + "imported"
        } else {
            var parts = [counted(records.new, "new record", "new records")]
            if records.changed > 0 { parts.append("\(count(records.changed)) changed") }
            if report.outcome.vanished > 0 {
                parts.append("\(count(report.outcome.vanished)) removed")
            }
            what = parts.joined(separator: ", ")
        }
        let seconds = NumberText.grouped(report.seconds, digits: report.seconds < 10 ? 1 : 0)
        return "\(report.file.printable): \(what), in \(seconds) s.".wrapped() + "\n"
    }

    /// Describes the store's data: its period, the export's date, the time zone and the sources.
    private static func personLine(_ report: ImportReport, _ calendar: CalendarBuckets) -> String {
        var text = ""
        if let period = report.period {
            text +=
                "The store now covers \(DateText.long(period.first, calendar)) to "
                + "\(DateText.long(period.last - 1, calendar)).\n"
        }
        if let date = report.exportDateText {
            text += "The export was created on \(DateText.long(String(date.prefix(10)))).\n"
        }
        text +=
            "Days begin at midnight in \(report.homeZone.identifier) "
            + "(\(report.homeZone.reason.words)).\n"
        if report.homeZone.reason == .guessed {
            text += StoreOptions.completed(
                "The time zone is a guess. To change it: "
                    + "openhealth import … --time-zone Region/City\n")
        }
        guard !report.sources.isEmpty else { return text }
        var table = Table([
            .text("source", maximumWidth: 30), .number("samples"), .text("first"), .text("last"),
        ])
        for source in report.sources.sorted(by: { $0.samples > $1.samples }).prefix(12) {
            table.rows.append([
                source.name, count(source.samples), calendar.day(source.first),
                calendar.day(source.last),
            ])
        }
        text += "\n" + table.text
        if report.sources.count > 12 {
            text += StoreOptions.completed(
                "and \(count(report.sources.count - 12)) more: openhealth sources\n")
        }
        return text
    }

    /// A table of the records, correlations, workouts and activity summaries in the file by
    /// outcome.
    private static func numbers(_ report: ImportReport) -> String {
        let outcome = report.outcome
        var table = Table([
            .text("elements"), .number("total"), .number("new"), .number("unchanged"),
            .number("changed"), .number("repeated"), .number("quarantined"),
        ])
        let tallies = [
            ("records", outcome.records), ("correlations", outcome.correlations),
            ("workouts", outcome.workouts), ("activity summaries", outcome.activitySummaries),
        ]
        for (name, tally) in tallies where tally.read > 0 {
            table.rows.append(
                [name]
                    + [
                        tally.read, tally.new, tally.unchanged, tally.changed, tally.repeated,
                        tally.quarantined,
                    ].map(count))
        }
        return table.rows.isEmpty ? "" : table.text
    }

    /// Returns why a complete export only added samples; nil if it did more. If the export has a
    /// date, also nil if there was nothing to add or change.
    private static func addition(_ report: ImportReport) -> String? {
        let records = report.outcome.records
        guard report.outcome.kind == .addition else { return nil }
        if report.exportDate == nil {
            return "The file has no export date, so the import only added missing samples."
        }
        if records.new == 0, report.outcome.notApplied == 0 { return nil }
        return "An earlier import is as recent as this export or newer, so this import only added "
            + "missing samples."
    }

    private static func warnings(_ report: ImportReport) -> String {
        var lines: [String] = []
        func note(_ what: String, _ counts: [String: Int]) {
            if !counts.isEmpty { lines.append("\(what): \(list(counts))") }
        }
        if let addition = addition(report) { lines.append(addition) }
        if report.outcome.notApplied > 0 {
            lines.append(
                "Not updated: \(count(report.outcome.notApplied)) samples that differ in this "
                    + "file.")
        }
        if let failure = report.contentsFailure {
            lines.append(
                "The import succeeded, but the store could not be read afterwards: \(failure)")
        }
        note("Truncated by the end of the file, not imported", report.truncatedElements)
        if report.superseded > 0 {
            let summaries = counted(
                report.superseded, "activity summary was", "activity summaries were")
            lines.append("\(summaries) replaced by a later one of the same day in the file.")
        }
        note("Quarantined", report.quarantineReasons)
        for place in report.quarantineLocations.prefix(3) {
            lines.append(
                "  byte \(count(Int(place.offset))): \(place.element.printable), \(place.reason)")
        }
        note("Repaired", report.repairs)
        note("Unknown elements, kept", report.unknownElements)
        note("Unknown attributes, kept", report.unknownAttributes)
        note("Unknown types, kept", report.unknownTypes)
        note("Unknown or unfitting units, kept but not counted", report.unknownUnits)
        note("Unknown values, kept", report.unknownValues)
        note("Kept as text, not supported by this version", report.untyped)
        lines += routes(report.routes)
        note("Other files, kept unchanged", report.files.new)
        note("Other files, already imported", report.files.known)
        note("Other files, replaced by those of this export", report.files.changed)
        note("Other files, not replaced by different ones of this export", report.files.outdone)
        lines += electrocardiograms(report.files)
        note("Clinical records kept as text", report.files.unreadClinicalRecords)
        if report.files.unnamedAttachments > 0 {
            let files = counted(report.files.unnamedAttachments, "attachment", "attachments")
            lines.append("No sample names \(files). The files are kept.")
        }
        for fault in report.files.faults.prefix(3) {
            lines.append("  \(fault.file.printable) was skipped: \(fault.reason)")
        }
        if report.files.clinicalDocuments > 0 {
            lines.append("The clinical document (CDA) repeats the export's data and was skipped.")
        }
        note("Other files, not imported", report.companions)
        lines += renamings(report.outcome.renamed)
        lines += equalRecords(report.outcome.equalRecords.sorted { $0.count > $1.count })
        return lines.map { $0.wrapped() + "\n" }.joined()
    }

    private static func electrocardiograms(_ files: CompanionTally) -> [String] {
        var lines: [String] = []
        if !files.unreadElectrocardiograms.isEmpty {
            let reasons = list(files.unreadElectrocardiograms)
            lines.append("Electrocardiograms kept as files only: \(reasons)")
        }
        if files.unreadableVoltages > 0 {
            let voltages = count(files.unreadableVoltages)
            lines.append(
                "Unreadable voltages of electrocardiograms, kept as no value: \(voltages)")
        }
        if files.unknownClassifications > 0 {
            let unknown = count(files.unknownClassifications)
            lines.append("Unknown classifications of electrocardiograms, kept: \(unknown)")
        }
        return lines
    }

    /// Describes the sources with a new name in the export.
    private static func renamings(_ renamed: [SnapshotOutcome.Renaming]) -> [String] {
        var lines: [String] = []
        for renaming in renamed.prefix(maximumNamedSources) {
            lines.append("\(renaming.from.printable) is now called \(renaming.to.printable).")
        }
        if renamed.count > maximumNamedSources {
            lines.append("(and \(count(renamed.count - maximumNamedSources)) more renamed sources)")
        }
        return lines
    }

    /// Describes the records that are identical to others, by type and source, in the given order.
    private static func equalRecords(_ equals: [SnapshotOutcome.EqualRecords]) -> [String] {
        var lines: [String] = []
        for equal in equals.prefix(3) {
            let verb = equal.count == 1 ? "is" : "are"
            let counting =
                equal.count < 4095
                ? "each one is counted." : "up to 4,096 identical records are counted."
            lines.append(
                "\(counted(equal.count, "record", "records")) of \(name(equal.type)) from "
                    + "\(equal.source.printable) \(verb) identical to another record; \(counting)")
        }
        if equals.count > 3 { lines.append("(and \(count(equals.count - 3)) more cases)") }
        return lines
    }

    /// Describes the route files of workouts: those read, skipped and missing.
    private static func routes(_ routes: RouteTally) -> [String] {
        var lines: [String] = []
        if routes.files > 0 {
            let files = counted(routes.files, "workout route", "workout routes")
            lines.append("\(files) read, with \(counted(routes.points, "point", "points")).")
        }
        if routes.pointsLeftOut > 0 {
            lines.append(
                "Skipped in routes: \(counted(routes.pointsLeftOut, "point", "points")) without "
                    + "a time or a location.")
        }
        if let first = routes.missingFiles.first {
            lines.append(
                "Missing from the export: \(counted(routes.missing, "route file", "route files")), "
                    + "for example \(first.printable).")
        }
        for fault in routes.faults.prefix(3) {
            lines.append("  \(fault.file.printable) was skipped: \(fault.reason)")
        }
        if routes.quarantined > 3 {
            lines.append("(and \(count(routes.quarantined - 3)) more skipped route files)")
        }
        return lines
    }

    /// Describes the effect of double counting, as in "A plain sum of all sources would be too
    /// high: steps +61 %". The sum includes excluded sources. Effects below 0.5 % are left out.
    private static func inflations(_ report: ImportReport, _ contents: ImportedContents?) -> String
    {
        let parts = report.doubleCounting.compactMap { inflation -> String? in
            guard inflation.merged > 0, let type = Catalogue.type(named: inflation.type) else {
                return nil
            }
            let naive = inflation.naive + (contents?.excluded[inflation.type] ?? 0)
            let percent = (naive / inflation.merged - 1) * 100
            return percent >= 0.5
                ? "\(TypeText.name(type)) +\(NumberText.grouped(percent)) %" : nil
        }
        if parts.isEmpty { return "" }
        let text = "A plain sum of all sources would be too high: \(parts.joined(separator: ", "))."
        return text.wrapped() + "\n"
    }

    /// The maximum number of sources that a paragraph lists by name.
    private static let maximumNamedSources = 20

    private static func excludedSources(_ report: ImportReport, _ options: String) -> String {
        let found = report.outcome.dayTotals
        let more =
            found.count > maximumNamedSources
            ? "EXCLUDED: \(count(found.count - maximumNamedSources)) more (openhealth sources TYPE)\n"
            : ""
        return found.prefix(maximumNamedSources).map { found in
            let type = Catalogue.type(identifier: found.type)
            let words = type.map(TypeText.name) ?? found.type
            let text =
                "EXCLUDED: \(found.source.printable) writes daily totals of \(words), which would "
                + "be counted twice. To include it:"
            return text.wrapped() + "\n  openhealth sources include \(type?.name ?? found.type) "
                + "\(ShellWord.quoted(found.source))\(options)\n"
        }.joined() + more
    }

    private static func next(_ contents: ImportedContents?, _ options: String) -> String {
        var lines = ["types"]
        if let example = contents?.example {
            lines.append("stats \(example.type.name) --by month")
            lines.append("explain \(example.type.name) --day \(example.day)")
        }
        return "Next steps:\n" + lines.map { "  openhealth \($0)\(options)\n" }.joined()
    }

    /// Describes the damage of a file that was imported only in part.
    static func damage(_ report: ImportReport) -> String {
        var text = "openhealth: \(report.file.printable) is damaged"
        if let place = report.truncatedAt {
            text += ": it ends unexpectedly at byte \(place)"
        } else if let place = report.firstLoss {
            text += " at byte \(place)"
        }
        let ends = report.repairs[Repair.missingEndTag.rawValue] ?? 0
        if ends > 0 { text += " (\(counted(ends, "end tag is", "end tags are")) missing)" }
        return text + ". Its complete elements were imported, nothing was removed, and the import "
            + "is marked as partial. Export again on the phone and import the new file."
    }

    private static func name(_ identifier: String) -> String {
        Catalogue.type(identifier: identifier).map(TypeText.name) ?? identifier
    }

    private static func count(_ value: Int) -> String { NumberText.grouped(Double(value)) }

    /// Formats the six highest counts, highest first, as in "end before start 3, not a number 1".
    private static func list(_ counts: [String: Int]) -> String {
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = sorted.prefix(6).map { "\($0.key.printable) \(count($0.value))" }
        return shown.joined(separator: ", ")
            + (sorted.count > 6 ? ", and \(count(sorted.count - 6)) more kinds" : "")
    }
}

extension HomeZone.Reason {
    /// How the time zone was determined.
    fileprivate var words: String {
        switch self {
        case .specified: "as specified"
        case .metadata: "the time zone of most records"
        case .system: "the time zone of this computer"
        case .device: "the time zone of a device that sends data"
        case .guessed: "guessed"
        }
    }
}
