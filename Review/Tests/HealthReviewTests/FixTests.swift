import Foundation
import SwiftSyntax
import Testing

@testable import HealthReview

/// Reports calls of `bad`, and replaces the name.
private struct CorrectedCall: Rule {
    let name = "corrected-call"
    let summary = "a call of bad"
    let severity = Severity.warning
    let replacement: String

    func review(_ target: Target, _ report: inout Report) {
        for file in target.files {
            for call in file.uses.callsByName["bad"] ?? [] {
                let name = call.calledExpression
                let edit = Fix.Edit(
                    offset: name.positionAfterSkippingLeadingTrivia.utf8Offset,
                    length: name.trimmedLength.utf8Length, replacement: replacement)
                report.add(
                    "bad", at: call, in: file,
                    fix: Fix(summary: "calls \(replacement)", edits: [edit]))
            }
        }
    }
}

@Suite("a correction")
struct FixTests {
    private func corrected(
        _ files: [String: String], with replacement: String = "good"
    ) throws -> (TemporaryTree, ReviewOutcome, message: String) {
        let tree = try TemporaryTree(files)
        var outcome = try tree.review(rules: [CorrectedCall(replacement: replacement)])
        let message = outcome.correct()
        return (tree, outcome, message)
    }

    private func text(_ tree: TemporaryTree, _ name: String = "a.swift") throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: tree.path + "/" + name)), as: UTF8.self)
    }

    @Test("replaces what was found, says so, and is no finding any more")
    func replaces() throws {
        let (tree, outcome, message) = try corrected([
            "a.swift": "let é = bad(); bad()\n\n  bad()\n", "b.swift": "let b = 1\n",
        ])
        #expect(try text(tree) == "let é = good(); good()\n\n  good()\n")
        #expect(outcome.findings.isEmpty)
        #expect(message.split(separator: "\n").count == 3)
        #expect(message.contains("/a.swift:3: corrected: calls good\n"))
    }

    @Test("keeps the byte order mark and the permissions of a file")
    func keeps() throws {
        let tree = try TemporaryTree(["a.swift": "\u{FEFF}bad()\n"])
        let file = tree.path + "/a.swift"
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
        var outcome = try tree.review(rules: [CorrectedCall(replacement: "good")])
        _ = outcome.correct()
        #expect(try text(tree) == "\u{FEFF}good()\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o640)
    }

    @Test("isn't made in a file that has changed since it was reviewed")
    func changedMeanwhile() throws {
        let tree = try TemporaryTree(["a.swift": "bad()\n", "b.swift": "bad()\n"])
        var outcome = try tree.review(rules: [CorrectedCall(replacement: "good")])
        try Data("// new\nbad()\n".utf8).write(to: URL(filePath: tree.path + "/a.swift"))
        let message = outcome.correct()
        #expect(try text(tree) == "// new\nbad()\n")
        #expect(try text(tree, "b.swift") == "good()\n")
        #expect(message.contains("has changed during the review"))
        #expect(outcome.findings.count == 1)
    }

    @Test(
        "isn't offered for a text that a name holds, since it may have other uses",
        arguments: [
            "let unit = \"bpm\"\nlet u = HKUnit(from: unit)\nprint(unit)\n",
            "enum P: String { case iso = \"YYYY-MM-dd\" }\n"
                + "func f(_ f: DateFormatter) { f.dateFormat = P.iso.rawValue }\n",
            "func f(_ f: DateFormatter) { f.dateFormat = \"\\u{59}YYY-MM-dd\" }\n",
        ])
    func otherUses(code: String) throws {
        let tree = try TemporaryTree(["a.swift": "import HealthKit\n" + code])
        let outcome = try tree.review(rules: AllRules.all)
        #expect(outcome.findings.allSatisfy { $0.fix == nil }, "\(outcome.findings)")
    }

    @Test("isn't made in a file with a syntax error, nor where it would bring one")
    func syntax() throws {
        let (tree, outcome, message) = try corrected(["a.swift": "bad()\nfunc f( {\n"])
        #expect(try text(tree) == "bad()\nfunc f( {\n")
        #expect(outcome.findings.count == 1)
        #expect(message == "Nothing to correct mechanically.\n")
        let (second, rest, _) = try corrected(["a.swift": "bad()\n"], with: "(((")
        #expect(try text(second) == "bad()\n")
        #expect(rest.findings.count == 1)
    }

    @Test("that overlaps another one is left out")
    func overlap() {
        func fix(_ offset: Int, _ length: Int, _ text: String) -> Fix {
            Fix(
                summary: "",
                edits: [Fix.Edit(offset: offset, length: length, replacement: text)])
        }
        let fixes = [
            fix(4, 2, "XY"), fix(5, 3, "?"), fix(0, 0, ">"), fix(6, 9, "?"), fix(8, 2, ""),
        ]
        let (text, isMade) = Fix.apply(fixes, to: "0123456789")
        #expect(text == ">0123XY67")
        #expect(isMade == [true, false, true, false, true])
    }

    @Test("is in SARIF as a replacement of bytes")
    func sarif() throws {
        let tree = try TemporaryTree(["a.swift": "let é = bad()\n"])
        let outcome = try tree.review(rules: [CorrectedCall(replacement: "good")])
        let log = outcome.sarif(from: tree.path)
        #expect(log.contains(#""byteOffset": 9"#))
        #expect(log.contains(#""byteLength": 3"#))
        #expect(log.contains("calls good."))
    }
}
