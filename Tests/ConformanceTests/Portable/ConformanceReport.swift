/// What a run of the suite found. `Documentation/ConformanceReport.md` describes the JSON.
///
/// It contains the suite's own words and numbers computed from the suite's own samples, the name
/// and version of the operating system and the device's model: no personal data and no dates.
struct ConformanceReport: Codable {
    static let currentFormat = "openhealth-conformance"
    static let currentVersion = 1
    /// The revision of the suite. A test whose input changes raises it.
    static let currentSuite = 1

    /// The system that ran the suite.
    struct System: Codable {
        /// "Apple" or "OpenHealthKit".
        var healthKit: String
        var os: String
        var osVersion: String
        /// The model, for example "iPhone17,1". On a simulator, the model that it simulates.
        var model: String
        var isSimulator: Bool
    }

    enum Outcome: String, Codable { case passed, failed, notRun }

    /// A number that a test measured.
    struct Measurement: Codable {
        var name: String
        /// The number; nil if the result had none.
        var value: Double?
        /// The candidate model that gives this number; nil if the test has no candidates.
        var model: String?

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            // Null rather than a missing member.
            try container.encode(value, forKey: .value)
            try container.encodeIfPresent(model, forKey: .model)
        }
    }

    /// The result of one test.
    struct Result: Codable {
        /// The file and function of the test: "AnchorConformance.afterAnchor()".
        var test: String
        /// The number of the rule in Semantics: "6.1".
        var rule: String
        /// The display name without the rule.
        var title: String
        var outcome: Outcome
        /// Why the test was not run.
        var reason: String?
        /// The places of failed expectations, and the domains and codes of thrown errors.
        var failures: [String]
        var measured: [Measurement]
    }

    var format = currentFormat
    var version = currentVersion
    var suite = currentSuite
    var system: System
    var results: [Result]

    /// The report as JSON, with the results in the order of the rules.
    var json: Data {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "infinity", negativeInfinity: "-infinity", nan: "nan")
            var report = self
            report.results.sort { $0.sortKey < $1.sortKey }
            return try encoder.encode(report)
        }
    }
}

extension ConformanceReport.Result {
    /// The rule's numbers as text that sorts as they do, then the test.
    fileprivate var sortKey: String {
        let numbers = rule.split(separator: ".").map {
            String(repeating: "0", count: max(0, 4 - $0.count)) + $0
        }
        return numbers.joined(separator: ".") + " " + test
    }

    /// Adds the result of another case of the same test.
    mutating func add(_ other: ConformanceReport.Result) {
        if other.outcome == .failed || outcome == .passed { outcome = other.outcome }
        reason = reason ?? other.reason
        failures = Set(failures + other.failures).sorted()
        // Cases run in any order.
        measured = (measured + other.measured).sorted { $0.name < $1.name }
    }
}

extension ConformanceReport.System {
    /// The system that this process runs on.
    static var current: ConformanceReport.System {
        let environment = ProcessInfo.processInfo.environment
        let version = ProcessInfo.processInfo.operatingSystemVersion
        let simulated = environment["SIMULATOR_MODEL_IDENTIFIER"]
        let isOurs = String(reflecting: HKHealthStore.self).hasPrefix("OpenHealthKit.")
        return ConformanceReport.System(
            healthKit: isOurs ? "OpenHealthKit" : "Apple", os: name,
            osVersion: "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
            model: simulated ?? machine, isSimulator: simulated != nil)
    }

    private static var name: String {
        #if os(iOS)
            "iOS"
        #elseif os(watchOS)
            "watchOS"
        #elseif os(visionOS)
            "visionOS"
        #elseif os(macOS)
            "macOS"
        #else
            "Linux"
        #endif
    }

    /// The hardware's model as the kernel names it.
    private static var machine: String {
        var information = utsname()
        guard uname(&information) == 0 else { return "" }
        return withUnsafeBytes(of: information.machine) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
