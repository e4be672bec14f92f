import HealthAssistant
import HealthCalendar
import HealthDashboard
import HealthEngine
import HealthStorage

// Totals of a period, and the comparison of two.
extension AssistantTools {
    var total: AssistantTool {
        AssistantTool(
            "total", title: "Total or average of a period",
            "The total (steps, energy, distance) or average (heart rate, weight) of one type over "
                + "a period, without double counting, with its sources. For sleep use the tool "
                + "sleep.",
            parameters: [
                .required("type", .text(AssistantWords.type)),
                .optional("period", .text(AssistantWords.period + " Default: today.")),
                .optional("unit", .text(AssistantWords.unit)),
            ],
            result: .object(AssistantFigure.headProperties + AssistantFigure.properties),
            reading { question in
                let type = try question.type()
                let figure = try AssistantFigure(
                    question, type, try question.period(default: "today"),
                    unit: try question.unit(of: type))
                return .object(
                    AssistantFigure.head(type, unit: figure.unit, figure.statistic, question)
                        + figure.members(today: question.today))
            })
    }

    var compare: AssistantTool {
        AssistantTool(
            "compare", title: "Comparison of two periods",
            "The totals or averages of one type over two periods, and their difference. Amounts "
                + "are compared by day with data, so periods of different length compare fairly.",
            parameters: [
                .required("type", .text(AssistantWords.type)),
                .optional("period", .text(AssistantWords.period + " Default: this month.")),
                .optional(
                    "with",
                    .text("The period to compare with. Default: the one of equal length before.")),
                .optional("unit", .text(AssistantWords.unit)),
            ],
            result: .object(
                AssistantFigure.headProperties + [
                    .required("first", .object(AssistantFigure.properties)),
                    .required("second", .object(AssistantFigure.properties)),
                    .required(
                        "basis",
                        .choice(
                            ["perDayWithData", "value"],
                            "The number of both periods that difference and percent are about.")),
                    .required(
                        "difference",
                        Schema.number("first minus second; null if one was not measured.").orNull),
                    .required(
                        "percent",
                        Schema.number("The difference in percent of second.").orNull),
                ]),
            reading { try $0.comparison() })
    }
}

extension AssistantQuestion {
    fileprivate func comparison() throws -> JSONText {
        let type = try type()
        let unit = try unit(of: type)
        let period = try period(default: "this month")
        let other: AssistantPeriod
        if arguments.text("with") != nil {
            other = try self.period("with", default: "")
        } else if let previous = period.previous {
            other = previous
        } else {
            throw ToolFailure("There is no period before all days: pass with.")
        }
        let first = try AssistantFigure(self, type, period, unit: unit)
        let second = try AssistantFigure(self, type, other, unit: unit)
        let isSum = type.aggregation == .cumulative
        let numbers = isSum ? (first.perDay, second.perDay) : (first.value, second.value)
        var difference: Double?
        var percent: Double?
        if let a = numbers.0, let b = numbers.1 {
            difference = a - b
            if b != 0 { percent = (a - b) / abs(b) * 100 }
        }
        return .object(
            AssistantFigure.head(type, unit: first.unit, first.statistic, self) + [
                ("first", .object(first.members(today: today))),
                ("second", .object(second.members(today: today))),
                ("basis", .string(isSum ? "perDayWithData" : "value")),
                ("difference", .amount(difference)), ("percent", .amount(percent)),
            ])
    }
}
