import ArgumentParser
import Foundation
import HealthDashboard
import HealthEngine
import HealthStorage

/// `openhealth stats TYPE`
struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Adds up or averages a type over time, every moment counted once.",
        discussion: """
            Amounts such as steps are summed, readings such as heart rate averaged, and \
            categories such as sleep are timed. Only buckets that hold data are listed; without \
            --from and --to all data are.

            sleepAnalysis is answered in nights, as summary shows them: a night belongs whole to \
            the day in whose 24 hours up to 18:00 its middle lies, as a rule the day it ends on. \
            Naps are counted apart. --from and --to choose whole days then; --by hour shows what \
            of a night is in each hour.
            """)

    @Argument(help: ArgumentHelp("stepCount or a full identifier.", valueName: "type"))
    var type: String

    @OptionGroup var range: DateRange

    @Option(help: "How long a bucket is.")
    var by: Step = .day

    @Option(help: ArgumentHelp("Any unit that fits the type: mi, kJ, mmol<180.1558800000541>/L."))
    var unit: String?

    @Option(help: ArgumentHelp("Only this source; may be given several times.", valueName: "name"))
    var source: [String] = []

    @Flag(help: "Show what each source recorded by itself beside what counts.")
    var bySource = false

    @Option(help: ArgumentHelp("The day weeks begin on.", valueName: "day"))
    var weekStarts: Weekday = .monday

    @Flag(help: "Answer in CSV.")
    var csv = false

    @OptionGroup var global: GlobalOptions

    func validate() throws {
        if csv && global.json { throw ValidationError("Choose --json or --csv, not both.") }
    }

    func run() throws {
        let store = try global.open()
        let type = try global.type(type, in: store)
        let calendar = try global.calendar(of: store, firstWeekday: weekStarts.number)
        var question = SampleQuestion(type, sources: source)
        try range.apply(to: &question, calendar)
        try UnitOption.check(unit, for: type)
        if type.identifier == Metric.sleep.identifier {
            return try show(
                SleepAnswer(
                    store, question, by: by, bySource ? .bySource : .mergedOnly, calendar),
                store, question)
        }
        let buckets = try BucketRange(question, by: by, calendar).edges(in: store)
        var rules = StatisticsRules()
        rules.separation = bySource ? .bySource : .mergedOnly
        rules.horizon = Date().timeIntervalSinceReferenceDate
        var answer = try StatsAnswer(
            store, question, over: buckets, unit: unit, rules: rules, calendar: calendar)
        answer.step = by
        let options = StoreOptions.words(global)
        let hidden =
            answer.buckets.isEmpty
            ? try OnlyExcluded(store, question)?.text("in that time", options) : nil
        if csv {
            try Output.print(StatsCSV.text(answer))
            if let hidden { Message.show(hidden) }
        } else if global.json {
            try Output.print(StatsJSON.value(answer))
        } else if let hidden {
            try Output.print(hidden)
        } else {
            try Output.print(StatsText.text(answer))
            for note in StatsText.notes(answer, options) { Message.write(note) }
        }
    }

    private func show(
        _ answer: SleepAnswer, _ store: SampleStore, _ question: SampleQuestion
    ) throws {
        let options = StoreOptions.words(global)
        let hidden =
            answer.buckets.isEmpty
            ? try OnlyExcluded(store, question)?.text("in that time", options) : nil
        if csv {
            try Output.print(SleepCSV.text(answer))
            if let hidden { Message.show(hidden) }
        } else if global.json {
            try Output.print(SleepJSON.value(answer))
        } else if let hidden {
            try Output.print(hidden)
        } else {
            try Output.print(SleepText.text(answer))
            for source in answer.excluded {
                Message.write(
                    ExclusionNote.text(
                        source.source.name, answer.type, reason: source.reason, options))
            }
        }
    }
}

/// How long a bucket is.
enum Step: String, ExpressibleByArgument, CaseIterable {
    case total, hour, day, week, month, year

    /// The calendar's own step; nil for one bucket.
    var unit: CalendarBuckets.Unit? { CalendarBuckets.Unit(rawValue: rawValue) }
}

/// The first day of a week.
enum Weekday: String, ExpressibleByArgument, CaseIterable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// "monday", "Mon".
    init?(argument: String) {
        let name = argument.lowercased()
        guard let day = Weekday.allCases.first(where: { $0.rawValue == name || $0.short == name })
        else { return nil }
        self = day
    }

    private var short: String { String(rawValue.prefix(3)) }

    /// The Gregorian calendar's number: Sunday is 1.
    var number: Int {
        switch self {
        case .sunday: 1
        case .monday: 2
        case .tuesday: 3
        case .wednesday: 4
        case .thursday: 5
        case .friday: 6
        case .saturday: 7
        }
    }
}

/// `--unit`.
enum UnitOption {
    /// - Throws: ``WrongUsage`` if the unit is none or doesn't fit the type.
    static func check(_ unit: String?, for type: SampleType) throws {
        guard let unit else { return }
        if type.kind == .category {
            if unit == "s" { return }
            throw WrongUsage("\(type.name) is answered in seconds (s).")
        }
        guard let usual = type.answerUnit else {
            throw WrongUsage("\(type.name) has no unit.")
        }
        do {
            _ = try HealthUnit(usual).conversion(to: try HealthUnit(unit))
        } catch {
            throw WrongUsage("\(type.name), usually in \(usual), can't be given so: \(error)")
        }
    }
}

/// Where buckets begin and end.
struct BucketRange {
    private var question: SampleQuestion
    private var step: Step
    private var calendar: CalendarBuckets

    init(_ question: SampleQuestion, by step: Step, _ calendar: CalendarBuckets) {
        self.question = question
        self.step = step
        self.calendar = calendar
    }

    /// Bucket borders over the range, or over all data where it is open; the first and last bucket
    /// are cut at the range's ends. Empty if there is nothing to answer about.
    func edges(in store: SampleStore) throws -> [Double] {
        var (from, to) = (question.from, question.to)
        if from == -.infinity || to == .infinity {
            guard let extent = try store.extent(of: everything) else { return [] }
            // A bucket is half-open: one that ended with the last moment would leave it out.
            if from == -.infinity { from = extent.first }
            if to == .infinity { to = extent.last.nextUp }
        }
        guard from < to else { return [] }
        guard let unit = step.unit else { return [from, to] }
        guard var edges = try? calendar.edges(from: from, to: to, by: unit) else {
            throw tooFar(from, to)
        }
        if question.from > -.infinity, let first = edges.first { edges[0] = max(first, from) }
        if question.to < .infinity, let last = edges.popLast() { edges.append(min(last, to)) }
        return edges
    }

    /// A sample of year 0 and one of year 9999 may be all there is, and still be millions of hours
    /// apart.
    private func tooFar(_ from: Double, _ to: Double) -> WrongUsage {
        func day(_ time: Double) -> String {
            let day = calendar.day(time)
            return day.isEmpty ? "a time that no calendar counts" : day
        }
        return WrongUsage(
            "From \(day(from)) to \(day(to)) there are too many buckets of one \(step.rawValue): "
                + "choose a longer --by, or a part with --from and --to.")
    }

    private var everything: SampleQuestion {
        SampleQuestion(question.type, sources: question.sources)
    }
}
