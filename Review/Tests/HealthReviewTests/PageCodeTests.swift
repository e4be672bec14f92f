import Foundation
import Testing

@testable import HealthReview

@Suite("the code on the rules' pages")
struct PageCodeTests {
    /// The rules with a page, except the one about files other than code.
    static let rules = AllRules.all.map(\.name).filter { name in
        name != "usage-strings" && FileManager.default.fileExists(atPath: place(name).path())
    }

    @Test("a rule finds what its page calls wrong", arguments: rules)
    func wrong(rule: String) throws {
        let code = try Self.code(under: "## Wrong", on: rule)
        #expect(!code.isEmpty)
        for text in code {
            #expect(Self.findings(in: text).contains(rule), "\(rule): wrong, and not found")
        }
    }

    @Test("no rule has anything to say about what a page calls right", arguments: rules)
    func right(rule: String) throws {
        let code = try Self.code(under: "## Right", on: rule)
        #expect(!code.isEmpty)
        for text in code {
            let others = Self.findings(in: text).filter { $0 != "availability-never-asked" }
            #expect(others.isEmpty, "\(rule): right, and found")
        }
    }

    @Test("the checklist has a question that each rule answers")
    func checklist() throws {
        let page = try String(
            contentsOf: Self.place("never-stopped").deletingLastPathComponent()
                .appending(path: "Checklist.md"), encoding: .utf8)
        for rule in AllRules.all {
            #expect(page.contains("[\(rule.name)](\(rule.name).md)"), "\(rule.name)")
        }
    }

    private static func findings(in text: String) -> [String] {
        let target = Target(name: "page", files: [SourceFile(path: "Page.swift", text: text)])
        return AllRules.all.flatMap { rule in
            var report = Report(rule)
            rule.review(target, &report)
            return report.findings.map(\.rule)
        }
    }

    private static func code(under heading: String, on rule: String) throws -> [String] {
        let page = try String(contentsOf: place(rule), encoding: .utf8)
        guard let start = page.range(of: "\(heading)\n") else { return [] }
        let rest = page[start.upperBound...]
        let part = rest.range(of: "\n## ").map { rest[..<$0.lowerBound] } ?? rest
        return part.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }

    private static func place(_ rule: String) -> URL {
        Corpus.folder.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Documentation/Review/\(rule).md")
    }
}
