import Foundation
import Testing

@testable import HealthReview

@Suite("what a review prints")
struct OutputTests {
    private func outcome() throws -> (TemporaryTree, ReviewOutcome) {
        let tree = try TemporaryTree([
            "a b.swift": "let é = \"😀\"; bad()\nbad()\nbad()\n", "half.swift": "func f( {",
            "Pods/x.swift": "",
        ])
        try tree.write(Data([0]), to: "binary.swift")
        return (tree, try tree.review())
    }

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("findings are printed one a line as compilers do, with colour only on request")
    func text() throws {
        let (tree, outcome) = try outcome()
        let first = try #require(outcome.text().split(separator: "\n").first)
        let message = "warning: bad in \(tree.path.lastName) (also lines 2, 3) [bad-call]"
        #expect(first == "\(tree.path)/a b.swift:1:18: \(message)")
        #expect(outcome.text().split(separator: "\n").count == 1)
        #expect(!outcome.text().contains("\u{1B}"))
        #expect(outcome.text(.colored).contains("\u{1B}[1;33mwarning:\u{1B}[0m"))
    }

    @Test("findings of one rule in a file are one line, with at most eight other lines named")
    func repeats() throws {
        let tree = try TemporaryTree([
            "a.swift": String(repeating: "bad()\n", count: 12) + "bad(); bad()\nother()\n",
            "b.swift": "bad()\nbad()\n", "c.swift": "bad(); bad()\n",
        ])
        let lines = try tree.review().text().split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0].contains(" (also lines 2, 3, 4, 5, 6, 7, 8, 9, …) [bad-call]"))
        #expect(lines[1].contains("a.swift:14:1: note: "))
        #expect(lines[2].contains(" (also line 2) [bad-call]"))
        #expect(!lines[3].contains("also"))
    }

    @Test("Xcode gets every finding in a line of its own, with an absolute path")
    func xcode() throws {
        let (tree, outcome) = try outcome()
        let lines = outcome.xcode().split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.hasPrefix(tree.path + "/a b.swift:") })
    }

    @Test("notes are hidden on request, and counted")
    func notes() throws {
        let tree = try TemporaryTree(["a.swift": "bad()\nother()\nother()\n"])
        var outcome = try tree.review()
        outcome.hideNotes()
        #expect(tree.places(outcome) == ["a.swift:1:1 bad-call"])
        #expect(outcome.hiddenNotes == 2)
        #expect(outcome.summary.contains("1 warning. 2 notes not shown: --notes."))
        #expect(outcome.json.contains("\"notesNotShown\": 2"))
    }

    @Test("the explanation is that of the gravest finding, the first of them")
    func explanation() throws {
        let tree = try TemporaryTree([
            "a.swift": """
            // openhealth:ignore bad-call
            other()
            """,
            "b.swift": """
            let u = HKUnit(from: "bpm")
            let v = HKUnit(from: "steps")
            """,
        ])
        let outcome = try tree.review(rules: [UnitString(), OtherCall()])
        let start = "Why unit-string (\(tree.path)/b.swift:1):\n  The initializer"
        #expect(outcome.explanation.hasPrefix(start))
        #expect(outcome.explanation.hasSuffix("openhealth-review --explain unit-string\n"))
        #expect(ReviewOutcome().explanation.isEmpty)
    }

    @Test("a path's terminal controls are escaped")
    func steering() throws {
        let tree = try TemporaryTree(["a\u{1B}[31m\nb.swift": "bad()\n"])
        let text = try tree.review().text()
        #expect(!text.contains("\u{1B}"))
        #expect(text.split(separator: "\n").count == 1)
    }

    @Test("the summary has the counts of read files, findings and unread files")
    func summary() throws {
        let (tree, outcome) = try outcome()
        #expect(
            outcome.summary == """
                \(tree.path)/binary.swift: not read: binary, no text.
                \(tree.path)/half.swift:1:9: no Swift from here; read as far as it is.
                2 files, 4 lines: 3 warnings. Incomplete: 1 not read, 1 malformed. Left out: Pods.

                """)
    }

    @Test("JSON has the members that its page promises")
    func json() throws {
        let (tree, outcome) = try outcome()
        let object = try object(outcome.json)
        #expect(
            Set(object.keys) == [
                "version", "tool", "findings", "counts", "read", "unread", "malformed", "leftOut",
            ])
        #expect(object["version"] as? Int == 1)
        let findings = try #require(object["findings"] as? [[String: Any]])
        #expect(findings.count == 3)
        let first = try #require(findings.first)
        #expect(first["rule"] as? String == "bad-call")
        #expect(first["severity"] as? String == "warning")
        #expect(first["path"] as? String == tree.path + "/a b.swift")
        #expect(first["line"] as? Int == 1)
        #expect(first["column"] as? Int == 18)
        #expect(first["message"] is String)
        let counts = try #require(object["counts"] as? [String: Int])
        #expect(
            counts == [
                "error": 0, "warning": 3, "note": 0, "suppressed": 0, "known": 0, "unchanged": 0,
                "notesNotShown": 0,
            ])
        let read = try #require(object["read"] as? [String: Int])
        #expect(read == ["files": 2, "lines": 4, "testsLeftOut": 0, "excluded": 0])
        #expect((object["unread"] as? [[String: Any]])?.first?["reason"] is String)
        #expect((object["malformed"] as? [[String: Any]])?.first?["line"] as? Int == 1)
        #expect(object["leftOut"] as? [String: Int] == ["Pods": 1])
    }

    @Test("SARIF has what the standard and code hosts require")
    func sarif() throws {
        let (tree, outcome) = try outcome()
        let log = try object(outcome.sarif(from: tree.path))
        #expect(log["version"] as? String == "2.1.0")
        #expect((log["$schema"] as? String)?.hasSuffix("sarif-2.1.0.json") == true)
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        #expect(run["columnKind"] as? String == "utf16CodeUnits")
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["name"] as? String == "openhealth-review")
        let rules = try #require(driver["rules"] as? [[String: Any]])
        #expect(rules.compactMap { $0["id"] as? String } == RuleDescription.all.map(\.name))
        for rule in rules {
            let short = try #require(rule["shortDescription"] as? [String: Any])
            #expect((short["text"] as? String)?.hasSuffix(".") == true)
            let level = (rule["defaultConfiguration"] as? [String: Any])?["level"] as? String
            #expect(["error", "warning", "note"].contains(level))
        }
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == 3)
        var marks: Set<String> = []
        for result in results {
            #expect(result["ruleId"] as? String == "bad-call")
            #expect(result["level"] as? String == "warning")
            #expect((result["message"] as? [String: Any])?["text"] is String)
            let place = try place(result)
            #expect(place.uri == "a%20b.swift")
            let prints = try #require(result["partialFingerprints"] as? [String: String])
            marks.formUnion(prints.values)
        }
        #expect(marks.count == 3)
        #expect(try place(try #require(results.first)).column == 15)
        let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
        #expect(invocation["executionSuccessful"] as? Bool == true)
        #expect((invocation["toolExecutionNotifications"] as? [Any])?.count == 2)
    }

    private func place(_ result: [String: Any]) throws -> (uri: String, column: Int) {
        let location = try #require((result["locations"] as? [[String: Any]])?.first)
        let physical = try #require(location["physicalLocation"] as? [String: Any])
        let artifact = try #require(physical["artifactLocation"] as? [String: Any])
        let region = try #require(physical["region"] as? [String: Any])
        _ = try #require(region["startLine"] as? Int)
        return (
            try #require(artifact["uri"] as? String), try #require(region["startColumn"] as? Int)
        )
    }

    @Test("a fingerprint stays when lines move, and differs between rules and files")
    func fingerprints() throws {
        func marks(_ text: String, _ name: String = "a.swift") throws -> [String] {
            let tree = try TemporaryTree([name: text])
            let log = try object(try tree.review().sarif(from: tree.path))
            let results = (log["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]]
            return (results ?? []).compactMap {
                ($0["partialFingerprints"] as? [String: String])?["primaryLocationLineHash"]
            }
        }
        let mark = try marks("bad()\n")
        #expect(mark.count == 1)
        #expect(try marks("\n\n   bad()\n") == mark)
        #expect(try marks("bad()\n", "b.swift") != mark)
        #expect(try marks("other()\n") != mark)
    }

    @Test("SARIF names what lies outside the folder by its whole address")
    func outside() {
        #expect(ReviewOutcome.uri("/a/b/c d.swift", from: "/a") == "b/c%20d.swift")
        #expect(ReviewOutcome.uri("/x/é.swift", from: "/a") == "file:///x/%C3%A9.swift")
    }

    @Test("JSON text is escaped")
    func escaping() throws {
        let text = "a\"\\\n\t\r\u{1}\u{7F}é😀/"
        let read = try JSONSerialization.jsonObject(
            with: Data(JSON.quoted(text).utf8), options: .fragmentsAllowed)
        #expect(read as? String == text)
    }
}
