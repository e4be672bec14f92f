import HealthTesting
import Testing

/// Runs the built tool. After `seconds` seconds it is ended with status 124, since a hang is a
/// failure too.
func runTool(_ arguments: [String], within seconds: Int = 600) throws -> ProgramRun {
    let tool = try #require(ProgramRun.built("torture"))
    return try ProgramRun("/usr/bin/timeout", [String(seconds), tool] + arguments)
}
