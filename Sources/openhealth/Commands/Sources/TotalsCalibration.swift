import ArgumentParser
import Foundation
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthServer
import HealthStorage

/// The output of `sources calibrate --from-totals`: the merged totals beside Apple's, by type.
struct TotalsCalibration {
    /// A day with a large difference, and how its merged total comes about.
    struct WorstDay {
        var day: TotalsComparison.Day
        var explanation: Explanation
    }

    private struct Result {
        var comparison: TotalsComparison
        var worst: [WorstDay]
    }

    /// The number of days with the largest differences that are explained for each type.
    private static let explainedDays = 3

    private let results: [Result]
    private let calendar: CalendarBuckets

    /// Compares the totals of all types that have totals of Apple's, or of one.
    ///
    /// - Throws: `StoreError` if the store can't be read.
    init(
        _ store: SampleStore, _ type: SampleType?, in calendar: CalendarBuckets, now: Double
    ) throws {
        self.calendar = calendar
        var rules = StatisticsRules()
        rules.horizon = now
        let types = try type.map { [$0] } ?? store.typesWithReceivedTotals()
        results = try types.compactMap { [rules] type -> Result? in
            guard
                let comparison = try store.totalsComparison(of: type, in: calendar, rules: rules)
            else { return nil }
            let worst = comparison.worst(TotalsCalibration.explainedDays)
                .filter { $0.difference != 0 }
            return Result(
                comparison: comparison,
                worst: try worst.map { day in
                    let query = SampleQuery(type, from: day.start, to: day.end)
                    return WorstDay(
                        day: day, explanation: try store.explanation(of: query, rules: rules))
                })
        }
    }

    private var compared: [Result] { results.filter { !$0.comparison.days.isEmpty } }

    // MARK: - Text

    var text: String {
        guard !compared.isEmpty else { return nothing }
        let blocks = compared.flatMap { result in result.worst.map { block($0, result) } }
        return "Merged totals compared with Apple's, by day.\n\n" + table
            + (notes.map { "\n" + $0 + "\n" }.joined())
            + (blocks.isEmpty ? "" : "\nLargest differences:\n" + blocks.joined())
    }

    /// The text without dates, names and values, for a bug report.
    var report: String {
        guard !compared.isEmpty else { return nothing }
        let version = OpenHealth.configuration.version
        return "openhealth \(version): merged totals compared with Apple's, by day.\n\n" + table
    }

    private var nothing: String {
        let incomplete = results.reduce(0) { $0 + $1.comparison.incompleteDays }
        let text =
            incomplete == 0
            ? "There are no whole days with Apple's totals to compare. A day is compared if the "
                + "phone sent its totals again 24 hours after its end or later."
            : "\(counted(incomplete, "day has", "days have")) Apple's totals, but the samples of "
                + "these days may be incomplete. Import an export that ends later, then compare again."
        return text.wrapped() + "\n"
    }

    private var notes: [String] {
        let incomplete = results.map(\.comparison.incompleteDays).max() ?? 0
        if incomplete == 0 { return [] }
        return [
            "Up to \(counted(incomplete, "more day", "more days")) of a type can't be compared: "
                + "samples may be missing."
        ].map { $0.wrapped() }
    }

    private var table: String {
        var table = Table([
            .text("type"), .number("days"), .number("within 0.5 %"), .number("within 3 %"),
            .number("mean"), .number("worst"),
        ])
        for result in compared {
            guard let row = DataQualityPage.ComparedType(result.comparison) else { continue }
            table.rows.append([
                row.type, String(row.days), PercentText.share(row.within05),
                PercentText.share(row.within3), PercentText.difference(row.mean, signed: .never),
                PercentText.difference(row.worst, signed: .always),
            ])
        }
        return table.text
    }

    private func block(_ worst: WorstDay, _ result: Result) -> String {
        let type = result.comparison.type
        let unit = ReadableUnit(
            result.comparison.unit, largest: max(worst.day.apple, worst.day.own))
        func amount(_ value: Double) -> String {
            TypeText.amount(unit.text(value), unit.symbol, of: type)
        }
        let difference = PercentText.difference(worst.day.difference, signed: .always)
        let day = calendar.day(worst.day.start)
        let head =
            "\(DateText.long(day)): \(amount(worst.day.own)), Apple's total "
            + "\(unit.text(worst.day.apple)) (\(difference))"
        let sums = RoundedSums(worst.explanation)
        let parts = sums.parts(of: worst.explanation) { $0.printable }
        let excluded = worst.explanation.excluded.map { part in
            "\(part.source.name.printable) excluded with \(unit.text(part.duplicate))"
        }
        let all = ([parts] + excluded).filter { !$0.isEmpty }.joined(separator: " · ")
        return "\n" + head.wrapped() + "\n" + (all.isEmpty ? "No samples." : all).wrapped() + "\n"
    }

    // MARK: - JSON

    var json: JSONText {
        .object(["types": .array(results.map { json($0, .everything) })])
    }

    /// The JSON without dates, names and values, for a bug report.
    var reportJSON: JSONText {
        .object(["types": .array(compared.map { json($0, .percentages) })])
    }

    private enum Contents { case everything, percentages }

    private func json(_ result: Result, _ contents: Contents) -> JSONText {
        let comparison = result.comparison
        return .object([
            "type": .string(comparison.type.identifier),
            "days": .integer(comparison.days.count),
            "incompleteDays": .integer(comparison.incompleteDays),
            "within0.5": .amount(comparison.share(within: 0.005)),
            "within3": .amount(comparison.share(within: 0.03)),
            "meanDifference": .amount(comparison.meanDifference.map(rounded)),
            "worstDifference": .amount(comparison.worstDifference.map(rounded)),
            "unit": contents == .percentages ? nil : .string(comparison.unit),
            "worstDays": contents == .percentages ? nil : .array(result.worst.map(json)),
        ])
    }

    private func json(_ worst: WorstDay) -> JSONText {
        .object([
            "day": .string(calendar.day(worst.day.start)),
            "apple": .number(worst.day.apple), "own": .number(worst.day.own),
            "difference": .number(rounded(worst.day.difference)),
            "sources": .array(
                worst.explanation.parts.map {
                    .object([
                        "name": .string($0.source.name),
                        "bundleIdentifier": .string($0.source.bundleIdentifier),
                        "contributed": .number($0.contributed),
                        "setAside": .number($0.duplicate),
                    ])
                }),
            "excluded": .array(
                worst.explanation.excluded.map {
                    .object([
                        "name": .string($0.source.name),
                        "bundleIdentifier": .string($0.source.bundleIdentifier),
                        "recorded": .number($0.contributed + $0.duplicate),
                    ])
                }),
        ])
    }

    /// Rounds to a hundredth of a percent. More digits could identify a day's values.
    private func rounded(_ share: Double) -> Double { (share * 10_000).rounded() / 10_000 }
}
