import Foundation
import HealthDashboard
import HealthStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The output of `weight trend` as text and JSON.
struct WeightTrendText {
    let trend: WeightTrend
    let unit: WeightUnit
    let options: String

    var text: String {
        guard let latest = trend.latest, let span = trend.span else {
            return """
                No trend: no weight was recorded in that period, or reading is not allowed; the \
                store doesn't report which. Add a weight: openhealth weight log 82.4kg
                """.wrapped() + "\n"
        }
        let chart = WeightChart(
            days: trend.days, span: span, unit: unit, style: .standardOutput(), width: Self.width)
        let head = [sentence(latest), bodyMassIndex].compactMap { $0 }
        let foot = [method, bodyMassIndex == nil ? Self.noHeight : nil].compactMap { $0 }
        return head.joined(separator: " ").wrapped() + "\n\n" + chart.text + "\n" + table.text
            + foot.map { "\n" + $0.wrapped() + "\n" }.joined()
    }

    // MARK: - Sentences

    private func sentence(_ latest: WeightSeries.Day) -> String {
        let sentence =
            "Trend \(WeightText.text(latest.trend, in: unit)) on " + DateText.long(latest.name)
        guard let rate = trend.rate else {
            return sentence + ". A weekly rate needs weights on three days over at least a week."
        }
        let amount = WeightText.text(abs(rate.kilogramsPerWeek), in: unit)
        if amount == WeightText.text(0, in: unit) {
            return sentence + ", steady over the last four weeks."
        }
        let direction = rate.kilogramsPerWeek < 0 ? "falling" : "rising"
        return sentence + ", \(direction) \(amount) per week over the last four weeks."
    }

    private static let noHeight =
        "No body mass index: no height is recorded, or reading it is not allowed; the store "
        + "doesn't report which."

    private var bodyMassIndex: String? {
        guard let index = trend.bodyMassIndex, let height = trend.height else { return nil }
        return "Body mass index \(NumberText.grouped(index, digits: 1)) at "
            + "\(WeightText.height(height, beside: unit))."
    }

    private var method: String {
        let days = trend.rate.map { " (\($0.days) with weights)" } ?? ""
        return "Trend: exponentially smoothed daily averages, 10 % per day (1 − 0.9ⁿ after n "
            + "days). Rate: least squares over the daily averages of the last 28 days\(days)."
    }

    // MARK: - Table

    private var table: Table {
        let name = unit == .stone ? "" : ", \(unit.rawValue)"
        var table = Table([
            .text(trend.period == .week ? "week of" : trend.period.rawValue), .number("days"),
            .number("average\(name)"), .number("trend"), .number("change"),
        ])
        for row in trend.rows {
            table.rows.append([
                row.name, String(row.days), WeightText.number(row.average, in: unit),
                WeightText.number(row.trend, in: unit), row.change.map(change) ?? "",
            ])
        }
        return table
    }

    private func change(_ kilograms: Double) -> String {
        let text = WeightText.number(abs(kilograms), in: unit)
        if text == WeightText.number(0, in: unit) { return text }
        return (kilograms < 0 ? "−" : "+") + text
    }

    // MARK: - JSON

    var json: JSONText {
        .object([
            "unit": .string(unit.rawValue),
            "method": .object([
                "trend": .string("exponential smoothing of daily averages"),
                "share": .number(WeightSeries.share),
                "rate": .string("least squares over daily averages"),
                "rateDays": .integer(WeightSeries.rateDays),
            ]),
            "latestDay": .text(trend.latest?.name),
            "trend": .amount(trend.latest.map { unit.value($0.trend) }),
            "ratePerWeek": .amount(trend.rate.map { unit.value($0.kilogramsPerWeek) }),
            "rateFromDays": trend.rate.map { .integer($0.days) } ?? .null,
            "bodyMassIndex": .amount(trend.bodyMassIndex),
            "height": .amount(trend.height),
            "days": .array(
                trend.days.map { day in
                    .object([
                        "day": .string(day.name), "average": .number(unit.value(day.average)),
                        "trend": .number(unit.value(day.trend)),
                    ])
                }),
            "periods": .array(
                trend.rows.map { row in
                    .object([
                        "period": .string(row.name), "days": .integer(row.days),
                        "average": .number(unit.value(row.average)),
                        "trend": .number(unit.value(row.trend)),
                        "change": .amount(row.change.map(unit.value)),
                    ])
                }),
        ])
    }

    // MARK: - The terminal

    /// The width of the chart: that of the terminal, but from 60 to 100 columns; 80 without a
    /// terminal.
    private static var width: Int {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
            size.ws_col > 0
        else { return 80 }
        return min(100, max(60, Int(size.ws_col)))
    }
}
