import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

/// The output of `import` for a zip that was imported already, so that it isn't read.
struct UnchangedImport {
    private let line: ImportLine
    private let path: String
    private let calendar: CalendarBuckets
    private let options: String

    /// Creates the output.
    ///
    /// - Parameters:
    ///   - summary: The import of the same zip.
    ///   - path: The zip, as given.
    ///   - global: The options that select the store and the time zone.
    /// - Throws: An error if the store can't be read.
    init(_ summary: ImportSummary, _ path: String, _ global: GlobalOptions) throws {
        line = ImportLine(summary)
        self.path = path
        calendar = try global.calendar(of: global.open())
        options = StoreOptions.text(global)
    }

    /// The earlier report with a key `repeats` before its own, so that its counts aren't taken for
    /// changes of this run.
    var json: String {
        let repeated = JSONText.object([
            "import": .integer(Int(line.summary.number)),
            "importedAt": .string(calendar.text(line.summary.importedAt)),
        ])
        return "{\"repeats\":\(repeated.text)," + line.summary.ledger.dropFirst() + "\n"
    }

    /// When the zip was imported, with what result, and how to read it again.
    var text: String {
        let summary = line.summary
        let day = DateText.long(summary.importedAt, calendar)
        let counts = [
            (line.new, "new"), (line.changed, "changed"), (line.vanished, "removed"),
            (line.unchanged, "unchanged"),
        ].map { "\(NumberText.grouped(Double($0))) \($1)" }
        let sentence =
            "\(summary.file.printable): nothing new. The same file was imported on \(day) (import "
            + "\(summary.number): \(counts.joined(separator: ", "))), and the store hasn’t "
            + "changed since, so it wasn’t read."
        return sentence.wrapped() + "\n"
            + "To read it again: openhealth import \(ShellWord.quoted(path)) --again\(options)\n"
    }
}
