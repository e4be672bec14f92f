import Testing

@testable import HealthReview

@Suite("comments that hide findings")
struct SuppressionTests {
    private func places(_ text: String, off: String? = nil) throws -> [String] {
        let tree = try TemporaryTree(["a.swift": text])
        var settings = ReviewSettings()
        if let off { settings.levels[off] = .off }
        return try tree.review(settings: settings).findings.map {
            "\($0.line):\($0.column) \($0.rule)"
        }
    }

    @Test("behind code a comment hides what is found in its line, and only there")
    func behind() throws {
        #expect(try places("bad() // openhealth:ignore bad-call It is fine.\n").isEmpty)
        #expect(try places("bad() /* openhealth:ignore bad-call It is fine. */\n").isEmpty)
        #expect(
            try places("bad() // openhealth:ignore bad-call It is fine.\nbad()\n")
                == ["2:1 bad-call"])
    }

    @Test("above a statement a comment hides what is found in it, but not in statements inside")
    func above() throws {
        let mark = "// openhealth:ignore bad-call It is fine.\n"
        #expect(try places(mark + "bad()\n").isEmpty)
        #expect(try places(mark + "// and more words\n\nbad()\n").isEmpty)
        #expect(try places(mark + "let x = f(\n    bad(),\n    bad())\n").isEmpty)
        #expect(try places("class A {\n\(mark)    let x = f(\n        bad())\n}\n").isEmpty)
        #expect(
            try places(mark + "let x = f(bad()) {\n    bad()\n}\n") == ["3:5 bad-call"])
        #expect(try places("let x = a\n\(mark)    .b(bad())\n").isEmpty)
    }

    @Test("several rules can be named")
    func several() throws {
        #expect(
            try places("bad(); other() // openhealth:ignore bad-call, other-call Both fine.\n")
                .isEmpty)
    }

    @Test("without a reason a comment hides nothing, and is found")
    func reason() throws {
        for end in ["", "  ", " -", ":"] {
            #expect(
                try places("bad() // openhealth:ignore bad-call\(end)\n") == [
                    "1:1 bad-call", "1:7 ignore-without-reason",
                ], "“\(end)”")
        }
    }

    @Test("an unknown rule is reported, and the others apply")
    func unknown() throws {
        #expect(
            try places("bad() // openhealth:ignore bad-cal, bad-call It is fine.\n")
                == ["1:7 ignore-unknown-rule"])
        #expect(try places("// openhealth:ignore\nf()\n") == ["1:1 ignore-unknown-rule"])
        let tree = try TemporaryTree(["a.swift": "// openhealth:ignore bad-cal Fine.\n"])
        #expect(try tree.review().findings.first?.message.contains("mean bad-call?") == true)
    }

    @Test("a comment that hides nothing is a note, unless its rule is off")
    func unused() throws {
        let text = "f() // openhealth:ignore bad-call It was here.\n"
        #expect(try places(text) == ["1:5 ignore-unused"])
        #expect(try places(text, off: "bad-call").isEmpty)
        #expect(try places(text, off: "ignore-unused").isEmpty)
    }

    @Test("what only looks like such a comment hides nothing")
    func lookalikes() throws {
        #expect(
            try places("bad() // see openhealth:ignore bad-call It is fine.\n") == ["1:1 bad-call"])
        #expect(
            try places("bad(\"// openhealth:ignore bad-call It is fine.\")\n") == ["1:1 bad-call"])
        #expect(
            try places("bad() // openhealth:ignored bad-call It is fine.\n") == ["1:1 bad-call"])
    }

    @Test("what was hidden is counted")
    func counted() throws {
        let tree = try TemporaryTree(["a.swift": "bad() // openhealth:ignore bad-call Fine.\n"])
        let outcome = try tree.review()
        #expect(outcome.suppressed == 1)
        #expect(outcome.summary.contains("Hidden: 1 by comments."))
    }
}
