import ArgumentParser
import Foundation

/// The option for the goal of steps a day, which exports don't contain.
struct StepGoal: ParsableArguments {
    static let variable = "OPENHEALTH_STEP_GOAL"

    @Option(
        name: [.customLong("step-goal"), .customLong("goal")],
        help: ArgumentHelp(
            "The goal in steps per day. Default: $OPENHEALTH_STEP_GOAL.", valueName: "steps"))
    var option: Double?

    func validate() throws {
        if let option, !StepGoal.isPlausible(option) {
            throw ValidationError("--step-goal must be from 1 to 1000000 steps.")
        }
    }

    /// The goal from the option, else from the environment; nil if neither is set.
    ///
    /// - Throws: ``UsageError`` for an invalid number in the environment.
    var steps: Double? {
        get throws {
            try option ?? StepGoal.steps(ProcessInfo.processInfo.environment)
        }
    }

    static func steps(_ environment: [String: String]) throws -> Double? {
        guard let text = environment[variable], !text.isEmpty else { return nil }
        guard let steps = Double(text), isPlausible(steps) else {
            throw UsageError(
                "\(variable) must be from 1 to 1000000 steps, but is “\(text.printable)”.")
        }
        return steps
    }

    private static func isPlausible(_ steps: Double) -> Bool { (1...1e6).contains(steps) }
}
