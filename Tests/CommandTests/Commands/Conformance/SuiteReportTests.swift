import Foundation
import Testing

@testable import openhealth

/// Reports from outside: each is read or rejected with an error that says what and where.
@Suite struct SuiteReportTests {
    private static let result = """
        {"test":"A.a()","rule":"1.1","title":"a","outcome":"passed","failures":[],"measured":[]}
        """

    private static func report(
        results: String = result, version: String = "1", head: String = "", system: String = system
    ) -> String {
        """
        {"format":"openhealth-conformance","version":\(version),"suite":1,\(head)
        "system":\(system),"results":[\(results)]}
        """
    }

    private static let system = """
        {"healthKit":"Apple","os":"iOS","osVersion":"26.0.0","model":"x","isSimulator":false}
        """

    private static func measured(_ value: String) -> String {
        report(
            results: result.replacing(
                "\"measured\":[]", with: "\"measured\":[{\"name\":\"m\",\"value\":\(value)}]"))
    }

    @Test("a report is read, with members that this version doesn't define")
    func reading() throws {
        let text = Self.report(head: "\"later\":{\"a\":[1,null]},")
        let report = try SuiteReport(Array(text.utf8))
        #expect(report.suite == 1)
        #expect(report.system.os == "iOS")
        #expect(report.results.map(\.test) == ["A.a()"])
        #expect(try SuiteReport.own.results.count > 70)
    }

    @Test(
        "a measured value is a number, null or the word for a number that isn't finite",
        arguments: [
            ("1.5", SuiteReport.Value.number(1.5)), ("-0", .number(0)), ("null", .missing),
            ("\"nan\"", .notFinite("nan")), ("\"-infinity\"", .notFinite("-infinity")),
        ])
    func values(text: String, value: SuiteReport.Value) throws {
        let report = try SuiteReport(Array(Self.measured(text).utf8))
        #expect(report.results.first?.measured.map(\.value) == [value])
    }

    @Test(
        "a value that isn't finite or no number is rejected with its place",
        arguments: ["1e999", "-1e999", "\"NaN\"", "\"12\"", "true", "[]", "{}"])
    func invalidValues(text: String) {
        #expect(
            throws: SuiteReportError.invalid(
                place: "results[0].measured[0].value", expected: "a finite number or null")
        ) { try SuiteReport(Array(Self.measured(text).utf8)) }
    }

    @Test("NaN and other words that aren't JSON are rejected with their byte")
    func notJSON() throws {
        for word in ["NaN", "Infinity", "nil", "01", "+1", "'a'"] {
            let text = Self.measured(word)
            let range = try #require(text.range(of: word))
            let offset = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
            let error = #expect(throws: SuiteReportError.self) {
                try SuiteReport(Array(text.utf8))
            }
            guard case .notJSON(let found)? = error else {
                Issue.record("\(word): \(String(describing: error))")
                continue
            }
            #expect((offset...offset + 2).contains(found))
        }
        for text in ["", "hello", "PK\u{3}\u{4}", "{\"format\":\"openhealth-conformance\"} x"] {
            let error = #expect(throws: SuiteReportError.self) { try SuiteReport(Array(text.utf8)) }
            guard case .notJSON? = error else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
        }
    }

    @Test("JSON of another kind or version is rejected")
    func otherKinds() {
        for text in ["[]", "null", "1", "{}", "{\"format\":\"x\",\"version\":1}", "{\"format\":1}"]
        {
            #expect(throws: SuiteReportError.notReport) { try SuiteReport(Array(text.utf8)) }
        }
        for version in [0, 2, 99] {
            #expect(throws: SuiteReportError.unknownVersion(version)) {
                try SuiteReport(Array(Self.report(version: "\(version)").utf8))
            }
        }
        for version in ["\"1\"", "1.5", "1e30", "null"] {
            #expect(
                throws: SuiteReportError.invalid(place: "version", expected: "a whole number")
            ) { try SuiteReport(Array(Self.report(version: version).utf8)) }
        }
    }

    @Test("a repeated test, measured name or member is rejected")
    func duplicates() {
        let twice = Self.report(results: Self.result + "," + Self.result)
        #expect(throws: SuiteReportError.duplicate(place: "results", name: "A.a()")) {
            try SuiteReport(Array(twice.utf8))
        }
        let measured = Self.measured("1},{\"name\":\"m\",\"value\":2")
        #expect(throws: SuiteReportError.duplicate(place: "results[0].measured", name: "m")) {
            try SuiteReport(Array(measured.utf8))
        }
        let members = Self.result.replacing("\"title\"", with: "\"rule\":\"1.2\",\"title\"")
        #expect(throws: SuiteReportError.duplicate(place: "results[0]", name: "rule")) {
            try SuiteReport(Array(Self.report(results: members).utf8))
        }
        #expect(throws: SuiteReportError.duplicate(place: "outermost object", name: "suite")) {
            try SuiteReport(Array(Self.report(head: "\"suite\":2,").utf8))
        }
    }

    @Test("a missing or invalid member is rejected with its path")
    func members() {
        let cases: [(String, String, SuiteReportError)] = [
            ("\"test\"", "\"tset\"", .missing(place: "results[0].test")),
            (
                "\"1.1\"", "\"1.1.1\"",
                .invalid(
                    place: "results[0].rule", expected: "the number of a rule")
            ),
            (
                "\"passed\"", "\"perhaps\"",
                .invalid(
                    place: "results[0].outcome", expected: "passed, failed, notRun")
            ),
            (
                "\"failures\":[]", "\"failures\":[1]",
                .invalid(
                    place: "results[0].failures[0]", expected: "a text of at most 1000 characters")
            ),
            (
                "\"measured\":[]", "\"measured\":{}",
                .invalid(
                    place: "results[0].measured", expected: "an array")
            ),
        ]
        for (from, to, expected) in cases {
            let text = Self.report(results: Self.result.replacing(from, with: to))
            #expect(throws: expected) { try SuiteReport(Array(text.utf8)) }
        }
        #expect(throws: SuiteReportError.invalid(place: "results[0]", expected: "an object")) {
            try SuiteReport(Array(Self.report(results: "7").utf8))
        }
        #expect(
            throws: SuiteReportError.invalid(
                place: "system.isSimulator", expected: "true or false")
        ) {
            try SuiteReport(
                Array(Self.report(system: Self.system.replacing("false", with: "0")).utf8))
        }
    }

    @Test("a report beyond the limits is rejected")
    func limits() {
        let many = (0...2_000).map { Self.result.replacing("A.a()", with: "A.a\($0)()") }
        #expect(throws: SuiteReportError.tooMany(place: "results", maximum: 2_000)) {
            try SuiteReport(Array(Self.report(results: many.joined(separator: ",")).utf8))
        }
        let long = Self.result.replacing(
            "\"a\"", with: "\"\(String(repeating: "a", count: 1_001))\"")
        #expect(
            throws: SuiteReportError.invalid(
                place: "results[0].title", expected: "a text of at most 1000 characters")
        ) { try SuiteReport(Array(Self.report(results: long).utf8)) }
        let deep = String(repeating: "[", count: 100_000)
        let error = #expect(throws: SuiteReportError.self) { try SuiteReport(Array(deep.utf8)) }
        guard case .tooDeep? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: SuiteReportError.self) { try SuiteReport([0x22, 0xFF, 0x22]) }
    }

    @Test("an error contains no long text of the report")
    func errorText() {
        let name = String(repeating: "n", count: 900)
        let error = SuiteReportError.duplicate(place: "results", name: name)
        #expect(error.description.count < 120)
    }
}
