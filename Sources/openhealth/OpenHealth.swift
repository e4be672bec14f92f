import ArgumentParser
import Foundation
import HealthCalendar
import HealthServer
import HealthStorage

/// The `openhealth` command, which reads Apple Health exports and computes statistics without
/// double counting.
@main
struct OpenHealth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openhealth",
        abstract: "Imports Apple Health exports and computes statistics without double counting.",
        discussion: """
            Start with:  openhealth import export.zip
            or try:      openhealth demo

            Results are written to standard output, messages to standard error.
            Exit status: 0 success, even if the result is empty; 1 failure; 2 partial success;
            3 findings of check, review or conformance; 64 wrong usage (an unknown option, \
            type, unit, date or time zone).
            """,
        version: ProgramVersion.text,
        subcommands: [
            Import.self, Imports.self, Types.self, Sources.self, Summary.self, Report.self,
            OpenPages.self,
            Serve.self, Stats.self, Compare.self, Explain.self, Samples.self, Workouts.self,
            Export.self, Backup.self, Restore.self, Stores.self,
            PushStore.self, Weight.self, Watch.self, Grants.self, Devices.self, Tokens.self,
            Hooks.self, MCP.self, Check.self, Delete.self, Review.self, Conformance.self,
            Simulate.self, Demo.self,
            Manual.self,
        ] + peopleCommands)

    #if People
        private static let peopleCommands: [any ParsableCommand.Type] = [PeopleCommand.self]
    #else
        private static let peopleCommands: [any ParsableCommand.Type] = []
    #endif

    /// Runs the command on the main actor, so that a command that blocks for seconds uses the main
    /// thread and not a thread of the concurrency pool.
    @MainActor static func main() async {
        FileSizeLimit.ignoreSignal()
        SQLiteSettings.keepStatementJournalsInMemory()
        var arguments = Array(CommandLine.arguments.dropFirst())
        // The arguments of `review` are passed to another program unchanged.
        if arguments.first != Review.name {
            arguments = GlobalArguments.moved(NegativeNumbers.joined(arguments))
        }
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as UsageError {
            Message.write("openhealth: " + StoreOptions.completed(error.description))
            Foundation.exit(ExitCode.validationFailure.rawValue)
        } catch let error as any UserFacingError {
            Message.write("openhealth: " + StoreOptions.completed(error.sentence))
            Foundation.exit(ExitCode.failure.rawValue)
        } catch {
            exit(withError: error)
        }
    }
}

/// An error in the arguments: exit status 64.
struct UsageError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }

    /// Returns the result of a closure in which every ``StoreError`` and ``CalendarError`` is
    /// caused by the arguments, not by the store.
    ///
    /// - Throws: These errors as ``UsageError``, others unchanged.
    static func checking<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw UsageError(error.sentence)
        } catch let error as CalendarError {
            throw UsageError(error.sentence)
        }
    }
}

/// An operation that failed: exit status 1.
struct CommandError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
