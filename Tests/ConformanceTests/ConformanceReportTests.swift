import HealthTesting
import Testing

@testable import PortableConformance

/// The report of the portable suite, and the copy of it that `openhealth conformance` contains.
@Suite(.inTestAll) struct ConformanceReportTests {
    @Test("the report has every test of the suite, all passed, in the order of the rules")
    func complete() async throws {
        let run = try await ReportedRun.complete.value
        let titles = run.report.results.map { "§\($0.rule) \($0.title)" }
        #expect(try titles.sorted() == PortableTitle.all().sorted())
        for result in run.report.results {
            #expect(result.outcome == .passed, "\(result)\n\(run.output)")
        }
        let rules = run.report.results.map { $0.rule.split(separator: ".").compactMap { Int($0) } }
        #expect(
            zip(rules, rules.dropFirst()).allSatisfy { !$1.lexicographicallyPrecedes($0) })
        #expect(run.report.system.healthKit == "OpenHealthKit")
        #expect(run.report.system.os == "Linux")
    }

    @Test("the report contains no date, and each name of a measured number occurs once in a test")
    func personalData() async throws {
        let run = try await ReportedRun.complete.value
        let text = String(decoding: run.file, as: UTF8.self)
        #expect(try #/(?:19|20)\d\d-\d\d/#.firstMatch(in: text) == nil)
        for result in run.report.results {
            let names = result.measured.map(\.name)
            #expect(Set(names).count == names.count, "\(result.test)")
        }
    }

    @Test(
        "§12 the experiments record the model that Semantics describes",
        arguments: [
            ("12.1", [150, 150]), ("12.2", [200]), ("12.3", [10, 130]), ("12.4", [10, 100, 107]),
            ("12.5", [100]), ("12.6", [90]), ("12.7", [150]), ("12.8", [0, 70, 1]), ("12.9", [3]),
            ("12.10", [0, 1, 2, 1]), ("12.11", [0]),
        ])
    func experiments(rule: String, values: [Double]) async throws {
        let result = try #require(try await ReportedRun.complete.value.result(rule))
        #expect(result.measured.map(\.value) == values)
        #expect(!result.measured.contains { $0.model == "none of the candidates" })
        #expect(result.measured.contains { $0.model != nil })
    }

    @Test("the suite deletes its own samples and leaves those of the second source")
    func removal() async throws {
        let run = try await ReportedRun.complete.value
        #expect(run.own == 0)
        #expect(run.remaining == SecondSource.samples().count)
    }

    @Test("without the second source's samples, the experiments that need them are not run")
    func secondSourceMissing() async throws {
        let run = try await ReportedRun(.missing)
        for result in run.report.results {
            let needsTwo = ["12.1", "12.3", "12.4", "12.7"].contains(result.rule)
            #expect(result.outcome == (needsTwo ? .notRun : .passed), "\(result)\n\(run.output)")
            #expect(result.reason == (needsTwo ? "second source missing" : nil))
        }
    }

    @Test("the copy in the command is today's report; if not, record it as README.md says")
    func copy() async throws {
        let copy = try ReportCopy(of: await ReportedRun.complete.value.report).text
        if ProcessInfo.processInfo.environment["OPENHEALTH_UPDATE_FIXTURES"] == "1" {
            try Data(copy.utf8).write(to: ReportCopy.url)
            return
        }
        #expect(try copy == String(contentsOf: ReportCopy.url, encoding: .utf8))
    }
}

/// Without a process, so that a forgotten copy shows in every run.
@Suite struct ConformanceCopyTests {
    @Test("the copy in the command has the titles of the suite's tests")
    func titles() throws {
        let copy = try String(contentsOf: ReportCopy.url, encoding: .utf8)
        let titles = copy.matches(of: #/"rule":"([0-9.]+)".*"title":"([^"]*)"/#)
            .map { "§\($0.1) \($0.2)" }
        #expect(try titles.sorted() == PortableTitle.all().sorted())
    }
}

/// The titles of the portable tests, as their sources state them.
enum PortableTitle {
    static func all() throws -> [String] {
        let folder = ProjectFiles.tests.appendingPathComponent("ConformanceTests/Portable")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "swift" }.flatMap { file in
            try String(contentsOf: file, encoding: .utf8)
                .matches(of: #/@Test\(\s*"(§[^"]*)"/#).map { String($0.1) }
        }
    }
}
