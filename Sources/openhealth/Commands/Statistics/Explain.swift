import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// `openhealth explain TYPE --day D`
struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Shows how a day's total is made up: counted amounts and duplicates by source.",
        discussion: """
            For types that are summed, such as steps, distance and energy, and for sleepAnalysis: \
            the night that ends on the day, and what of each source counts.

            openhealth explain steps --day yesterday
            openhealth explain sleep --day tuesday
            """)

    @Argument(help: ArgumentHelp("stepCount or a full identifier.", valueName: "type"))
    var type: String

    @Option(
        help: ArgumentHelp(
            "The day: 2024-03-10, today, yesterday, or tuesday for the latest one before today.",
            valueName: "date"))
    var day: String

    @OptionGroup var global: GlobalOptions

    @MainActor func run() async throws {
        let store = try global.open()
        let type = try global.type(type, in: store)
        let calendar = try global.calendar(of: store)
        let today = calendar.civilDate(Date().timeIntervalSinceReferenceDate)
        let day = try DayArgument.day(day, today: today)
        if type.identifier == Metric.sleep.identifier {
            let night = try await NightExplanation(store, type, day: day, calendar)
            try show(night)
            if night.night == nil, !global.json,
                let note = try DataExtentNote.text(store, SampleQuery(type), calendar)
            {
                Message.write(note)
            }
            return
        }
        let explanation = try DayExplanation(store, type, day: day.description, calendar)
        if global.json {
            try Output.print(ExplainJSON.value(explanation))
            return
        }
        let options = StoreOptions.text(global)
        if explanation.appleTotal == nil, let hidden = ExcludedDataNote(explanation.explanation) {
            let day = "on " + DateText.long(explanation.day)
            try Output.print(hidden.text(day, options))
        } else {
            try Output.print(ExplainText.text(explanation, style: .standardOutput()))
            if explanation.explanation.parts.isEmpty, explanation.appleTotal == nil,
                let note = try DataExtentNote.text(store, SampleQuery(type), calendar)
            {
                Message.write(note)
            }
            for note in ExplainText.notes(explanation, options) { Message.write(note) }
        }
    }
}

extension Explain {
    private func show(_ night: NightExplanation) throws {
        if global.json { return try Output.print(NightExplanationJSON.value(night)) }
        try Output.print(NightExplanationText.text(night))
        let options = StoreOptions.text(global)
        for source in night.excluded {
            Message.write(
                ExclusionNote.text(
                    source.source.name, night.type, reason: source.reason, options))
        }
    }
}

/// The explanation of an amount, with the day that it is about.
struct DayExplanation {
    var explanation: Explanation
    /// The day, as in "2024-03-10".
    var day: String
    var calendar: CalendarBuckets
    /// Apple's total, if it is the answer for the day; otherwise nil.
    var appleTotal: AppleTotal?

    init(_ explanation: Explanation, day: String, _ calendar: CalendarBuckets) {
        self.explanation = explanation
        self.day = day
        self.calendar = calendar
    }

    /// Reads the explanation of a day.
    ///
    /// - Parameter visibility: What the reader may see; by default everything.
    /// - Throws: ``UsageError`` for an invalid day, ``StoreError`` if the type isn't summed.
    init(
        _ store: SampleStore, _ type: SampleType, day: String, _ calendar: CalendarBuckets,
        visibility: Visibility = .everything
    ) throws {
        let time = try UsageError.checking { try calendar.time(day) }
        let start = calendar.start(of: .day, at: time)
        let end = calendar.end(of: .day, at: time)
        var rules = StatisticsRules()
        rules.horizon = Date().timeIntervalSinceReferenceDate
        let query = SampleQuery(type, from: start, to: end, visibility: visibility)
        explanation = try store.explanation(of: query, rules: rules)
        self.day = calendar.day(start)
        self.calendar = calendar
        appleTotal = try store.totalsInPlace(query, over: [start, end], rules: rules).first
            .map { try AppleTotal($0, of: type, in: nil) }
    }
}

/// The output of `explain --json`.
enum ExplainJSON {
    /// Whether the merged intervals are listed.
    enum Intervals { case listed, omitted }

    static func value(
        _ day: DayExplanation, intervals: Intervals = .listed
    ) -> JSONText {
        let (explanation, calendar) = (day.explanation, day.calendar)
        return .object([
            "type": .string(explanation.type.identifier),
            "unit": .string(explanation.unit),
            "day": .string(day.day),
            "timeZone": .string(calendar.calendar.timeZone.identifier),
            "naive": .number(explanation.naive),
            "merged": .number(explanation.merged),
            "sources": .array(
                explanation.parts.map {
                    .object([
                        "name": .string($0.source.name),
                        "bundleIdentifier": .string($0.source.bundleIdentifier),
                        "contributed": .number($0.contributed),
                        "setAside": .number($0.duplicate),
                    ])
                }),
            "segments": intervals == .omitted
                ? nil
                : .array(
                    explanation.segments.map {
                        .object([
                            "start": .string(calendar.text($0.start)),
                            "end": .string(calendar.text($0.end)),
                            "source": .string($0.source.name),
                            "value": .number($0.value),
                        ])
                    }),
            "excluded": explanation.excluded.isEmpty
                ? nil
                : .array(
                    explanation.excluded.map { part in
                        .object([
                            "name": .string(part.source.name),
                            "bundleIdentifier": .string(part.source.bundleIdentifier),
                            "recorded": .number(part.contributed + part.duplicate),
                            "reason": .string(part.exclusionReason ?? ""),
                        ])
                    }),
            "skipped": StatsJSON.skipped(explanation.skipped),
            "fromTotals": day.appleTotal.map(StatsJSON.fromTotals),
        ])
    }
}

/// The text output of `explain`.
enum ExplainText {
    static func text(_ day: DayExplanation, style: TerminalStyle) -> String {
        let explanation = day.explanation
        let words = TypeText.name(explanation.type)
        if let total = day.appleTotal {
            var recorded = day
            recorded.appleTotal = nil
            let rest =
                explanation.parts.isEmpty
                ? "No samples of that day are counted.\n"
                : "Recorded: " + text(recorded, style: style)
            return sentence(total, day).wrapped() + "\n\n" + rest
        }
        if explanation.parts.isEmpty {
            return "No \(words) on \(DateText.long(day.day)): nothing was recorded on that day.\n"
        }
        let sums = RoundedSums(explanation)
        let parts = sums.parts(of: explanation) { $0.printable }
        let head = sentence(day, sums).wrapped() + (parts.isEmpty ? "" : "\n" + parts.wrapped())
        return head + "\n\n" + table(explanation, sums, style) + "\n"
            + DayTimeline(day, sums).text(style: style) + "\n" + legend(explanation, style)
    }

    private static func sentence(_ day: DayExplanation, _ sums: RoundedSums) -> String {
        let amount = TypeText.amount(
            sums.text(sums.merged), sums.unit.symbol, of: day.explanation.type)
        return "\(amount) on \(DateText.long(day.day)), without double counting."
    }

    /// Returns the sentence that says that Apple's total is the answer: "1,300 steps on 10 March
    /// 2024: Apple's total from iPhone, larger than the recorded 100 steps; provisional."
    private static func sentence(_ total: AppleTotal, _ day: DayExplanation) -> String {
        let type = day.explanation.type
        let unit = ReadableUnit(day.explanation.unit, largest: total.value)
        func amount(_ value: Double) -> String {
            TypeText.amount(unit.text(value), unit.symbol, of: type)
        }
        let recorded = total.own == 0 ? "" : ", larger than the recorded \(amount(total.own))"
        return "\(amount(total.value)) on \(DateText.long(day.day)): Apple's total from "
            + total.device.printable + recorded + (total.isProvisional ? "; provisional." : ".")
    }

    private static func table(
        _ explanation: Explanation, _ sums: RoundedSums, _ style: TerminalStyle
    ) -> String {
        let unit =
            explanation.unit == "count" ? TypeText.name(explanation.type) : sums.unit.symbol
        var table = Table([
            .number("rank"), .text(unit, maximumWidth: 30), .number("counted"),
            .number("duplicates"),
            .number("recorded"),
        ])
        for index in explanation.parts.indices {
            table.rows.append([
                String(explanation.parts[index].rank), explanation.parts[index].source.name,
                sums.text(sums.contributed[index]), sums.text(sums.duplicate[index]),
                sums.text(sums.contributed[index] + sums.duplicate[index]),
            ])
        }
        table.addRule()
        table.rows.append([
            "", "total", sums.text(sums.merged), sums.text(sums.naive - sums.merged),
            sums.text(sums.naive),
        ])
        return table.text
    }

    private static func legend(_ explanation: Explanation, _ style: TerminalStyle) -> String {
        "█ counted   ░ duplicate of another source   · nothing recorded\n"
    }

    /// Returns a note for each excluded source with data on the day.
    static func notes(_ day: DayExplanation, _ options: String) -> [String] {
        let explanation = day.explanation
        let unit = ReadableUnit(explanation.unit, largest: explanation.naive)
        return explanation.excluded.map { part in
            let amount = unit.text(part.contributed + part.duplicate)
            return "\(part.source.name.printable) also recorded "
                + TypeText.amount(amount, unit.symbol, of: explanation.type) + ".\n"
                + ExclusionNote.text(
                    part.source.name, explanation.type, reason: part.exclusionReason ?? "", options)
        }
    }
}
