import HealthArchive
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// `import` for people: what came in, and what to make of it.
enum ImportText {
    /// - Parameter contents: What the store was found to hold; nil if it could not be looked at.
    static func text(
        _ report: ImportReport, _ contents: ImportedContents?, options: String
    ) -> String {
        let zone = report.homeZone.timeZone
        let calendar = CalendarBuckets(timeZone: zone)
        var paragraphs = [sentence(report), whose(report, calendar), numbers(report)]
        paragraphs.append(oddities(report))
        paragraphs.append(inflations(report, contents))
        paragraphs.append(setAside(report, options))
        paragraphs.append(next(contents, options))
        return paragraphs.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The import in one sentence.
    private static func sentence(_ report: ImportReport) -> String {
        let records = report.outcome.records
        let what: String
        if records.new + records.changed + report.outcome.vanished == 0, records.read > 0 {
            what = "nothing new: all \(counted(records.unchanged, "record", "records")) were known"
        } else {
            var parts = [counted(records.new, "new record", "new records")]
            if records.changed > 0 { parts.append("\(count(records.changed)) changed") }
            if report.outcome.vanished > 0 {
                parts.append("\(count(report.outcome.vanished)) gone")
            }
            what = parts.joined(separator: ", ")
        }
        let seconds = NumberText.grouped(report.seconds, digits: report.seconds < 10 ? 1 : 0)
        return "\(report.file.printable): \(what), in \(seconds) s.".wrapped() + "\n"
    }

    /// Whose data this is: period, zone, sources.
    private static func whose(_ report: ImportReport, _ calendar: CalendarBuckets) -> String {
        var text = ""
        if let period = report.period {
            text +=
                "The store now covers \(DayWords.long(period.first, calendar)) to "
                + "\(DayWords.long(period.last - 1, calendar)).\n"
        }
        if let date = report.exportDateText {
            text += "The export was made on \(DayWords.long(String(date.prefix(10)))).\n"
        }
        text +=
            "Days begin at midnight in \(report.homeZone.identifier) "
            + "(\(report.homeZone.reason.words)).\n"
        if report.homeZone.reason == .guess {
            text += StoreOptions.completed(
                "That is a guess. If it is wrong: openhealth import … --time-zone Region/City\n")
        }
        guard !report.sources.isEmpty else { return text }
        var table = Table([
            .words("source", widest: 30), .number("samples"), .words("first"), .words("last"),
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

    /// Every element accounted for.
    private static func numbers(_ report: ImportReport) -> String {
        let outcome = report.outcome
        var table = Table([
            .words("read"), .number("all"), .number("new"), .number("unchanged"),
            .number("changed"), .number("repeated"), .number("quarantined"),
        ])
        let tallies = [
            ("records", outcome.records), ("correlations", outcome.correlations),
            ("workouts", outcome.workouts), ("days of rings", outcome.activitySummaries),
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

    /// Why a whole export only added; nil where it did more, or there was nothing to add or to do.
    private static func addition(_ report: ImportReport) -> String? {
        let records = report.outcome.records
        guard report.outcome.kind == .addition else { return nil }
        if report.exportDate == nil {
            return "The file doesn't say when it was exported, so it only added what was missing."
        }
        if records.new == 0, report.outcome.notApplied == 0 { return nil }
        return "An earlier import is as new as this export or newer, so this one only added what "
            + "was missing."
    }

    private static func oddities(_ report: ImportReport) -> String {
        var lines: [String] = []
        func note(_ what: String, _ counts: [String: Int]) {
            if !counts.isEmpty { lines.append("\(what): \(list(counts))") }
        }
        if let addition = addition(report) { lines.append(addition) }
        if report.outcome.notApplied > 0 {
            lines.append(
                "Left as they were: \(count(report.outcome.notApplied)) samples that differ here.")
        }
        if let failure = report.contentsFailure {
            lines.append("The import is done, but the store can't be read back: \(failure)")
        }
        note("Cut short by the end of the file, not imported", report.cutShort)
        if report.superseded > 0 {
            lines.append(
                "\(counted(report.superseded, "day", "days")) of rings stood in the file before, "
                    + "the last one counts.")
        }
        note("Quarantined", report.quarantineReasons)
        for place in report.quarantinePlaces.prefix(3) {
            lines.append(
                "  byte \(count(Int(place.offset))): \(place.element.printable), \(place.reason)")
        }
        note("Repaired", report.repairs)
        note("Unknown elements, kept", report.unknownElements)
        note("Unknown attributes, kept", report.unknownAttributes)
        note("Unknown types, kept", report.unknownTypes)
        note("Units unknown or not of their type, kept but not counted", report.unknownUnits)
        note("Unknown values, kept", report.unknownValues)
        note("Kept as text until a later version reads them", report.untyped)
        lines += routes(report.routes)
        note("Other files, kept as they are", report.files.new)
        note("Other files, known already", report.files.known)
        for fault in report.files.faults.prefix(3) {
            lines.append("  \(fault.file.printable) is left out: \(fault.reason)")
        }
        if report.files.clinicalDocuments > 0 {
            lines.append("The clinical document (CDA) repeats the export and is left out.")
        }
        note("Other files, left alone", report.companions)
        let renamed = report.outcome.renamed
        for renaming in renamed.prefix(mostNamed) {
            lines.append("\(renaming.from.printable) is now called \(renaming.to.printable).")
        }
        if renamed.count > mostNamed {
            lines.append("(and \(count(renamed.count - mostNamed)) more renamed sources)")
        }
        let equals = report.outcome.equals.sorted { $0.count > $1.count }
        for equal in equals.prefix(3) {
            lines.append(
                "\(counted(equal.count, "record", "records")) of \(name(equal.type)) from "
                    + "\(equal.source.printable) equal another one; "
                    + (equal.count < 4095
                        ? "each counts." : "of those equal to each other, 4,096 count."))
        }
        if equals.count > 3 { lines.append("(and \(count(equals.count - 3)) more such cases)") }
        return lines.map { $0.wrapped() + "\n" }.joined()
    }

    /// What became of the files that workouts name; nothing where they name none.
    private static func routes(_ routes: RouteTally) -> [String] {
        var lines: [String] = []
        if routes.files > 0 {
            let files = counted(routes.files, "workout route", "workout routes")
            lines.append("\(files) read, with \(counted(routes.points, "point", "points")).")
        }
        if routes.pointsLeftOut > 0 {
            lines.append(
                "Left out of routes: \(counted(routes.pointsLeftOut, "point", "points")) without "
                    + "a time or a place.")
        }
        if let first = routes.missingFiles.first {
            lines.append(
                "Missing in the export: \(counted(routes.missing, "route file", "route files")), "
                    + "the first is \(first.printable).")
        }
        for fault in routes.faults.prefix(3) {
            lines.append("  \(fault.file.printable) is left out: \(fault.reason)")
        }
        if routes.quarantined > 3 {
            lines.append("(and \(count(routes.quarantined - 3)) more such route files)")
        }
        return lines
    }

    /// "Counted twice without merging: steps +61 %", by all that tools which only add up would show.
    private static func inflations(_ report: ImportReport, _ contents: ImportedContents?) -> String
    {
        let parts = report.inflations.compactMap { inflation -> String? in
            guard inflation.merged > 0, let type = Catalogue.type(named: inflation.type) else {
                return nil
            }
            let naive = inflation.naive + (contents?.excluded[inflation.type] ?? 0)
            let percent = (naive / inflation.merged - 1) * 100
            return percent >= 0.5
                ? "\(TypeWords.words(type)) +\(NumberText.grouped(percent)) %" : nil
        }
        if parts.isEmpty { return "" }
        let text = "Counted twice without merging: \(parts.joined(separator: ", "))"
        return (text + ", as tools that add every source up show it.").wrapped() + "\n"
    }

    /// How many sources of a kind are named one by one.
    private static let mostNamed = 20

    private static func setAside(_ report: ImportReport, _ options: String) -> String {
        let found = report.outcome.dayTotals
        let more =
            found.count > mostNamed
            ? "SET ASIDE: \(count(found.count - mostNamed)) more (openhealth sources TYPE)\n" : ""
        return found.prefix(mostNamed).map { found in
            let type = Catalogue.type(identifier: found.type)
            let words = type.map(TypeWords.words) ?? found.type
            let text =
                "SET ASIDE: \(found.source.printable) writes day totals of \(words), which would "
                + "count everything twice. To count it anyway:"
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
        return "Next:\n" + lines.map { "  openhealth \($0)\(options)\n" }.joined()
    }

    /// What was lost of a damaged file.
    static func damage(_ report: ImportReport) -> String {
        var text = "openhealth: \(report.file.printable) is damaged"
        if let place = report.truncatedAt {
            text += ": it breaks off at byte \(place)"
        } else if let place = report.firstLoss {
            text += " at byte \(place)"
        }
        let ends = report.repairs[Repair.missingEndTag.rawValue] ?? 0
        if ends > 0 { text += " (\(counted(ends, "end tag is", "end tags are")) missing)" }
        return text + ". Its whole elements came in, nothing was removed, and the import is marked "
            + "partial. Export again on the phone and import that."
    }

    private static func name(_ identifier: String) -> String {
        Catalogue.type(identifier: identifier).map(TypeWords.words) ?? identifier
    }

    private static func count(_ value: Int) -> String { NumberText.grouped(Double(value)) }

    /// "end before start 3, not a number 1", the most frequent first.
    private static func list(_ counts: [String: Int]) -> String {
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = sorted.prefix(6).map { "\($0.key.printable) \(count($0.value))" }
        return shown.joined(separator: ", ")
            + (sorted.count > 6 ? ", and \(count(sorted.count - 6)) more kinds" : "")
    }
}

extension HomeZone.Reason {
    /// Where the zone was learnt from.
    fileprivate var words: String {
        switch self {
        case .given: "as you said"
        case .metadata: "most records name it"
        case .system: "this computer's zone"
        case .guess: "guessed"
        }
    }
}
