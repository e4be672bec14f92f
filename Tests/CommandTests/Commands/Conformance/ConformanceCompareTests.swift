import Foundation
import HealthTesting
import Testing

@testable import openhealth

/// `openhealth conformance compare` with reports that are changed copies of this package's own.
@Suite(.inTestAll) struct ConformanceCompareTests {
    /// Runs the command on a report.
    private func compare(_ report: Data, _ options: [String] = []) throws -> CommandRun {
        let folder = try TemporaryFolder()
        let path = folder.path + "/report.json"
        try report.write(to: URL(fileURLWithPath: path))
        return try CommandRun(["conformance", "compare", path] + options)
    }

    @Test("a report equal to this package's exits with 0 and lists nothing")
    func equal() throws {
        let run = try compare(Data(OwnConformance.report.utf8))
        #expect(run.status == 0, "\(run.errors)")
        let words = run.output.replacing("\n", with: " ")
        #expect(words.hasSuffix(": \(try SuiteReport.own.results.count) equal. "))
        let all = try compare(Data(OwnConformance.report.utf8), ["--all"])
        #expect(all.status == 0)
        #expect(all.output.contains("12.1"))
        #expect(!all.output.split(separator: "\n").contains { $0.count > 80 })
    }

    @Test("a report that differs exits with 3, and the table has both values")
    func differing() throws {
        let run = try compare(try ChangedReport.differing.data)
        #expect(run.status == 3)
        #expect(run.errors.isEmpty)
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        try Snapshot("conformance/differing.txt").check(run.output)
    }

    @Test(
        "the JSON of a report that differs has every test with its state",
        arguments: [
            ["--format", "json"], ["--json"],
        ])
    func json(options: [String]) throws {
        let run = try compare(try ChangedReport.differing.data, options)
        #expect(run.status == 3)
        try Snapshot("conformance/differing.json").check(run.output)
        let counts = try #require(run.object?["counts"] as? [String: Int])
        let tests = try #require(run.object?["tests"] as? [[String: Any]])
        #expect(counts["differs"] == 4)
        #expect(counts["notRun"] == 1)
        #expect(counts["onlyHere"] == 1)
        #expect(counts["onlyInReport"] == 1)
        #expect(counts.values.reduce(0, +) == tests.count)
    }

    @Test("a report without differences, but with tests that were not run, exits with 2")
    func incomplete() throws {
        let run = try compare(try ChangedReport.incomplete.data)
        #expect(run.status == 2)
        #expect(run.output.contains("not run: second source missing"))
    }

    @Test("a number counts as equal up to a relative difference of 1e-9")
    func tolerance() throws {
        let near = try ChangedReport { $0.setValue(200 * (1 + 1e-10), of: "12.2") }
        #expect(try compare(near.data).status == 0)
        let far = try ChangedReport { $0.setValue(200 * (1 + 1e-8), of: "12.2") }
        #expect(try compare(far.data).status == 3)
    }

    @Test("a cut report exits with 1 and states the byte, wherever it is cut")
    func cut() throws {
        let whole = Array(OwnConformance.report.utf8)
        for count in Array(1...2_000) + [whole.count / 2, whole.count - 1] {
            #expect(throws: SuiteReportError.cut(offset: count)) {
                try SuiteReport(Array(whole.prefix(count)))
            }
        }
        let run = try compare(Data(whole.prefix(1000)))
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        try Snapshot("conformance/cut.txt").check(run.errors)
    }

    @Test("a file that is missing, a folder or endless exits with 1 and one sentence")
    func unreadable() throws {
        for (path, words) in [
            ("/nonexistent/report.json", "No such file"), ("/", "can't be read"),
            ("/dev/zero", "more than 4 MB"),
        ] {
            let run = try CommandRun(["conformance", "compare", path])
            #expect(run.status == 1)
            #expect(run.output.isEmpty)
            #expect(run.errors.contains(words), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
        }
    }

    @Test("a report of 4 MB is read, and one byte more is too large")
    func size() throws {
        let own = Data(OwnConformance.report.utf8)
        let spaces = Data(repeating: 0x20, count: (4 << 20) - own.count)
        #expect(try compare(own + spaces).status == 0)
        #expect(try compare(own + spaces + Data([0x20])).status == 1)
    }

    @Test("wrong usage exits with 64", arguments: [[], ["a", "b"], ["a", "--format", "xml"]])
    func usage(arguments: [String]) throws {
        #expect(try CommandRun(["conformance", "compare"] + arguments).status == 64)
    }

    @Test("text of a report can't control the terminal")
    func controlCharacters() throws {
        let report = try ChangedReport { report in
            report.system["model"] = "a\u{1B}[2Jb"
            report.results[0]["title"] = "c\u{1B}]0;x\u{07}\nd"
            report.results[0]["test"] = "New.test()"
        }
        let run = try compare(report.data)
        #expect(run.status == 2)
        #expect(!run.output.contains("\u{1B}"))
        #expect(!run.output.contains("\u{07}"))
    }
}

/// This package's report with changes.
struct ChangedReport {
    var object: [String: Any]
    var system: [String: Any]
    var results: [[String: Any]]

    init(_ change: (inout ChangedReport) -> Void) throws {
        object =
            try JSONSerialization.jsonObject(with: Data(OwnConformance.report.utf8))
            as? [String: Any] ?? [:]
        system = object["system"] as? [String: Any] ?? [:]
        results = object["results"] as? [[String: Any]] ?? []
        change(&self)
    }

    var data: Data {
        get throws {
            var object = object
            object["system"] = system
            object["results"] = results
            return try JSONSerialization.data(withJSONObject: object)
        }
    }

    mutating func change(_ rule: String, _ change: (inout [String: Any]) -> Void) {
        guard let index = results.firstIndex(where: { $0["rule"] as? String == rule }) else {
            return
        }
        change(&results[index])
    }

    /// Sets the first measured number of a rule's first test.
    mutating func setValue(_ value: Any, of rule: String, model: String? = nil) {
        change(rule) { result in
            var measured = result["measured"] as? [[String: Any]] ?? []
            guard !measured.isEmpty else { return }
            measured[0]["value"] = value
            if let model { measured[0]["model"] = model }
            result["measured"] = measured
        }
    }

    private mutating func describeSimulator() {
        system = [
            "healthKit": "Apple", "os": "iOS", "osVersion": "26.1.0", "model": "iPhone17,1",
            "isSimulator": true,
        ]
    }

    private mutating func omitSecondSource() {
        change("12.3") { result in
            result["outcome"] = "notRun"
            result["reason"] = "second source missing"
            result["measured"] = [[String: Any]]()
        }
    }

    /// A report with each state and each kind of difference.
    static var differing: ChangedReport {
        get throws {
            try ChangedReport { report in
                report.describeSimulator()
                report.omitSecondSource()
                report.object["suite"] = 2
                report.setValue(200, of: "12.1", model: "sources are added up")
                report.setValue(NSNull(), of: "12.6", model: "none of the candidates")
                report.setValue("nan", of: "3.2")
                report.change("9.3") { result in
                    result["outcome"] = "failed"
                    result["failures"] = ["SavingConformance.swift:42", "com.apple.healthkit 5"]
                }
                report.change("12.11") { $0["test"] = "OneSourceExperiments.renamed()" }
            }
        }
    }

    static var incomplete: ChangedReport {
        get throws {
            try ChangedReport { report in
                report.describeSimulator()
                report.omitSecondSource()
            }
        }
    }
}
