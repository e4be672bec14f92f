import Foundation

extension ProgramRun {
    /// Returns the program of these tests, with the arguments that run only one suite. A test
    /// starts it to kill a process that has the tests' access to the code.
    ///
    /// - Parameter suite: The name of the suite's type. It must be part of no other test's name.
    /// - Returns: The path of the program, and its arguments.
    /// - Throws: An error of the file system.
    public static func ofTests(
        only suite: String
    ) throws -> (program: String, arguments: [String]) {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let isSwiftPM = CommandLine.arguments.dropFirst().contains("--testing-library")
        let library = isSwiftPM ? ["--testing-library", "swift-testing"] : []
        return (program, library + ["--filter", suite])
    }
}
