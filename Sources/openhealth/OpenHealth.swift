import ArgumentParser
import Foundation
import HealthArchive
import HealthSimulator
import HealthStorage

/// The `openhealth` command: reads Apple Health exports and answers with numbers counted once.
@main
struct OpenHealth: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "openhealth",
        abstract: "Reads an Apple Health export and answers with numbers that are counted once.",
        discussion: """
            Begin with:  openhealth import export.zip
            or look:     openhealth demo

            Answers go to standard output, everything else to standard error.
            Exit status: 0 done, also if the answer is empty; 1 not done; 2 done in part;
            3 done and check found something; 64 wrong usage (an unknown option, type, unit, \
            date or time zone).
            """,
        version: "0.1.0",
        subcommands: [
            Import.self, Imports.self, Types.self, Sources.self, Summary.self, OpenPages.self,
            Serve.self, Stats.self, Explain.self, Samples.self, Workouts.self, Export.self,
            Weight.self, Watch.self, Grants.self, Check.self, Delete.self, Review.self,
            Simulate.self, Demo.self, Torture.self,
        ])

    static func main() {
        FileSizeLimit.reportInsteadOfEnding()
        var arguments = Array(CommandLine.arguments.dropFirst())
        // What stands behind it is another program's business, to the letter.
        if arguments.first != Review.name {
            arguments = GlobalArguments.moved(NegativeNumbers.joined(arguments))
        }
        do {
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch let error as WrongUsage {
            Message.write("openhealth: " + StoreOptions.completed(error.description))
            Foundation.exit(ExitCode.validationFailure.rawValue)
        } catch let error as any PlainError {
            Message.write("openhealth: " + StoreOptions.completed(error.description))
            Foundation.exit(ExitCode.failure.rawValue)
        } catch {
            exit(withError: error)
        }
    }
}

/// What was asked for makes no sense: exit 64.
struct WrongUsage: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }

    /// Runs a body whose ``StoreError``s are the caller's mistake, not the store's state.
    static func checking<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StoreError {
            throw WrongUsage(error.description)
        }
    }
}

/// Something could not be done: exit 1.
struct NotDone: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// Errors whose description is one clear sentence for a person.
protocol PlainError: Error, CustomStringConvertible {}
extension NotDone: PlainError {}
extension StoreError: PlainError {}
extension ArchiveError: PlainError {}
extension ImportUndoError: PlainError {}
extension PersonDoubt: PlainError {}
extension SimulationError: PlainError {}
