import Foundation

/// A numbered rule in Semantics, with the tests named after it.
struct RuleRow {
    struct Test {
        let suite: String
        let title: String
    }

    /// The number of the rule, such as "6.4".
    let number: String
    /// A short title of the rule.
    let words: String
    /// The reason if the rule can't be tested; otherwise empty.
    let reason: String
    let tests: [Test]

    /// Returns the rules in `Documentation/Conformance.tsv`, each with the tests whose titles begin
    /// with the number of the rule.
    static func all(in tree: SourceTree) throws -> [RuleRow] {
        let titles = titledTests(tree.tests)
        return tree.conformance.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }.filter { $0.count > 1 && $0[0].first?.isNumber == true }.map { row in
            RuleRow(
                number: row[0], words: row[1], reason: row.count > 4 ? row[4] : "",
                tests: titles[row[0]] ?? [])
        }
    }

    /// Returns the tests by the rule numbers at the beginning of their titles. A title "§2.1, §2.9
    /// …" counts for both rules.
    private static func titledTests(_ files: [String: String]) -> [String: [Test]] {
        var tests: [String: [Test]] = [:]
        for (file, text) in files.sorted(by: { $0.key < $1.key }) {
            for part in text.components(separatedBy: "\"§").dropFirst() {
                let title = "§" + part.prefix { $0 != "\"" }
                for number in sections(title) {
                    tests[number, default: []].append(Test(suite: suite(file), title: title))
                }
            }
        }
        return tests
    }

    private static func sections(_ title: String) -> [String] {
        title.split(separator: " ").prefix { $0.hasPrefix("§") || $0 == "and" }
            .filter { $0.hasPrefix("§") }
            .map { String($0.dropFirst().prefix { $0.isNumber || $0 == "." }) }
            .map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
    }

    private static func suite(_ file: String) -> String {
        let parts = file.split(separator: "/")
        guard parts.count > 2 else { return file }
        return parts[1] == "ConformanceTests" ? parts[2].lowercased() : String(parts[1])
    }
}

/// A matter in which Apple's behaviour is undocumented, has changed, or is a defect, with the
/// behaviour of this package and the evidence for it.
struct ChoiceRow {
    let topic: String
    let behaviour: String
    let evidence: String

    /// Returns the rows of `Data/healthkit-choices.tsv` in file order.
    static func all(in tree: SourceTree) throws -> [ChoiceRow] {
        let lines = try tree.data("healthkit-choices.tsv").split(separator: "\n")
        return try lines.filter { !$0.hasPrefix("#") }.dropFirst().map {
            let cells = $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 3 else { throw LedgerError("healthkit-choices.tsv: \($0)") }
            return ChoiceRow(topic: cells[0], behaviour: cells[1], evidence: cells[2])
        }
    }
}
