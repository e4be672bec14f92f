import ArgumentParser
import Foundation

/// How many steps a day a person wants to walk. An export holds no such number.
struct StepGoal: ParsableArguments {
    static let variable = "OPENHEALTH_STEP_GOAL"

    @Option(
        name: [.customLong("step-goal"), .customLong("goal")],
        help: ArgumentHelp(
            "Steps a day you want to walk. Default: $OPENHEALTH_STEP_GOAL.", valueName: "steps"))
    var asked: Double?

    func validate() throws {
        if let asked, !StepGoal.isPlausible(asked) {
            throw ValidationError("--step-goal is a number of steps from 1 to 1000000.")
        }
    }

    /// The option, else the environment; nil where neither says one.
    var steps: Double? {
        get throws {
            try asked ?? StepGoal.steps(ProcessInfo.processInfo.environment)
        }
    }

    static func steps(_ environment: [String: String]) throws -> Double? {
        guard let text = environment[variable], !text.isEmpty else { return nil }
        guard let steps = Double(text), isPlausible(steps) else {
            throw WrongUsage(
                "\(variable) is “\(text.printable)”; a number of steps from 1 to 1000000 is "
                    + "understood.")
        }
        return steps
    }

    private static func isPlausible(_ steps: Double) -> Bool { (1...1e6).contains(steps) }
}
