import ArgumentParser
import Foundation
import HealthAssistant
import HealthCalendar
import HealthDashboard
import HealthStorage

extension MCP {
    /// `openhealth mcp log`
    struct Log: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "log", abstract: "Lists what assistants have asked, oldest first.",
            discussion: """
                The log has the question of each call, the size of the answer and how it ended, \
                but no health value. It is rotated at 1 MiB, and the last two files are kept.
                """)

        @Option(help: ArgumentHelp("The maximum number of calls, the newest.", valueName: "n"))
        var limit: Int?

        @OptionGroup var global: GlobalOptions

        func validate() throws {
            if let limit, limit < 0 { throw ValidationError("--limit must be 0 or more.") }
        }

        func run() throws {
            let store = try global.open()
            let calendar = try global.calendar(of: store)
            let log = CallLog(at: AssistantFiles.log(ofStore: store.path))
            let records: [CallRecord]
            do {
                records = try log.records()
            } catch {
                throw CommandError("The log \(log.path.printable) can't be read.")
            }
            let shown = records.suffix(limit ?? records.count)
            try global.json
                ? Output.print(CallList.json(shown))
                : Output.print(CallList.text(shown, calendar))
        }
    }
}

/// The output of `mcp log`.
enum CallList {
    static func json(_ records: some Sequence<CallRecord>) -> JSONText {
        .object(["calls": .array(records.map(\.json))])
    }

    static func text(_ records: some Collection<CallRecord>, _ calendar: CalendarBuckets) -> String
    {
        if records.isEmpty { return "No assistant has asked anything yet.\n" }
        var table = Table([
            .text("time"), .text("client", maximumWidth: 22), .text("tool"),
            .text("arguments", maximumWidth: 60), .number("bytes"), .text("outcome"),
        ])
        for record in records {
            let time = record.time.timeIntervalSinceReferenceDate
            table.rows.append([
                DateText.minute(time, calendar), record.client ?? "", record.tool,
                record.arguments, NumberText.grouped(Double(record.bytes)), record.result.rawValue,
            ])
        }
        let bytes = records.reduce(0) { $0 + $1.bytes }
        return "\(counted(records.count, "call", "calls")), \(NumberText.grouped(Double(bytes))) "
            + "bytes of data sent.\n\n" + table.text
    }
}
