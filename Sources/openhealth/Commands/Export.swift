import ArgumentParser
import Foundation
import HealthEngine
import HealthStorage

/// `openhealth export`
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes what the store holds for other programs to read.",
        discussion: """
            csv and jsonl hold every sample as it was recorded, with all that is known of it, as \
            comma-separated values or as one JSON object a line. With --merged they hold the \
            timeline that counts once instead, each stretch with the source that won it: a day's \
            stretches add up to what stats says. sqlite holds the same in plain tables, for \
            sqlite3, DuckDB or pandas, and routes point by point: Documentation/ExportSchema.md \
            explains every column. apple is an export.zip that import takes; one of some types or \
            dates only adds where it is imported, and doesn't say whose it is. What has no place \
            in a format is counted and named.

            All is of one moment, however much is written meanwhile. The file appears when it is \
            whole, readable by you alone.
            """)

    @Argument(
        help: ArgumentHelp(
            "Only these types: stepCount or a full identifier. Default: all.", valueName: "type"))
    var types: [String] = []

    @Option(help: ArgumentHelp("csv, jsonl, sqlite or apple."))
    var format: ExportFormat

    @Option(
        help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"))
    var out: String

    @OptionGroup var range: DateRange

    @Flag(
        help: ArgumentHelp(
            "Write what counts once, stretch by stretch: of all types that are summed, or of the "
                + "types named."))
    var merged = false

    @Flag(help: "With sqlite: also date of birth, sex, blood type and the like.")
    var characteristics = false

    @Flag(help: "Replace the file if there is one.")
    var force = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if out.isEmpty { throw ValidationError("--out needs the name of a file.") }
        if format == .apple, merged {
            throw ValidationError("An Apple Health export has no merged form.")
        }
        if format == .apple || format == .sqlite, out == "-" {
            throw ValidationError(
                "A \(format == .apple ? "zip" : "database") needs a file: name one with --out.")
        }
        if characteristics, format != .sqlite {
            throw ValidationError(
                format == .apple
                    ? "An Apple Health export always has them: leave --characteristics out."
                    : "Only sqlite has a place for --characteristics.")
        }
    }

    func run() throws {
        try global.open().inOneLook { store in
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
            try file?.place()
            try show(report)
        }
    }

    private func write(_ job: ExportJob, to file: StagedFile?) throws -> ExportReport {
        if let file, format == .apple {
            return try job.writeArchive(to: file.temporaryPath, named: out)
        }
        if let file, format == .sqlite {
            return try job.writeDatabase(
                to: file.temporaryPath, named: out, merged ? .stretches : .samples,
                characteristics ? .told : .keptBack)
        }
        var output =
            try file.map { try Output(to: $0.temporaryPath, named: out) } ?? Output()
        let lines = SampleLines(format == .csv ? .csv : .jsonLines, job.calendar)
        let report =
            merged ? try job.writeStretches(lines, to: &output) : try job.write(lines, to: &output)
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

/// How an export looks.
enum ExportFormat: String, ExpressibleByArgument, CaseIterable {
    case csv, jsonl, sqlite, apple
}
