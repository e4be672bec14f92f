import Foundation
public import Testing

/// Which tests a run includes, from the environment variable `OPENHEALTH_TESTS`.
///
/// Without the variable, as in `swift test` and `make test`, it is ``quick``.
public enum TestTier: String, Comparable, CaseIterable, Sendable {
    /// Units, scenarios and models with fixed seeds, for every change.
    case quick
    /// Also processes, kills, the browser, long simulations and new seeds: `make test-all`.
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
            let text = "OPENHEALTH_TESTS is quick, all or torture, not \"\(name)\"\n"
            FileHandle.standardError.write(Data(text.utf8))
            exit(64)
        }
        return tier
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
