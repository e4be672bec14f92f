import Foundation
import HealthTesting
import Testing

/// Checks `Documentation/Conformance.tsv`, which lists the suite for every rule.
@Suite struct ConformanceTableTests {
    private struct Row {
        var rule: String
        var isPortable: Bool
        var isExtended: Bool
        var note: String
    }

    @Test("the table has every rule once, in order, without gaps")
    func completeness() throws {
        let counts = [1: 11, 2: 9, 3: 8, 4: 5, 5: 11, 6: 10, 7: 6, 8: 14, 9: 10, 10: 13, 12: 11]
        let expected = counts.sorted { $0.key < $1.key }.flatMap { section, count in
            (1...count).map { "\(section).\($0)" }
        }
        #expect(try Self.rows().map(\.rule) == expected)
    }

    @Test("the table lists the suites with tests of the rule's number")
    func suites() throws {
        let portable = try Self.rulesTested(in: "Portable")
        let extended = try Self.rulesTested(in: "Extended")
        for row in try Self.rows() {
            #expect(
                row.isPortable == portable.contains(row.rule),
                "§\(row.rule): “portable” must be \(portable.contains(row.rule) ? "yes" : "-")")
            #expect(
                row.isExtended == extended.contains(row.rule),
                "§\(row.rule): “extended” must be \(extended.contains(row.rule) ? "yes" : "-")")
        }
        let known = Set(try Self.rows().map(\.rule))
        #expect(portable.union(extended).subtracting(known).isEmpty)
    }

    @Test("a rule without a test has a reason")
    func reasons() throws {
        for row in try Self.rows() where !row.isPortable && !row.isExtended {
            #expect(!row.note.isEmpty, "§\(row.rule)")
        }
    }

    private static func rows() throws -> [Row] {
        let file = ProjectFiles.tests.deletingLastPathComponent()
            .appendingPathComponent("Documentation/Conformance.tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.dropFirst()
            .map { line in
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
                try #require(fields.count >= 4, "\(line)")
                return Row(
                    rule: String(fields[0]), isPortable: fields[2] == "yes",
                    isExtended: fields[3] == "yes",
                    note: fields.count > 4 ? String(fields[4]) : "")
            }
    }

    private static func rulesTested(in folder: String) throws -> Set<String> {
        let folder = ProjectFiles.tests.appendingPathComponent("ConformanceTests/\(folder)")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        var rules: Set<String> = []
        for file in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: #/(?:@)Test\(\s*"§([0-9]+\.[0-9]+) /#) {
                rules.insert(String(match.1))
            }
        }
        return rules
    }
}
