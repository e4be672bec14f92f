import Foundation
import Testing

@testable import HealthReview

@Suite("findings that are only notes")
struct NoteTests {
    @Test(
        "what is only worth a look is a note",
        arguments: [
            ("ignored-deletions", "wrong-shown.swift"),
            ("observer-completion", "wrong-short-work.swift"),
            ("summed-samples", "wrong-entered.swift"),
        ])
    func notes(rule name: String, file: String) throws {
        let rule = try #require(AllRules.all.first { $0.name == name })
        let place = Corpus.folder.appending(path: name).appending(path: file)
        let text = try String(contentsOf: place, encoding: .utf8)
        var report = Report(rule)
        rule.review(
            Target(name: name, files: [SourceFile(path: file, text: text)]), &report)
        #expect(report.findings.count >= 2)
        #expect(report.findings.allSatisfy { $0.severity == .note })
    }
}
