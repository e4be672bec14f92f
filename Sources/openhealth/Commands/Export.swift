import ArgumentParser
import Foundation
import HealthEngine
import HealthStorage

/// `openhealth export`
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports the store's data as CSV, JSON lines, SQLite or an Apple Health export.",
        discussion: """
            csv and jsonl contain every recorded sample with all its fields, as comma-separated \
            values or as one JSON object per line. With --merged they contain the merged timeline \
            instead: intervals without double counting, each with its source. The intervals of a \
            day add up to the result of stats. sqlite contains the same data in plain tables, for \
            sqlite3, DuckDB or pandas, and every point of a route; Documentation/ExportSchema.md \
            describes every column. jsonl and sqlite also contain the notes on days. apple writes \
            an export.zip for openhealth import. If it is limited to some types or dates, \
            importing it only adds samples, and it doesn't identify the person. Data that a format \
            can't hold is counted and listed.

            The export is a snapshot: writes to the store during the export don't affect it. The \
            file appears when it is complete. Only you can read it.
            """)

    @Argument(
        help: ArgumentHelp(
            "The types to export, as stepCount or a full identifier. Default: all types.",
            valueName: "type"))
    var types: [String] = []

    @Option(help: ArgumentHelp("The format of the file: csv, jsonl, sqlite or apple."))
    var format: ExportFormat

    @Option(
        help: ArgumentHelp("The file to write, or - for standard output.", valueName: "file"))
    var out: String

    @OptionGroup var range: DateRange

    @Flag(
        help: ArgumentHelp(
            "Write the merged timeline, without double counting. Default types: all types that "
                + "are summed."))
    var merged = false

    @Flag(help: "With sqlite: also write date of birth, sex, blood type and so on.")
    var characteristics = false

    @Flag(help: "Overwrite an existing file.")
    var force = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if out.isEmpty { throw ValidationError("--out needs a file name.") }
        if format == .apple, merged {
            throw ValidationError("--merged is not available for the format apple.")
        }
        if format == .apple || format == .sqlite, out == "-" {
            throw ValidationError(
                "The format \(format.rawValue) can't be written to standard output: name a file "
                    + "with --out.")
        }
        if characteristics, format != .sqlite {
            throw ValidationError(
                format == .apple
                    ? "The format apple always contains characteristics: omit --characteristics."
                    : "--characteristics is available only for the format sqlite.")
        }
    }

    func run() throws {
        try global.open().withReadSnapshot { store in
            let calendar = try global.calendar(of: store)
            var selection = ExportSelection(
                types: try types.map { try global.type($0, in: store) }, in: calendar)
            (selection.from, selection.to) = try range.times(calendar)
            let interruption = Interruption()
            defer { interruption.end() }
            let job = ExportJob(
                store: store, selection: selection, calendar: calendar, interruption: interruption)
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
        let lines = SampleLines(format == .csv ? .csv : .jsonLines, job.calendar)
        let report =
            merged
            ? try job.writeMergedIntervals(lines, to: &output) : try job.write(lines, to: &output)
        try output.flush()
        return report
    }

    private func show(_ report: ExportReport) throws {
        if global.json {
            let json = report.json(file: out, format: format)
            if out == "-" { Message.write(json.text) } else { try Output.print(json) }
        } else {
            Message.show(out == "-" ? report.lossText : report.text(file: out))
        }
    }
}

/// The format of an export.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, jsonl, sqlite, apple
}
