import Testing

@testable import HealthReview

@Suite("the corpus of wrong and right code")
struct CorpusTests {
    @Test(
        "each rule finds what is marked and nothing else",
        arguments: AllRules.all.map(\.name).sorted())
    func rules(rule: String) throws {
        let cases = try Corpus.cases(for: rule)
        #expect(cases.contains { !$0.marks.isEmpty }, "no wrong code for \(rule)")
        #expect(cases.contains { $0.marks.isEmpty }, "no right code for \(rule)")
        for one in cases { #expect(one.findings == one.marks, "\(one)") }
    }

    @Test("in whole apps the findings are those marked")
    func apps() throws {
        for app in try Corpus.apps() { #expect(app.findings == app.marks, "\(app)") }
    }
}
