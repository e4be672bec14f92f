import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthFormats
import HealthServer
import HealthStorage

/// `openhealth export`
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract:
            "Exports the store's data as CSV, Parquet, JSON lines, SQLite, FHIR or an Apple export.",
        discussion: """
            csv, parquet and jsonl contain every recorded sample with all its fields, as \
            comma-separated values, as a typed table for DuckDB, pandas and polars, or as one JSON \
            object per line. With --merged they contain the merged timeline instead: intervals \
            without double counting, each with its source. The intervals of a day add up to the \
            result of stats. --lean limits csv and parquet to what an analysis needs.

            parquet writes one file if FILE ends in .parquet, otherwise a folder with a file for \
            each table: samples.parquet, workouts.parquet, routes.parquet and so on. sqlite \
            contains the same tables, for sqlite3, with every point of a route. \
            Documentation/ExportSchema.md describes every column. jsonl, sqlite and a folder of \
            parquet also contain the notes on days.

            --daily writes one row for each day that has data, as csv or parquet: the merged value \
            of every type, the night and the workouts. What wasn't measured is empty.

            fhir writes resources of FHIR R4 for health record systems: a Bundle of type \
            transaction, or one resource a line if FILE ends in .ndjson. Readings are Observations \
            as recorded; amounts are merged totals of a day, and sleep is merged nights, each with \
            a Provenance that names its sources. Identifiers are stable, so that a second export \
            updates the first. Names of devices are included; date of birth and sex only with \
            --characteristics. Documentation/FHIR.md lists the codes.

            apple writes an export.zip for openhealth import, which also reads jsonl. If it is \
            limited to some types or dates, importing it only adds samples, and it doesn't \
            identify the person. Data that a format can't hold is counted and listed.

            The export is a snapshot: writes to the store during the export don't affect it. The \
            file appears when it is complete. Only you can read it.
            """)

    @Argument(
        help: ArgumentHelp(
            "The types to export, as stepCount or a full identifier. Default: all types.",
            valueName: "type"))
    var types: [String] = []

    @Option(
        help: ArgumentHelp("The format of the file: csv, parquet, jsonl, sqlite, fhir or apple."))
    var format: ExportFormat

    @Option(
        help: ArgumentHelp(
            "The file to write, or - for standard output. With parquet, a name that doesn't end "
                + "in .parquet is a folder.", valueName: "file"))
    var out: String

    @OptionGroup var range: DateRange

    @Flag(
        help: ArgumentHelp(
            "Write the merged timeline, without double counting. Default types: all types that "
                + "are summed."))
    var merged = false

    @Flag(help: "With csv or parquet: write one row a day, with the merged values of every type.")
    var daily = false

    @Flag(
        help: "With csv or parquet: write only type, start, end, day, value, unit and source.")
    var lean = false

    @Flag(
        help: ArgumentHelp(
            "With sqlite: also write date of birth, sex, blood type and so on. With fhir: date of "
                + "birth and sex."))
    var characteristics = false

    @Flag(
        help: ArgumentHelp(
            "With fhir: also write each recorded amount and sleep sample. They overlap, so add up "
                + "only the totals."))
    var recorded = false

    @Flag(help: "Overwrite an existing file.")
    var force = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if out.isEmpty { throw ValidationError("--out needs a file name.") }
        if format == .apple || format == .fhir, merged {
            throw ValidationError("--merged is not available for the format \(format.rawValue).")
        }
        if recorded, format != .fhir {
            throw ValidationError("--recorded is available only for the format fhir.")
        }
        if format.isBinary, out == "-" {
            throw ValidationError(
                "The format \(format.rawValue) can't be written to standard output: name a file "
                    + "with --out.")
        }
        if characteristics, format != .sqlite, format != .fhir {
            throw ValidationError(
                format == .apple
                    ? "The format apple always contains characteristics: omit --characteristics."
                    : "--characteristics is available only for the formats sqlite and fhir.")
        }
        if daily || lean, format != .csv, format != .parquet {
            throw ValidationError(
                "\(daily ? "--daily" : "--lean") is available only for the formats csv and "
                    + "parquet.")
        }
        if daily, merged || lean {
            throw ValidationError("Days are merged, and have their own columns: use --daily alone.")
        }
    }

    @MainActor func run() async throws {
        if format == .fhir { return try await runFHIR() }
        if daily { return try await runDaily() }
        try global.open().withReadSnapshot { store in
            let calendar = try global.calendar(of: store)
            var selection = ExportSelection(
                types: try types.map { try global.type($0, in: store) }, in: calendar)
            (selection.from, selection.to) = try range.times(calendar)
            let interruption = Interruption()
            defer { interruption.end() }
            let job = ExportJob(
                store: store, selection: selection, calendar: calendar, interruption: interruption)
            if format == .parquet {
                let files = try ParquetFiles(at: out, over: force ? .file : .nothing)
                let report = try job.writeParquet(
                    to: files, merged ? .mergedIntervals : .samples, lean ? .lean : .all)
                try files.commit()
                return try show(report)
            }
            let file = out == "-" ? nil : try StagedFile(at: out, over: force ? .file : .nothing)
            let report = try write(job, to: file)
            try file?.commit()
            try show(report)
        }
    }

    private func write(_ job: ExportJob, to file: StagedFile?) throws -> ExportReport {
        if let file, format == .apple {
            return try job.writeArchive(to: file.temporaryPath, named: out)
        }
        if let file, format == .sqlite {
            return try job.writeDatabase(
                to: file.temporaryPath, named: out, merged ? .mergedIntervals : .samples,
                characteristics ? .included : .withheld)
        }
        var output =
            try file.map { try Output(to: $0.temporaryPath, named: out) } ?? Output()
        let lines = SampleLines(
            format == .csv ? .csv : .jsonLines, job.calendar, lean ? .lean : .all)
        let report =
            merged
            ? try job.writeMergedIntervals(lines, to: &output) : try job.write(lines, to: &output)
        try output.flush()
        return report
    }

    func show(_ report: ExportReport) throws {
        if global.json {
            let json = report.json(file: out, format: format)
            if out == "-" { Message.write(json.text) } else { try Output.print(json) }
        } else {
            Message.show(out == "-" ? report.lossText : report.text(file: out))
            if format == .csv || format == .parquet, report.isRawAmounts {
                Message.write(
                    "These are samples as recorded, which overlap where two devices recorded the same "
                        + "time. To add them up, export with --merged or --daily.")
            }
        }
    }
}

// MARK: - One row a day

extension Export {
    @MainActor private func runDaily() async throws {
        let store = try global.open()
        let calendar = try global.calendar(of: store)
        var selection = ExportSelection(
            types: try types.map { try global.type($0, in: store) }, in: calendar)
        (selection.from, selection.to) = try range.times(calendar)
        let interruption = Interruption()
        defer { interruption.end() }
        let table = try await table(store, selection, calendar, interruption)
        if out == "-" {
            var output = Output()
            try write(table, to: &output)
        } else {
            let file = try StagedFile(at: out, over: force ? .file : .nothing)
            var output = try Output(to: file.temporaryPath, named: out)
            switch format {
            case .parquet:
                var bytes: [UInt8] = []
                try table.writeParquet(creator: ExportJob.creator) { bytes += $0 }
                try output.write(bytes)
                try output.flush()
            default: try write(table, to: &output)
            }
            try file.commit()
        }
        var report = ExportReport()
        report.content = .days
        for column in table.columns { report.types[column] = table.days(with: column) }
        report.dayCount = table.days.count
        try show(report)
    }

    private func write(_ table: DailyTable, to output: inout Output) throws {
        try output.write(table.csvHeader)
        for day in table.days { try output.write(table.csvRow(day)) }
        try output.flush()
    }

    @MainActor private func table(
        _ store: SampleStore, _ selection: ExportSelection, _ calendar: CalendarBuckets,
        _ interruption: Interruption
    ) async throws -> DailyTable {
        func isWanted(_ identifier: String) -> Bool {
            selection.types.isEmpty || selection.types.contains { $0.identifier == identifier }
        }
        var nights: [SleepNight] = []
        if isWanted(Metric.sleep.identifier),
            let type = Catalogue.type(identifier: Metric.sleep.identifier)
        {
            let query = SampleQuery(type, from: selection.from, to: selection.to)
            nights = try await NightReader(store: store, query: query, .each(.day), calendar)
                .nights(from: nil)
        }
        return try store.withReadSnapshot { store in
            var export = DailyExport(store, selection, calendar)
            try export.addTypes {
                if interruption.isRequested {
                    throw CommandError("Stopped. No file was written.")
                }
            }
            export.add(nights)
            if isWanted("HKWorkoutTypeIdentifier") { try export.addWorkouts() }
            return export.table
        }
    }
}

/// The format of an export.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, parquet, jsonl, sqlite, fhir, apple

    /// Whether a terminal can't show the format.
    var isBinary: Bool { [.parquet, .sqlite, .apple].contains(self) }
}
