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
        try WrongUsage.checking {
            if let from { question.from = try calendar.time(from) }
            if let to { question.to = try calendar.time(to) }
        }
        if question.from > question.to {
            throw WrongUsage("--from is later than --to.")
        }
    }
}
