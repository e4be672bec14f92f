/// A report of the portable conformance suite, as Documentation/ConformanceReport.md describes it.
struct SuiteReport: Equatable {
    static let format = "openhealth-conformance"
    static let version = 1

    struct System: Equatable {
        var healthKit: String
        var os: String
        var osVersion: String
        var model: String
        var isSimulator: Bool
    }

    enum Outcome: String, CaseIterable { case passed, failed, notRun }

    enum Value: Equatable {
        case number(Double)
        /// The result had no number.
        case missing
        /// "nan", "infinity" or "-infinity".
        case notFinite(String)

        static let wordsNotFinite: Set<String> = ["nan", "infinity", "-infinity"]
    }

    struct Measurement: Equatable {
        var name: String
        var value: Value
        /// The candidate model that gives the number; nil if the test has no candidates.
        var model: String?
    }

    struct Result: Equatable {
        /// The test's file and function, which identify it.
        var test: String
        var rule: String
        var title: String
        var outcome: Outcome
        var reason: String?
        var failures: [String]
        var measured: [Measurement]
    }

    var suite: Int
    var system: System
    var results: [Result]
}

/// Why a report can't be read, and where. A place is a path such as `results[3].rule`.
enum SuiteReportError: Error, Equatable {
    /// The system's message.
    case unreadable(String)
    case tooLarge(maximumBytes: Int)
    case notJSON(offset: Int)
    /// The text ends inside a value.
    case cut(offset: Int)
    case notUTF8(offset: Int)
    case tooDeep(offset: Int)
    /// JSON of another kind.
    case notReport
    case unknownVersion(Int)
    case missing(place: String)
    case invalid(place: String, expected: String)
    case duplicate(place: String, name: String)
    case tooMany(place: String, maximum: Int)
}

extension SuiteReportError: UserFacingError {
    var description: String {
        switch self {
        case .unreadable(let message): "The report can't be read: \(message)."
        case .tooLarge(let maximum): "The report has more than \(maximum >> 20) MB."
        case .notJSON(let offset): "The report isn't JSON at byte \(offset)."
        case .cut(let offset):
            "The report ends unexpectedly at byte \(offset): it is cut. Copy it again."
        case .notUTF8(let offset): "The report isn't UTF-8 at byte \(offset)."
        case .tooDeep(let offset): "The report is nested too deeply at byte \(offset)."
        case .notReport:
            "This is JSON, but no report: its “format” isn't “\(SuiteReport.format)”."
        case .unknownVersion(let version):
            "The report has version \(version). This command reads version \(SuiteReport.version): "
                + "use the command and the suite of the same copy of the repository."
        case .missing(let place): "The report has no \(place)."
        case .invalid(let place, let expected): "The report's \(place) isn't \(expected)."
        case .duplicate(let place, let name):
            "The report's \(place) repeats “\(name.printable.cut(to: 60))”."
        case .tooMany(let place, let maximum):
            "The report's \(place) has more than \(maximum) entries."
        }
    }
}
