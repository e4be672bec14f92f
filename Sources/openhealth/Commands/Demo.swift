import ArgumentParser
import Foundation
import HealthArchive
import HealthDashboard
import HealthSimulator
import HealthStorage

/// `openhealth demo`
struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows the main job on a person who does not exist, and leaves nothing behind.",
        discussion: """
            Simulates a year of an iPhone, an Apple Watch and an app that writes day totals, \
            imports the export, and holds every day's steps against what was really walked.
            """)

    @OptionGroup var global: GlobalOptions

    func run() throws {
        guard TimeZone(identifier: "America/New_York") != nil,
            !TimeZone.knownTimeZoneIdentifiers.isEmpty
        else {
            throw NotDone("The time zone database (tzdata) is missing: days can't be cut.")
        }
        let interruption = Interruption()
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "openhealth-demo-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw NotDone("\(folder) can't be made.")
        }
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let comparison = try compared(in: folder, interruption)
        interruption.end()
        if global.json {
            try Output.print(DemoReport.json(comparison))
        } else {
            try Output.print(DemoReport.text(comparison, ink: .standardOutput()))
        }
        guard comparison.share >= 0.95 else {
            throw NotDone("Fewer than 95 % of the days came within 3 % of the truth.")
        }
    }

    /// Simulates, imports and compares, saying what it is about.
    private func compared(in folder: String, _ interruption: Interruption) throws -> Comparison {
        let simulation = try Simulation(SimulatedPerson(seed: 1, dailyApp: .present))
        Message.write("Simulating a year of an iPhone, an Apple Watch and an app …")
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
        for truth in simulation.truth.days {
            if interruption.isRequested { throw NotDone("Stopped.") }
            let day = try DayExplanation(store, type, day: truth.date, calendar)
            days.append(Comparison.Day(day, truth: Double(truth.steps)))
        }
        let setting = PageSetting(
            now: Date(timeIntervalSinceReferenceDate: simulation.exportDate),
            calendar: calendar.calendar)
        return Comparison(
            report: report, days: days, summary: try Summary.latestDay(of: store, setting))
    }
}

/// A simulated person's days against the truth.
struct Comparison {
    struct Day {
        var explanation: DayExplanation
        /// Every record added up.
        var naive: Double
        var merged: Double
        var truth: Double

        init(_ explanation: DayExplanation, truth: Double) {
            self.explanation = explanation
            self.truth = truth
            merged = explanation.explanation.merged
            naive = explanation.explanation.excluded.reduce(explanation.explanation.naive) {
                $0 + $1.contributed + $1.setAside
            }
        }

        var date: String { explanation.day }

        /// How far an amount is from the truth: 0.1 is a tenth too much.
        func error(_ amount: Double) -> Double { truth > 0 ? amount / truth - 1 : amount }
    }

    var report: ImportReport
    var days: [Day]
    /// The last day at a glance.
    var summary: TodayPage

    /// Days whose merged steps are within 3 % of the truth.
    var good: Int { days.count { abs($0.error($0.merged)) <= 0.03 } }
    var share: Double { days.isEmpty ? 0 : Double(good) / Double(days.count) }

    /// By how much adding everything up is off over all days.
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

    static func text(_ comparison: Comparison, ink: Ink) -> String {
        var parts = [sentence(comparison).wrapped() + "\n", imported(comparison.report)]
        parts.append(table(comparison.days.suffix(10)).text)
        if let day = comparison.days.last(where: \.isInteresting) {
            parts.append(
                "Why? One day explained (openhealth explain stepCount --day \(day.date)):\n")
            parts.append(ExplainText.text(day.explanation, ink: ink))
        }
        parts.append("The last day at a glance (openhealth summary):\n")
        parts.append(SummaryText(page: comparison.summary, ink: ink).text)
        parts.append("Now with your own, in your browser: openhealth open export.zip\n")
        return parts.joined(separator: "\n")
    }

    private static func sentence(_ comparison: Comparison) -> String {
        let share = NumberText.grouped(comparison.share * 100, digits: 1)
        return "Counted once, the steps are within 3 % of what was really walked on "
            + "\(comparison.good) of \(comparison.days.count) days (\(share) %); simply added up, "
            + "they are off by \(percent(comparison.inflation)) over the year."
    }

    private static func imported(_ report: ImportReport) -> String {
        let sources = report.outcome.dayTotals.map(\.source.printable).joined(separator: ", ")
        var text =
            "Imported \(counted(report.outcome.records.read, "record", "records")) of "
            + "\(counted(report.sources.count, "source", "sources"))."
        if !sources.isEmpty { text += " Set aside, since it writes day totals: \(sources)." }
        return text.wrapped() + "\n"
    }

    private static func table(_ days: some Sequence<Comparison.Day>) -> Table {
        var table = Table([
            .words("day, steps"), .number("added up"), .number("off by"),
            .number("counted once"), .number("off by"), .number("truth"),
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

    /// "+61 %"
    private static func percent(_ share: Double, digits: Int = 0) -> String {
        let text = NumberText.grouped(share * 100, digits: digits)
        return (share > 0 && !text.hasPrefix("-") ? "+" : "") + text + " %"
    }
}

extension Comparison.Day {
    /// Several sources counted, so that there is something to see.
    fileprivate var isInteresting: Bool {
        let parts = explanation.explanation.parts
        return parts.count { $0.contributed >= 200 } >= 2
            && parts.contains { $0.setAside >= 1000 }
    }
}
