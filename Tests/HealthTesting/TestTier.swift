import Foundation
public import Testing

/// Which tests a run includes, from the environment variable `OPENHEALTH_TESTS`.
///
/// Without the variable, as in `swift test` and `make test`, it is ``quick``.
public enum TestTier: String, Comparable, CaseIterable, Sendable {
    /// Units, scenarios and models with fixed seeds, for every change.
    case quick
    /// Also processes, kills, the browser, long simulations and fresh seeds: `make test-all`.
    case all
    /// Like ``all``, with counts that take an hour: `make torture`.
    case torture

    /// The tier of this run.
    ///
    /// An unknown value ends the run, since a misspelling would otherwise skip most tests.
    public static let current: TestTier = {
        guard let name = ProcessInfo.processInfo.environment["OPENHEALTH_TESTS"] else {
            return .quick
        }
        guard let tier = TestTier(rawValue: name) else {
            report("OPENHEALTH_TESTS is quick, all or torture, not \"\(name)\"")
            exit(64)
        }
        return tier
    }()

    /// The seed in the environment variable `OPENHEALTH_SEED`; nil without the variable.
    ///
    /// A value that isn't a number ends the run, since the tests would otherwise use other seeds.
    public static let givenSeed: UInt64? = {
        guard let text = ProcessInfo.processInfo.environment["OPENHEALTH_SEED"] else { return nil }
        guard let seed = UInt64(text) else {
            report("OPENHEALTH_SEED is a whole number, for example 4711, not \"\(text)\"")
            exit(64)
        }
        return seed
    }()

    public static func < (left: TestTier, right: TestTier) -> Bool {
        allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }

    /// Returns the number of cases for the tier of this run.
    ///
    /// - Parameters:
    ///   - quick: The number for ``quick``.
    ///   - all: The number for ``all``.
    ///   - torture: The number for ``torture``.
    /// - Returns: The number.
    public static func count(quick: Int, all: Int, torture: Int) -> Int {
        switch current {
        case .quick: quick
        case .all: all
        case .torture: torture
        }
    }

    /// Returns the seed of a random test.
    ///
    /// It is the seed in `OPENHEALTH_SEED` if there is one. Otherwise it is `fixed` in the tier
    /// ``quick``, so that a failure is due to the change, and a fresh one in the other tiers. A
    /// fresh seed is also written to standard error at once, in case the test crashes or hangs.
    ///
    /// ```swift
    /// let seed = TestTier.seed(1)
    /// var random = SeededRandom(seed: seed)
    /// #expect(fast(&random) == slow, "seed \(seed)")
    /// ```
    ///
    /// - Parameters:
    ///   - fixed: The seed for ``quick``.
    ///   - file: The test's file, for the message.
    ///   - line: The test's line, for the message.
    /// - Returns: The seed. The test reports it in each of its failures.
    public static func seed(
        _ fixed: UInt64, file: String = #fileID, line: Int = #line
    ) -> UInt64 {
        if let givenSeed { return givenSeed }
        if current == .quick { return fixed }
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        report("\(file):\(line): fresh seed; to repeat: OPENHEALTH_SEED=\(seed)")
        return seed
    }

    /// Returns consecutive seeds, for a test with several random cases.
    ///
    /// The first one is that of ``seed(_:file:line:)``. So `OPENHEALTH_SEED` repeats a failed case
    /// as the first one.
    ///
    /// - Parameters:
    ///   - count: The number of seeds.
    ///   - fixed: The first seed for ``quick``.
    ///   - file: The test's file, for the message.
    ///   - line: The test's line, for the message.
    /// - Returns: The seeds.
    public static func seeds(
        _ count: Int, from fixed: UInt64, file: String = #fileID, line: Int = #line
    ) -> [UInt64] {
        let first = seed(fixed, file: file, line: line)
        return (0..<UInt64(count)).map { first &+ $0 }
    }

    private static func report(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Whether the tests run with their large counts.
    public static var isTorture: Bool { current == .torture }
}

extension Trait where Self == ConditionTrait {
    /// Excludes a test from `make test` that starts processes, waits, or takes more than about a
    /// second.
    public static var inTestAll: Self {
        .enabled(if: TestTier.current >= .all, "runs in make test-all")
    }

    /// Also excludes a test from `make test-all`, because it takes minutes or measures time.
    public static var inTorture: Self {
        .enabled(if: TestTier.isTorture, "runs in make torture")
    }
}
