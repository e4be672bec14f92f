import ArgumentParser
import Foundation
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

extension Sources {
    /// `openhealth sources calibrate TYPE 2024-03-10=8432 …`
    struct Calibrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "calibrate",
            abstract: "Finds the order of sources that gives the numbers in the Health app.",
            usage: """
                openhealth sources calibrate <type> <day=amount> ... [--unit <unit>] [--apply]
                openhealth sources calibrate --from-totals [--type <type>] [--report]
                """,
            discussion: """
                In the Health app, open the type and choose a few days on which two devices \
                recorded. Enter each day with the number that the app shows: 2024-03-10=8432. \
                Without --apply, nothing is changed.

                With --from-totals, no numbers are needed: totals that a phone sent are compared \
                with the merged totals of the same days. --report prints only percentages, for a \
                bug report: no dates, names or values.
                """)

        @Argument(help: ArgumentHelp("stepCount or a full identifier.", valueName: "type"))
        var name: String?
        @Argument(
            help: ArgumentHelp(
                "Days with the number in the Health app, as 2024-03-10=8432 or 2024-03-10=5.21.",
                valueName: "day=amount"))
        var days: [String] = []
        @Option(
            help: ArgumentHelp(
                "The unit in the Health app, for example km or mi. Default: the unit of stats.",
                valueName: "unit"))
        var unit: String?
        @Flag(help: "Save the setting that fits best.")
        var apply = false
        @Flag(help: "Compare with the totals that a phone sent.")
        var fromTotals = false
        @Option(
            name: .customLong("type"),
            help: ArgumentHelp("With --from-totals: only this type.", valueName: "type"))
        var comparedType: String?
        @Flag(help: "With --from-totals: print percentages only.")
        var report = false
        @OptionGroup var global: GlobalOptions

        func validate() throws {
            if fromTotals {
                guard name == nil, days.isEmpty, unit == nil, !apply else {
                    throw ValidationError(
                        "--from-totals takes no days, no --unit and no --apply. Select a type with "
                            + "--type.")
                }
            } else if comparedType != nil || report {
                throw ValidationError("--type and --report need --from-totals.")
            } else if name == nil {
                throw ValidationError("Missing expected argument '<type>'")
            } else if days.isEmpty {
                throw ValidationError("Missing expected argument '<day=amount> ...'")
            }
        }

        func run() throws {
            if fromTotals { return try compare() }
            let store = try global.open(apply ? .writing : .reading)
            let type = try global.type(name ?? "", in: store)
            let calendar = try global.calendar(of: store)
            let calibration: Calibration
            do {
                let shown = try DisplayedTotalParser.parse(days, of: type, unit: unit)
                calibration = try store.calibration(
                    of: type, displayedTotals: shown, in: calendar,
                    now: Date().timeIntervalSinceReferenceDate, unit: unit)
            } catch let error as CalibrationError {
                throw UsageError(error.description)
            } catch let error as DisplayedTotalParser.ParseError {
                throw UsageError(error.description)
            } catch let error as StoreError where error.code == .invalidArgument {
                throw UsageError(error.sentence)
            }
            let command = try calibration.proposal.map { try SourceOrderCommand(type, $0, store) }
            if apply, let proposal = calibration.proposal {
                try store.apply(proposal, to: type)
            }
            let text = CalibrationText(
                calibration, command, isAdopted: apply, options: StoreOptions.text(global))
            try global.json ? Output.print(text.json) : Output.print(text.text)
        }

        private func compare() throws {
            let store = try global.open()
            let type = try comparedType.map { try global.type($0, in: store) }
            if let type, type.aggregation != .cumulative {
                throw UsageError(CalibrationError.notSummed(type.name).description)
            }
            let calibration = try TotalsCalibration(
                store, type, in: global.calendar(of: store),
                now: Date().timeIntervalSinceReferenceDate)
            if global.json {
                try Output.print(report ? calibration.reportJSON : calibration.json)
            } else {
                try Output.print(report ? calibration.report : calibration.text)
            }
        }
    }
}

/// The output of a calibration as text and JSON.
struct CalibrationText {
    private let calibration: Calibration
    private let command: SourceOrderCommand?
    private let isAdopted: Bool
    private let options: String

    init(
        _ calibration: Calibration, _ command: SourceOrderCommand?, isAdopted: Bool, options: String
    ) {
        self.calibration = calibration
        self.command = command
        self.isAdopted = isAdopted
        self.options = options
    }

    var text: String {
        let words = CalibrationSummary(calibration)
        var text = words.sentence.wrapped() + "\n\n" + table(words)
        for line in words.notes { text += "\n" + line.wrapped() + "\n" }
        guard let command else { return text }
        if isAdopted { return text + "\nSaved. To undo it:\n  \(reset)\n" }
        text += "\nTo save it, add --apply, or run:\n"
        for line in command.lines(options: options) { text += "  " + line + "\n" }
        return text
    }

    private var reset: String { "openhealth sources reset \(calibration.type.name)\(options)" }

    private func table(_ words: CalibrationSummary) -> String {
        let unit = calibration.unit == "count" ? TypeText.name(calibration.type) : calibration.unit
        var columns: [Table.Column] = [
            .text("day"), .number("\(unit) shown"), .number("current"), .number("off by"),
        ]
        if !calibration.keepsCurrent { columns += [.number("best"), .number("off by")] }
        var table = Table(columns)
        for (index, shown) in calibration.displayedTotals.enumerated() {
            func off(_ outcome: Calibration.Outcome) -> [String] {
                [words.total(outcome, index), words.residual(outcome, index)]
            }
            table.rows.append(
                [shown.day.description, words.number(shown.value)] + off(calibration.current)
                    + (calibration.keepsCurrent ? [] : off(calibration.best)))
        }
        return table.text
    }

    var json: JSONText {
        .object([
            "type": .string(calibration.type.identifier),
            "unit": .string(calibration.unit),
            "fits": .bool(calibration.best.fitsEveryDay),
            "keepsCurrent": .bool(calibration.keepsCurrent),
            "applied": .bool(isAdopted && command != nil),
            "days": .array(
                calibration.displayedTotals.enumerated().map { index, shown in
                    .object([
                        "day": .string(shown.day.description), "shown": .number(shown.value),
                        "current": .number(calibration.current.totals[index]),
                        "best": .number(calibration.best.totals[index]),
                    ])
                }),
            "current": json(calibration.current),
            "best": json(calibration.best),
            "withGapTolerance": calibration.withTolerance.map(json),
            "ties": .integer(calibration.ties),
            "undecided": .array(
                calibration.ambiguities.map { .string(CalibrationSummary.text($0)) }),
            "tried": .integer(calibration.settingsTried),
            "everySettingTried": .bool(calibration.coverage == .complete),
            "commands": .array((command?.lines(options: options) ?? []).map(JSONText.string)),
        ])
    }

    private func json(_ outcome: Calibration.Outcome) -> JSONText {
        func sources(_ sources: [Source]) -> JSONText {
            .array(
                sources.map {
                    .object([
                        "name": .string($0.name),
                        "bundleIdentifier": .string($0.bundleIdentifier),
                    ])
                })
        }
        return .object([
            "order": sources(outcome.setting.order),
            "excluded": sources(outcome.setting.excluded),
            "gapTolerance": .number(outcome.setting.gapTolerance),
            "residuals": .array(outcome.residuals.map(JSONText.number)),
            "fits": .array(outcome.fits.map(JSONText.bool)),
        ])
    }
}
