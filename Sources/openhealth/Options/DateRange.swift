import ArgumentParser
import Foundation
import HealthEngine
import HealthStorage

/// `--from` and `--to`.
struct DateRange: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The first moment: 2024-03-10 or 2024-03-10T08:30:00+01:00.", valueName: "date"))
    var from: String?

    @Option(help: ArgumentHelp("The moment behind the last one.", valueName: "date"))
    var to: String?

    /// Narrows a question to the range.
    func apply(to question: inout SampleQuestion, _ calendar: CalendarBuckets) throws {
        let times = try times(calendar)
        (question.from, question.to) = calendar.range(
            from: times.from, to: times.to, of: question.type)
    }

    /// The range in reference seconds, infinite where it is open.
    func times(_ calendar: CalendarBuckets) throws -> (from: Double, to: Double) {
        let times = try WrongUsage.checking {
            (
                from: try from.map(calendar.time) ?? -.infinity,
                to: try to.map(calendar.time) ?? .infinity
            )
        }
        if times.from > times.to { throw WrongUsage("--from is later than --to.") }
        return times
    }
}
