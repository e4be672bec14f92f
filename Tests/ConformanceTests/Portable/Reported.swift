import Testing

/// A trait that adds the results of a suite's tests to the report.
struct Reported: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let record = TestRecord()
        let failures = IssueHandlingTrait.compactMapIssues { issue in
            record.fail(issue)
            return issue
        }
        do {
            try await failures.provideScope(for: test, testCase: testCase) {
                try await TestRecord.$current.withValue(record) { try await function() }
            }
        } catch {
            // The error becomes an issue outside this scope.
            record.fail(error)
            try ReportFile.shared.add(record.result(of: test))
            throw error
        }
        try ReportFile.shared.add(record.result(of: test))
    }
}

extension Trait where Self == Reported {
    static var reported: Self { Reported() }
}

/// What a running test, or one case of it, has reported.
// Protected by `lock`.
final class TestRecord: @unchecked Sendable {
    @TaskLocal static var current: TestRecord?

    private let lock = NSLock()
    private var measured: [ConformanceReport.Measurement] = []
    private var failures: [String] = []
    private var reason: String?

    func add(_ measurement: ConformanceReport.Measurement) {
        lock.withLock { measured.append(measurement) }
    }

    func markNotRun(_ reason: String) { lock.withLock { self.reason = reason } }

    /// Adds an issue's place. Its text is left out, since it could contain more than the suite's
    /// own words.
    func fail(_ issue: Issue) {
        guard issue.severity == .error else { return }
        let place = issue.sourceLocation.map {
            "\($0.fileID.split(separator: "/").last ?? ""):\($0.line)"
        }
        let words = [place, issue.error.map(Self.words)].compactMap { $0 }
        lock.withLock { failures.append(words.joined(separator: " ")) }
    }

    func fail(_ error: any Error) { lock.withLock { failures.append(Self.words(error)) } }

    private static func words(_ error: any Error) -> String {
        let error = error as NSError
        return "\(error.domain) \(error.code)"
    }

    func result(of test: Test) -> ConformanceReport.Result {
        let file = test.sourceLocation.fileID.split(separator: "/").last ?? ""
        let words = (test.displayName ?? test.name).split(separator: " ", maxSplits: 1)
        return lock.withLock {
            ConformanceReport.Result(
                test: "\(file.replacing(".swift", with: "")).\(test.name)",
                rule: words.first.map { String($0.drop { $0 == "§" }) } ?? "",
                title: words.last.map(String.init) ?? "",
                outcome: failures.isEmpty ? reason == nil ? .passed : .notRun : .failed,
                reason: failures.isEmpty ? reason : nil, failures: failures, measured: measured)
        }
    }
}

/// Adds a number that the running test measured to the report.
///
/// - Parameters:
///   - name: What was measured. Unique in the test.
///   - value: The number; nil if the result has none.
func measured(_ name: String, _ value: Double?) {
    TestRecord.current?.add(.init(name: name, value: value))
}

/// Adds a number to the report, with the candidate model that gives it.
///
/// - Parameters:
///   - name: What was measured. Unique in the test.
///   - value: The number; nil if the result has none.
///   - models: The candidate models and their numbers, compared with a relative tolerance of 1e-9.
func measured(_ name: String, _ value: Double?, among models: KeyValuePairs<String, Double>) {
    let match = models.first { model in
        value.map { abs($0 - model.value) <= 1e-9 * max(1, abs(model.value)) } ?? false
    }
    TestRecord.current?.add(
        .init(name: name, value: value, model: match?.key ?? "none of the candidates"))
}

/// Marks the running test as not run.
///
/// - Parameter reason: Why, in the suite's own words.
func notRun(_ reason: String) { TestRecord.current?.markNotRun(reason) }
