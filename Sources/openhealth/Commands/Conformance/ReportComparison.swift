import HealthStorage

/// This HealthKit's report beside another one, test by test.
struct ReportComparison {
    enum State: String, CaseIterable { case equal, differs, notRun, onlyHere, onlyInReport }

    /// A measured number on both sides.
    struct Measured {
        var name: String
        var here: SuiteReport.Measurement?
        var report: SuiteReport.Measurement?

        var isEqual: Bool {
            guard let here, let report else { return false }
            return here.value.isEqual(to: report.value)
        }
    }

    struct Test {
        var state: State
        var here: SuiteReport.Result?
        var report: SuiteReport.Result?
        /// The measured numbers of both sides, by name.
        var measured: [Measured]

        var rule: String { here?.rule ?? report?.rule ?? "" }
        var name: String { here?.test ?? report?.test ?? "" }
        var title: String { here?.title ?? report?.title ?? "" }
    }

    let here: SuiteReport
    let report: SuiteReport
    /// All tests of both sides, in the order of their rules.
    let tests: [Test]

    /// - Complexity: O(*n* log *n*) in the number of results.
    init(here: SuiteReport, report: SuiteReport) {
        self.here = here
        self.report = report
        let known = Dictionary(here.results.map { ($0.test, $0) }) { first, _ in first }
        let received = Dictionary(report.results.map { ($0.test, $0) }) { first, _ in first }
        tests = Set(known.keys).union(received.keys).map { Test(known[$0], received[$0]) }
            .sorted { ($0.order, $0.name) < ($1.order, $1.name) }
    }

    /// The number of tests in each state that occurs.
    var counts: [State: Int] {
        tests.reduce(into: [:]) { $0[$1.state, default: 0] += 1 }
    }
}

extension ReportComparison.Test {
    fileprivate init(_ here: SuiteReport.Result?, _ report: SuiteReport.Result?) {
        self.here = here
        self.report = report
        let (known, received) = (here?.measured ?? [], report?.measured ?? [])
        let others = received.filter { other in !known.contains { $0.name == other.name } }
        measured = (known + others).map { entry in
            .init(
                name: entry.name, here: known.first { $0.name == entry.name },
                report: received.first { $0.name == entry.name })
        }
        guard let here else {
            state = .onlyInReport
            return
        }
        guard let report else {
            state = .onlyHere
            return
        }
        if here.outcome == .notRun || report.outcome == .notRun {
            state = .notRun
        } else {
            state =
                here.outcome == report.outcome && measured.allSatisfy(\.isEqual)
                ? .equal : .differs
        }
    }

    /// The rule's section and number as one integer.
    fileprivate var order: Int {
        let parts = rule.split(separator: ".").compactMap { Int($0) }
        return (parts.first ?? 0) * 1_000 + (parts.count > 1 ? parts[1] : 0)
    }
}

extension SuiteReport.Value {
    /// Returns whether both are equal, numbers with a relative tolerance of 1e-9.
    func isEqual(to other: SuiteReport.Value) -> Bool {
        guard case .number(let one) = self, case .number(let two) = other else {
            return self == other
        }
        return abs(one - two) <= 1e-9 * max(abs(one), abs(two))
    }
}
