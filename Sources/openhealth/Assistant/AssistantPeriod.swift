import HealthAssistant
import HealthCalendar
import HealthEngine
import HealthStorage

/// The days that a question is about: a written period, or all days with data.
struct AssistantPeriod: Hashable, Sendable {
    /// The period as it was written.
    var text: String
    /// nil for all days.
    var days: DayPeriod?

    init(text: String, days: DayPeriod?) {
        self.text = text
        self.days = days
    }

    /// Parses a period: one of ``DayPeriod``, two of them joined by "to", or "all".
    ///
    /// - Throws: ``ToolFailure`` for another text, or an end before the start.
    init(_ text: String, today: CivilDate, firstWeekday: Int) throws(ToolFailure) {
        self.text = text
        let words = text.lowercased().split(separator: " ")
        if words == ["all"] || words == ["all", "time"] || words == ["ever"] { return }
        let parts = text.lowercased().replacing("..", with: " to ").components(" to ")
        do {
            let periods = try parts.map {
                try DayPeriod($0, today: today, firstWeekday: firstWeekday)
            }
            guard let first = periods.first, let last = periods.last, periods.count <= 2 else {
                throw CalendarError.notAPeriod(text)
            }
            guard first.first < last.end else {
                throw ToolFailure("The period “\(text.excerpt(60))” ends before it starts.")
            }
            days = DayPeriod(first: first.first, end: last.end)
        } catch let failure as ToolFailure {
            throw failure
        } catch {
            throw ToolFailure(
                "Unknown period “\(text.excerpt(60))”. Use one such as today, yesterday, last "
                    + "week, this month, 30d, 6m, 2025, 2025-11, 2025-11-03, “2025-01 to 2025-03” "
                    + "or all.")
        }
    }

    /// The period before, as ``DayPeriod/previous`` defines it; nil for all days.
    var previous: AssistantPeriod? {
        guard let before = days?.previous, CivilDate.supportedRange.contains(before.first) else {
            return nil
        }
        return AssistantPeriod(text: before.written, days: before)
    }

    /// The range in reference seconds; infinite for all days.
    func times(_ calendar: CalendarBuckets) -> (from: Double, to: Double) {
        days.map { calendar.times(of: $0) } ?? (-.infinity, .infinity)
    }

    /// The period in an answer.
    func json(today: CivilDate) -> JSONText {
        guard let days else {
            return .object([
                "text": .string(text.excerpt(60)), "firstDay": .null, "lastDay": .null,
                "days": .null, "isOver": .bool(false),
            ])
        }
        return .object([
            "text": .string(text.excerpt(60)), "firstDay": .string(days.first.description),
            "lastDay": .string(days.end.advanced(by: -1).description),
            "days": .integer(days.end.dayNumber - days.first.dayNumber),
            "isOver": .bool(days.end <= today),
        ])
    }

    static let schema = Schema.object(
        [
            .required("text", .text("The period as it was asked for.")),
            .required("firstDay", .text("The first local day, YYYY-MM-DD.").orNull),
            .required("lastDay", .text("The last local day, which is part of the period.").orNull),
            .required("days", Schema.integer(nil, "The number of days.").orNull),
            .required(
                "isOver",
                .boolean("false while the period still runs, so that its numbers can change.")),
        ], "The days of the answer; null for all days with data.")
}

extension DayPeriod {
    /// The period in digits: "2025-11-03", or "2025-11-03 to 2025-11-09".
    var written: String {
        let last = end.advanced(by: -1)
        return first == last ? first.description : "\(first) to \(last)"
    }
}

extension String {
    /// Splits the text at each occurrence of a separator.
    fileprivate func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
