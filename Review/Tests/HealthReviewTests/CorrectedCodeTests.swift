import Foundation
import Testing

@testable import HealthReview

@Suite("what corrections leave")
struct CorrectedCodeTests {
    /// Code with one correctable mistake, and a part of what it becomes.
    struct Case: Sendable, CustomTestStringConvertible {
        let rule: String
        let wrong: String
        let becomes: String

        var testDescription: String { "\(rule): \(becomes)" }
    }

    static let cases = [
        Case(
            rule: "utc-anchor-date",
            wrong: """
                HKStatisticsCollectionQuery(
                    quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
                    options: .cumulativeSum, anchorDate: Date(),
                    intervalComponents: DateComponents(day: 1))
                """,
            becomes: "anchorDate: Calendar.current.startOfDay(for: Date()),"),
        Case(
            rule: "utc-anchor-date",
            wrong: """
                HKStatisticsCollectionQuery(
                    quantityType: HKQuantityType(.stepCount), quantitySamplePredicate: nil,
                    options: .cumulativeSum, anchorDate: Calendar.current.startOfDay(for: Date()),
                    intervalComponents: DateComponents(hour: 7 * 24))
                """,
            becomes: "intervalComponents: DateComponents(day: 7))"),
        Case(
            rule: "unit-string", wrong: #"HKUnit(from: "bpm")"#,
            becomes: #"HKUnit(from: "count/min")"#),
        Case(
            rule: "week-year",
            wrong: """
                { () -> DateFormatter in
                    let formatter = DateFormatter()
                    formatter.dateFormat = "YYYY-MM-dd'Y'HH"
                    return formatter
                }()
                """,
            becomes: #"dateFormat = "yyyy-MM-dd'Y'HH""#),
        Case(
            rule: "summary-calendar",
            wrong: """
                HKQuery.predicateForActivitySummary(
                    with: Calendar.current.dateComponents([.year, .month, .day], from: Date()))
                """,
            becomes: "dateComponents([.calendar, .year, .month, .day], from: Date())"),
    ]

    @Test("is what the rule asks for, compiles, and has nothing more to correct", arguments: cases)
    func compiles(one: Case) throws {
        let code = "import HealthKit\n\nlet value = \(one.wrong)\n"
        let tree = try TemporaryTree(["a.swift": code])
        let rules = AllRules.all.filter { $0.name == one.rule }
        var outcome = try tree.review(rules: rules)
        #expect(outcome.findings.map(\.rule) == [one.rule])
        _ = outcome.correct()
        let file = tree.path + "/a.swift"
        let corrected = try String(contentsOfFile: file, encoding: .utf8)
        #expect(corrected.contains(one.becomes), "\(corrected)")
        #expect(try tree.review(rules: rules).findings.isEmpty)
        let messages = try Self.typecheck(file)
        #expect(messages.isEmpty, "\(messages)")
    }

    /// The folder with the compiled stub of HealthKit.
    private static let module: Result<TemporaryTree, any Error> = Result {
        let tree = try TemporaryTree()
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Stubs/HealthKit.swift.txt")
        try tree.write(try Data(contentsOf: source), to: "HealthKit.swift")
        let messages = try swiftc([
            "-emit-module", "-module-name", "HealthKit", "-o", tree.path + "/HealthKit.swiftmodule",
            tree.path + "/HealthKit.swift",
        ])
        #expect(messages.isEmpty, "\(messages)")
        return tree
    }

    /// Returns the compiler's errors about a file.
    private static func typecheck(_ file: String) throws -> String {
        try swiftc(["-typecheck", "-I", try module.get().path, file])
    }

    private static func swiftc(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swiftc", "-suppress-warnings"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return process.terminationStatus == 0 ? "" : text
    }
}
