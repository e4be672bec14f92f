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
            discussion: """
                In the Health app, open the type and choose a few days on which two devices \
                recorded. Enter each day with the number that the app shows: 2024-03-10=8432. \
                Without --apply, nothing is changed.
                """)

        @OptionGroup var type: TypeArgument
        @Argument(
            help: ArgumentHelp(
                "Days with the number in the Health app, as 2024-03-10=8432 or 2024-03-10=5.21.",
                valueName: "day=amount"))
        var days: [String]
        @Option(
            help: ArgumentHelp(
                "The unit in the Health app, for example km or mi. Default: the unit of stats.",
                valueName: "unit"))
        var unit: String?
        @Flag(help: "Save the setting that fits best.")
        var apply = false
        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open(apply ? .writing : .reading)
            let type = try global.type(type.name, in: store)
            let calendar = try global.calendar(of: store)
            let found: Calibration
            do {
                let shown = try ShownAmount.parse(days, of: type, unit: unit)
                found = try store.calibration(
                    of: type, shown: shown, in: calendar,
                    now: Date().timeIntervalSinceReferenceDate, unit: unit)
            } catch let error as CalibrationError {
                throw UsageError(error.description)
            } catch let error as ShownAmount.ParseError {
                throw UsageError(error.description)
            } catch let error as StoreError where error.code == .invalidArgument {
                throw UsageError(error.sentence)
            }
            let command = try found.proposal.map { try SourceOrderCommand(type, $0, store) }
            if apply, let proposal = found.proposal {
                try store.apply(proposal, to: type)
            }
            let text = CalibrationText(
                found, command, isAdopted: apply, options: StoreOptions.words(global))
            try global.json ? Output.print(text.json) : Output.print(text.text)
        }
    }
}

/// The output of a calibration as text and JSON.
struct CalibrationText {
    private let found: Calibration
    private let command: SourceOrderCommand?
    private let isAdopted: Bool
    private let options: String

    init(
        _ found: Calibration, _ command: SourceOrderCommand?, isAdopted: Bool, options: String
    ) {
        self.found = found
        self.command = command
        self.isAdopted = isAdopted
        self.options = options
    }

    var text: String {
        let words = CalibrationSummary(found)
        var text = words.sentence.wrapped() + "\n\n" + table(words)
        for line in words.notes { text += "\n" + line.wrapped() + "\n" }
        guard let command else { return text }
        if isAdopted { return text + "\nSaved. To undo it:\n  \(reset)\n" }
        text += "\nTo save it, add --apply, or run:\n"
        for line in command.lines(options: options) { text += "  " + line + "\n" }
        return text
    }

    private var reset: String { "openhealth sources reset \(found.type.name)\(options)" }

    private func table(_ words: CalibrationSummary) -> String {
        let unit = found.unit == "count" ? TypeText.words(found.type) : found.unit
        var columns: [Table.Column] = [
            .words("day"), .number("\(unit) shown"), .number("current"), .number("off by"),
        ]
        if !found.keepsCurrent { columns += [.number("best"), .number("off by")] }
        var table = Table(columns)
        for (index, shown) in found.shown.enumerated() {
            func off(_ outcome: Calibration.Outcome) -> [String] {
                [words.total(outcome, index), words.residual(outcome, index)]
            }
            table.rows.append(
                [shown.day.description, words.number(shown.value)] + off(found.current)
                    + (found.keepsCurrent ? [] : off(found.best)))
        }
        return table.text
    }

    var json: JSONText {
        .object([
            "type": .string(found.type.identifier),
            "unit": .string(found.unit),
            "fits": .bool(found.best.fitsEveryDay),
            "keepsCurrent": .bool(found.keepsCurrent),
            "applied": .bool(isAdopted && command != nil),
            "days": .array(
                found.shown.enumerated().map { index, shown in
                    .object([
                        "day": .string(shown.day.description), "shown": .number(shown.value),
                        "current": .number(found.current.totals[index]),
                        "best": .number(found.best.totals[index]),
                    ])
                }),
            "current": json(found.current),
            "best": json(found.best),
            "withGapTolerance": found.withTolerance.map(json),
            "ties": .integer(found.ties),
            "undecided": .array(found.ambiguities.map { .string(CalibrationSummary.words($0)) }),
            "tried": .integer(found.settingsTried),
            "everySettingTried": .bool(found.coverage == .complete),
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
