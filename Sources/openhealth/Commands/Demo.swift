import ArgumentParser
import Foundation
import HealthArchive
import HealthCalendar
import HealthDashboard
import HealthSimulator
import HealthStorage

/// `openhealth demo`
struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Imports a simulated person's export and compares the steps with the truth.",
        discussion: """
            Simulates a year of data from an iPhone, an Apple Watch and an app that writes daily \
            totals, imports the export into a temporary store, and compares each day's merged \
            steps with the steps the simulated person took. Leaves no files behind.
            """)

    @OptionGroup var global: GlobalOptions

    @MainActor func run() async throws {
        guard TimeZone(identifier: "America/New_York") != nil,
            !TimeZone.knownTimeZoneIdentifiers.isEmpty
        else {
            throw CommandError("The time zone database is missing: install tzdata.")
        }
        let interruption = Interruption()
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "openhealth-demo-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandError("The folder \(folder) can't be created.")
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let comparison = try await compared(in: folder, interruption)
        interruption.end()
        if global.json {
            try Output.print(DemoReport.json(comparison))
        } else {
            try Output.print(DemoReport.text(comparison, style: .standardOutput()))
        }
        guard comparison.share >= 0.95 else {
            throw CommandError("Fewer than 95 % of the days are within 3 % of the true steps.")
        }
    }

    /// Simulates, imports and compares, with progress messages.
    @MainActor private func compared(
        in folder: String, _ interruption: Interruption
    ) async throws -> Comparison {
        let simulation = try Simulation(SimulatedPerson(seed: 1, dailyApp: .present))
        Message.write("Simulating a year of data from an iPhone, an Apple Watch and an app …")
        let export = folder + "/export.zip"
        _ = try SimulatedExport.write(simulation, to: export) { interruption.isRequested }
        let path = folder + "/health.sqlite"
        Message.write("Importing the export …")
        let bar = ProgressBar.standardError
        let importer = ExportImporter(
            path: export, store: path, systemTimeZone: TimeZone.current.identifier,
            now: simulation.exportDate, progress: { bar?.show($0, of: $1) },
            isCancelled: { interruption.isRequested })
        let report: ImportReport
        do {
            defer { bar?.clear() }
            report = try importer.run()
        }
        let store = try SampleStore(at: path, access: .reading)
        defer { try? store.close() }
        let type = try store.type(named: "stepCount")
        let calendar = CalendarBuckets(timeZone: report.homeZone.timeZone)
        var days: [Comparison.Day] = []
        for truth in simulation.groundTruth.days {
            if interruption.isRequested { throw CommandError("Stopped.") }
            let day = try DayExplanation(store, type, day: truth.date, calendar)
            days.append(Comparison.Day(day, truth: Double(truth.steps)))
        }
        let context = PageContext(
            now: Date(timeIntervalSinceReferenceDate: simulation.exportDate),
            calendar: calendar.calendar)
        return Comparison(
            report: report, days: days, summary: try await Summary.latestDay(of: store, context))
    }
}

/// A simulated person's days compared with the true values.
struct Comparison {
    struct Day {
        var explanation: DayExplanation
        /// The sum of all records, with duplicates and excluded sources.
        var naive: Double
        var merged: Double
        var truth: Double

        init(_ explanation: DayExplanation, truth: Double) {
            self.explanation = explanation
            self.truth = truth
            merged = explanation.explanation.merged
            naive = explanation.explanation.excluded.reduce(explanation.explanation.naive) {
                $0 + $1.contributed + $1.duplicate
            }
        }

        var date: String { explanation.day }

        /// Returns the relative error of an amount: 0.1 is ten percent too much. If the true value
        /// is 0, returns the amount itself.
        func error(_ amount: Double) -> Double { truth > 0 ? amount / truth - 1 : amount }
    }

    var report: ImportReport
    var days: [Day]
    /// The summary of the latest day with data.
    var summary: SummaryPage

    /// The number of days whose merged steps are within 3 % of the true value.
    var good: Int { days.count { abs($0.error($0.merged)) <= 0.03 } }
    var share: Double { days.isEmpty ? 0 : Double(good) / Double(days.count) }

    /// The relative error of the plain sum of all records over all days.
    var inflation: Double {
        let truth = days.reduce(0) { $0 + $1.truth }
        return truth > 0 ? days.reduce(0) { $0 + $1.naive } / truth - 1 : 0
    }
}

enum DemoReport {
    static func json(_ comparison: Comparison) -> JSONText {
        .object([
            "days": .array(
                comparison.days.map {
                    .object([
                        "date": .string($0.date), "naive": .number($0.naive),
                        "merged": .number($0.merged), "truth": .number($0.truth),
                    ])
                }),
            "withinThreePercent": .number(comparison.share),
        ])
    }

    static func text(_ comparison: Comparison, style: TerminalStyle) -> String {
        var parts = [sentence(comparison).wrapped() + "\n", imported(comparison.report)]
        parts.append(table(comparison.days.suffix(10)).text)
        if let day = comparison.days.last(where: \.isInteresting) {
            parts.append(
                "One day in detail (openhealth explain stepCount --day \(day.date)):\n")
            parts.append(ExplainText.text(day.explanation, style: style))
        }
        parts.append("The last day (openhealth summary):\n")
        parts.append(SummaryText(page: comparison.summary, style: style).text)
        parts.append("To see your own data in the browser: openhealth open export.zip\n")
        return parts.joined(separator: "\n")
    }

    private static func sentence(_ comparison: Comparison) -> String {
        let share = NumberText.grouped(comparison.share * 100, digits: 1)
        return "Without double counting, the steps are within 3 % of the truth on "
            + "\(comparison.good) of \(comparison.days.count) days (\(share) %). A plain sum of "
            + "all records is off by \(percent(comparison.inflation)) over the year."
    }

    private static func imported(_ report: ImportReport) -> String {
        let sources = report.outcome.dayTotals.map(\.source.printable).joined(separator: ", ")
        var text =
            "Imported \(counted(report.outcome.records.read, "record", "records")) from "
            + "\(counted(report.sources.count, "source", "sources"))."
        if !sources.isEmpty { text += " Excluded, because it writes daily totals: \(sources)." }
        return text.wrapped() + "\n"
    }

    private static func table(_ days: some Sequence<Comparison.Day>) -> Table {
        var table = Table([
            .text("day, steps"), .number("plain sum"), .number("off by"),
            .number("merged"), .number("off by"), .number("truth"),
        ])
        for day in days {
            table.rows.append([
                day.date, NumberText.grouped(day.naive), percent(day.error(day.naive)),
                NumberText.grouped(day.merged), percent(day.error(day.merged), digits: 1),
                NumberText.grouped(day.truth),
            ])
        }
        return table
    }

    /// Formats a relative error, as in "+61 %".
    private static func percent(_ share: Double, digits: Int = 0) -> String {
        let text = NumberText.grouped(share * 100, digits: digits)
        return (share > 0 && !text.hasPrefix("-") ? "+" : "") + text + " %"
    }
}

extension Comparison.Day {
    /// Whether the day is a useful example: at least two sources counted for 200 steps or more, and
    /// one has 1,000 duplicates or more.
    fileprivate var isInteresting: Bool {
        let parts = explanation.explanation.parts
        return parts.count { $0.contributed >= 200 } >= 2
            && parts.contains { $0.duplicate >= 1000 }
    }
}
