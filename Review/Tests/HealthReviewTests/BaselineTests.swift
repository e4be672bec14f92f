import Testing

@testable import HealthReview

@Suite("a baseline")
struct BaselineTests {
    private func baseline(_ tree: TemporaryTree) throws -> Baseline {
        let file = tree.path + "/known.json"
        try Baseline(of: tree.review(), for: file).write(to: file)
        return try Baseline(file: file)
    }

    @Test("hides what it knows, wherever the line went, and nothing new")
    func hides() throws {
        let tree = try TemporaryTree(["a.swift": "bad()\nlet x = bad()\n"])
        let baseline = try baseline(tree)
        try tree.write("\n\n  let x = bad()\nbad()\nbad(1)\n", to: "a.swift")
        var outcome = try tree.review()
        #expect(baseline.hide(in: &outcome).isEmpty)
        #expect(tree.places(outcome) == ["a.swift:5:1 bad-call"])
        #expect(outcome.known == 2)
        #expect(outcome.summary.contains("Hidden: 2 by the baseline."))
    }

    @Test("counts what is alike")
    func counts() throws {
        let tree = try TemporaryTree(["a.swift": "bad()\nbad()\n"])
        let baseline = try baseline(tree)
        try tree.write("bad()\nbad()\nbad()\n", to: "a.swift")
        var outcome = try tree.review()
        _ = baseline.hide(in: &outcome)
        #expect(tree.places(outcome) == ["a.swift:3:1 bad-call"])
    }

    @Test("tells what is gone, but nothing of files that weren't reviewed")
    func gone() throws {
        let tree = try TemporaryTree([
            "a/x.swift": "bad()\nbad()\n", "b/y.swift": "bad()\n", "c/z.swift": "bad()\n",
        ])
        let baseline = try baseline(tree)
        try tree.write("f()\n", to: "a/x.swift")
        var outcome = try tree.review(["a"])
        #expect(baseline.hide(in: &outcome) == ["a/x.swift: [bad-call] bad() (2 times)"])
    }

    @Test("is the same for every way to name the path, and sorted")
    func paths() throws {
        let tree = try TemporaryTree(["a/x.swift": "bad()\n", "a/b.swift": "bad()\nother()\n"])
        let baseline = try baseline(tree)
        var outcome = try tree.review(["a/x.swift", "a/../a"])
        #expect(baseline.hide(in: &outcome).isEmpty)
        #expect(outcome.findings.isEmpty)
        #expect(
            baseline.text == """
                {
                  "version": 1,
                  "findings": [
                    { "path": "a/b.swift", "rule": "bad-call", "text": "bad()", "count": 1 },
                    { "path": "a/b.swift", "rule": "other-call", "text": "other()", "count": 1 },
                    { "path": "a/x.swift", "rule": "bad-call", "text": "bad()", "count": 1 }
                  ]
                }

                """)
    }

    @Test(
        "that isn't one is refused",
        arguments: [
            "", "[]", "{}", #"{"version": 2, "findings": []}"#, #"{"version": 1}"#,
            #"{"version": 1, "findings": [{"rule": "a"}]}"#,
        ])
    func refused(text: String) throws {
        let tree = try TemporaryTree(["known.json": text])
        #expect(throws: ReviewError.self) { try Baseline(file: tree.path + "/known.json") }
        #expect(throws: ReviewError.self) { try Baseline(file: tree.path + "/none.json") }
    }
}
