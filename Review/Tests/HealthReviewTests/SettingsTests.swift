import Testing

@testable import HealthReview

@Suite("settings")
struct SettingsTests {
    private let rules: Set<String> = ["bad-call", "other-call"]

    private func settings(_ text: String) throws -> ReviewSettings {
        let tree = try TemporaryTree(["s.json": text])
        return try ReviewSettings(file: tree.path + "/s.json", rules: rules)
    }

    @Test("severities, globs and the failing severity are read")
    func read() throws {
        let settings = try settings(
            """
            {"rules": {"bad-call": "error", "other-call": "off"}, "exclude": ["a/**"],
             "failOn": "note"}
            """)
        #expect(settings.levels == ["bad-call": .error, "other-call": .off])
        #expect(settings.exclude == ["a/**"])
        #expect(settings.failOn == .note)
        #expect(try self.settings("{}").levels.isEmpty)
    }

    @Test(
        "what has no meaning is refused, with its key",
        arguments: [
            (#"{"rule": {}}"#, "rule"), (#"{"rules": []}"#, "rules"),
            (#"{"rules": {"bad-cal": "off"}}"#, "rules.bad-cal"),
            (#"{"rules": {"bad-call": "of"}}"#, "rules.bad-call"),
            (#"{"rules": {"bad-call": 1}}"#, "rules.bad-call"), (#"{"exclude": "a"}"#, "exclude"),
            (#"{"exclude": ["a", ""]}"#, "exclude[1]"), (#"{"failOn": "never"}"#, "failOn"),
        ])
    func refused(text: String, key: String) throws {
        let tree = try TemporaryTree(["s.json": text])
        let file = tree.path + "/s.json"
        let error = #expect(throws: ReviewError.self) {
            try ReviewSettings(file: file, rules: rules)
        }
        guard case .meaningless(file, key, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("what is no JSON object is refused, with the file", arguments: ["", "{", "[]", "{]"])
    func noJSON(text: String) throws {
        let tree = try TemporaryTree(["s.json": text])
        let file = tree.path + "/s.json"
        let error = #expect(throws: ReviewError.self) {
            try ReviewSettings(file: file, rules: rules)
        }
        #expect(error?.description.hasPrefix(file + ": ") == true)
    }

    @Test("a near name is proposed")
    func near() throws {
        let error = #expect(throws: ReviewError.self) {
            try settings(#"{"rules": {"bad-cal": "off"}}"#)
        }
        #expect(error?.description.contains("did you mean bad-call?") == true)
    }

    @Test("settings are looked for upward, as far as the repository's root")
    func found() throws {
        let name = ReviewSettings.fileName
        let tree = try TemporaryTree([
            name: #"{"failOn": "error"}"#, "a/b/c.swift": "", "repo/.git/HEAD": "",
            "repo/d.swift": "", "x/\(name)": #"{"failOn": "note"}"#, "x/e.swift": "",
        ])
        func failOn(_ paths: String...) throws -> Severity? {
            try ReviewSettings.found(for: paths.map { tree.path + "/" + $0 }).failOn
        }
        #expect(try failOn("a/b") == .error)
        #expect(try failOn("a/b/c.swift") == .error)
        #expect(try failOn("x") == .note)
        #expect(try failOn("repo") == nil)
        #expect(throws: ReviewError.self) { try failOn("a", "x") }
        #expect(throws: ReviewError.self) { try failOn("repo", "x") }
    }

    @Test("levels change severities and turn rules off")
    func levels() throws {
        let tree = try TemporaryTree(["a.swift": "bad()\nother()\n"])
        let outcome = try tree.review(
            settings: ReviewSettings(levels: ["bad-call": .off, "other-call": .error]))
        #expect(tree.places(outcome) == ["a.swift:2:1 other-call"])
        #expect(outcome.count(.error) == 1)
    }

    @Test("what is excluded isn't read, and is counted")
    func excluded() throws {
        let tree = try TemporaryTree([
            "a/b.swift": "bad()", "c/d.swift": "bad()", "e.generated.swift": "bad()",
            "f.swift": "bad()",
        ])
        let settings = ReviewSettings(
            exclude: ["a", "c/**", "*.generated.swift"], folder: tree.path)
        let outcome = try tree.review(settings: settings)
        #expect(tree.places(outcome) == ["f.swift:1:1 bad-call"])
        #expect(outcome.excluded == 3)
    }

    @Test(
        "a glob matches a path, a name on the way, or a folder that it lies in",
        arguments: [
            ("a", "a/b.swift", true), ("a", "x/a/b.swift", true), ("a", "ab/c.swift", false),
            ("*.g.swift", "x/y.g.swift", true), ("?.swift", "x/y.swift", true),
            ("?.swift", "x/yy.swift", false), ("x/*.swift", "x/y.swift", true),
            ("x/*.swift", "x/z/y.swift", false), ("x/**/y.swift", "x/y.swift", true),
            ("x/**/y.swift", "x/a/b/y.swift", true), ("x/**", "x", false), ("x/**", "x/y", true),
            ("**/y.swift", "y.swift", true), ("./x/y", "x/y/z.swift", true), ("x/", "x/y", true),
            ("a*b*c.swift", "axxbxxc.swift", true), ("a*b*c.swift", "axxc.swift", false),
        ])
    func globs(pattern: String, path: String, isMatch: Bool) {
        #expect(Glob(pattern).matches(path) == isMatch)
    }
}
