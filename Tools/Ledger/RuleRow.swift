import Foundation

/// One numbered rule of the semantics with the tests named after it.
struct RuleRow {
    struct Test {
        let suite: String
        let title: String
    }

    /// "6.4".
    let number: String
    /// What it is about, in a few words.
    let words: String
    /// Why no test can hold it, where that is so.
    let reason: String
    let tests: [Test]

    /// Rules of `Documentation/Conformance.tsv` with every test whose sentence begins with their section.
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

    /// Tests by the sections their sentences begin with: "§2.1, §2.9 …" counts for both.
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
