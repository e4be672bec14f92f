import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// `openhealth report`
struct Report: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Summarizes a period for a doctor, as text or as a page to print.",
        discussion: """
            The default is the 90 days up to the latest data; a report has at most 366 days. It \
            has resting heart rate, blood pressure, weight, sleep, activity, glucose, \
            electrocardiograms and medications, as far as there is data, with their typical \
            ranges, gaps and sources. Values are without double counting.

            With --out, the report is written as an HTML file that needs no server: open it in a \
            browser to print it, on one to three A4 pages. Only you can read the file.
            """)

    @Option(
        help: ArgumentHelp("The first day: 2024-03-10, today or yesterday.", valueName: "day"))
    var from: String?

    @Option(help: ArgumentHelp("The last day (inclusive). Default: the latest.", valueName: "day"))
    var to: String?

    @Option(
        help: ArgumentHelp(
            "The HTML file to write, or - for standard output. An existing file is replaced.",
            valueName: "file"))
    var out: String?

    @Option(
        help: ArgumentHelp(
            "Your words to the doctor, printed first. At most 1,000 characters; not stored.",
            valueName: "text"))
    var words: String?

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if out?.isEmpty == true { throw ValidationError("--out needs a file name.") }
        if out != nil && global.json { throw ValidationError("Choose --out or --json, not both.") }
    }

    @MainActor func run() async throws {
        let page = try await page()
        switch out {
        case "-": try Output.print(page.document())
        case let file?:
            try Output.write(page.document(), toFile: file)
            Message.write("Wrote \(file.printable). Open it in a browser to print it.")
        case nil where global.json:
            try Output.print(String(decoding: try page.json(), as: UTF8.self) + "\n")
        case nil: try Output.print(ReportText(page: page, style: .standardOutput()).text)
        }
    }

    @MainActor private func page() async throws -> ReportPage {
        let words = try usage { () throws(PageError) in try ReportPage.words(self.words) }
        let store = try global.open()
        // The store stays open: closing one of two connections to a file in a process would release
        // SQLite's locks.
        defer { withExtendedLifetime(store) {} }
        let context = PageContext(calendar: try global.calendar(of: store).calendar)
        let calendar = CalendarBuckets(calendar: context.calendar)
        let first = try from.map { try DayArgument.day($0, context) }
        let last = try to.map { try DayArgument.day($0, context) }
        let latest = try ReportPage.latestDay(in: store, calendar, now: context.now)
        let days = try usage { () throws(PageError) in
            try ReportPage.days(from: first, to: last, latest: latest, today: context.today)
        }
        let service = try Summary.service(store, context, StoreRevisions(store: store))
        var page = try await ReportPage(of: service, days, context: context)
        try page.add(store, in: calendar)
        page.words = words
        page.program = "openhealth \(OpenHealth.configuration.version)"
        return page
    }

    /// Returns the result of a closure whose errors are caused by the arguments.
    ///
    /// - Throws: ``UsageError``.
    private func usage<Value>(
        _ body: () throws(PageError) -> Value
    ) throws(UsageError) -> Value {
        do {
            return try body()
        } catch {
            switch error {
            case .badRequest(let words), .notFound(let words), .unavailable(let words):
                throw UsageError(words)
            }
        }
    }
}
