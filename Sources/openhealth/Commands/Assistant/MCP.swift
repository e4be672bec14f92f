import ArgumentParser
import Foundation
import HealthAssistant
import HealthCalendar
import HealthEngine
import HealthServer
import HealthStorage

/// `openhealth mcp`
struct MCP: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Answers an assistant's questions over the Model Context Protocol.",
        discussion: """
            A program that speaks the Model Context Protocol starts this command and talks to it \
            over standard input and output. It can ask for summaries, totals, trends, nights and \
            workouts, which are the numbers of the other subcommands. It can't change anything, \
            and reaches no file and no network. The program may send what it reads to a service: limit \
            that with --types, --since and --aggregated-only.

            Each call is written to health.assistant.log beside the store. To read it: openhealth \
            mcp log
            """,
        subcommands: [ServeAssistant.self, Log.self], defaultSubcommand: ServeAssistant.self)
}

extension MCP {
    /// `openhealth mcp [serve]`
    struct ServeAssistant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "serve", abstract: "Answers questions until the input ends (the default).")

        @Option(
            parsing: .upToNextOption,
            help: ArgumentHelp(
                "The types that can be read, separated by commas: stepCount,heartRate. Default: "
                    + "all types.",
                valueName: "types"))
        var types: [String] = []

        @Option(
            help: ArgumentHelp(
                "Permit only samples that start on this day or later: 2024-03-10, or a period that "
                    + "ends today, such as 1y.",
                valueName: "date"))
        var since: String?

        @Flag(help: "Permit only totals, averages and other statistics, no single samples.")
        var aggregatedOnly = false

        @OptionGroup var goal: StepGoal

        @OptionGroup var global: GlobalOptions

        func run() async throws {
            let store = try global.open()
            let tools = AssistantTools(
                store: store, scope: try scope(store), zone: try global.explicitTimeZone,
                stepGoal: try goal.steps, now: { .now })
            let log = CallLog(at: AssistantFiles.log(ofStore: store.path))
            do {
                try log.prepare()
            } catch {
                let fault = FileFault(errorNumber: error.errorNumber)
                throw CommandError(
                    "The log \(log.path.printable) can't be written: \(fault)."
                        .followed(by: fault.advice))
            }
            let server = AssistantServer(
                info: try tools.info(), tools: tools.all, resources: tools.resources,
                explain: AssistantTools.explanation, record: { try log.add($0) },
                write: AssistantOutput.write)
            if isatty(STDIN_FILENO) == 1 {
                Message.write(
                    "This command is for programs: each line is a JSON-RPC message. To set up an "
                        + "assistant, see Documentation/Assistant.md. Press Ctrl-D to end.")
            }
            await serve(server)
            // Tools open the file again, and closing one of two connections in a process would
            // release SQLite's locks.
            withExtendedLifetime(store) {}
        }

        /// Serves until the input ends or the process gets the signal to end.
        private func serve(_ server: AssistantServer) async {
            // A client that has gone must end the command, not kill it.
            signal(SIGPIPE, SIG_IGN)
            let ending = TerminationSignals()
            await withTaskGroup { group in
                group.addTask {
                    await ending.wait()
                    // Calls only read, so nothing is lost.
                    Foundation.exit(ExitCode.success.rawValue)
                }
                group.addTask { await server.serve(from: STDIN_FILENO) }
                _ = await group.next()
                group.cancelAll()
            }
        }

        private func scope(_ store: SampleStore) throws -> ReadScope {
            let names = types.flatMap { $0.split(separator: ",") }
                .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            if names.isEmpty, !types.isEmpty {
                throw UsageError("--types needs names, for example stepCount,heartRate.")
            }
            let identifiers = try names.map { name in
                try (Catalogue.type(called: name) ?? global.type(name, in: store)).identifier
            }
            return ReadScope(
                types: names.isEmpty ? nil : Set(identifiers), earliest: try earliest(store),
                isAggregatedOnly: aggregatedOnly)
        }

        /// Returns the time of `--since`; nil without the option.
        private func earliest(_ store: SampleStore) throws -> Double? {
            guard let since else { return nil }
            let calendar = try global.calendar(of: store)
            let today = calendar.civilDate(Date.now.timeIntervalSinceReferenceDate)
            return try UsageError.checking {
                if let period = try? DayPeriod(
                    since, today: today, firstWeekday: calendar.firstWeekday)
                {
                    return calendar.times(of: period).from
                }
                return try calendar.time(since)
            }
        }
    }
}

/// Writes messages to standard output.
enum AssistantOutput {
    /// Writes a text at once. Ends the process if nobody reads it.
    ///
    /// - Returns: Whether it was written.
    @Sendable static func write(_ text: String) -> Bool {
        do {
            try Output.print(text)
            return true
        } catch {
            Foundation.exit(ExitCode.success.rawValue)
        }
    }
}

/// The files of assistants beside a store.
enum AssistantFiles {
    /// The suffix of the log's path.
    static let logSuffix = "assistant.log"

    static func log(ofStore path: String) -> String { SidecarFiles.path(path, logSuffix) }
}
