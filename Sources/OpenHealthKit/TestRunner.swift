import Foundation

/// Whether this process runs tests.
enum TestRunner {
    /// Decided once, from the process as it was started.
    static let isPresent = isPresent(
        arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment,
        executable: Bundle.main.executablePath)

    /// XCTest and Swift Testing start a test bundle of their own (`….xctest`), or a helper that
    /// loads one; Xcode and SwiftPM leave marks in the environment.
    static func isPresent(
        arguments: [String], environment: [String: String], executable: String?
    ) -> Bool {
        if marks.contains(where: { environment[$0] != nil }) { return true }
        let program = executable ?? arguments.first ?? ""
        if isRunner(program) || arguments.first.map(isRunner) == true { return true }
        return arguments.dropFirst().contains { argument in
            flags.contains(argument) || argument.contains(".xctest/")
                || argument.hasSuffix(".xctest")
        }
    }

    private static let marks = [
        "XCTestConfigurationFilePath", "XCTestBundlePath", "XCTestSessionIdentifier",
        "SWIFT_TESTING_ENABLED", "XCInjectBundleInto",
    ]
    private static let flags: Set<String> = ["--testing-library", "--test-bundle-path"]
    private static let names: Set<String> = [
        "xctest", "swiftpm-testing-helper", "swiftpm-xctest-helper",
    ]

    private static func isRunner(_ program: String) -> Bool {
        let name = program.split(separator: "/").last.map(String.init) ?? program
        return names.contains(name) || name.hasSuffix(".xctest")
            || program.contains(".xctest/")
    }
}
