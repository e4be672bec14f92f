import SwiftParser
import SwiftSyntax
import Testing

@testable import HealthReview

@Suite("ways through a body")
struct PathsTests {
    /// Code that may call `done()`, and how the paths without that call end.
    static let cases: [(code: String, ends: [String])] = [
        ("done()", []),
        ("other()", ["end"]),
        ("if a { done() }", ["end"]),
        ("if a { done() } else if b { done() } else { done() }", []),
        ("if a { return }; done()", ["return"]),
        ("guard a else { return }; done()", ["return"]),
        ("guard done() else { return }", []),
        ("defer { done() }; if a { return }; throw b", []),
        ("if a { return }; defer { done() }", ["return"]),
        ("switch a { case 1: done() default: break }", ["end"]),
        ("switch a { case 1: done() default: fatalError() }", []),
        ("do { try a(); done() } catch { b() }", ["end"]),
        ("do { try a(); done() } catch { done() }", []),
        ("do { try? a(); done() } catch { b() }", []),
        ("try a(); done()", ["throw"]),
        ("do { try a(); done() } catch { throw b }", ["throw"]),
        ("for a in b { done() }", []),
        ("for a in b { if c { break }; done() }", ["end"]),
        ("for a in b { if c { continue }; done(); return }", ["end"]),
        ("while true { if a { done(); break } }", []),
        ("while true { if a { break }; done() }", ["end"]),
        ("outer: for a in b { for c in d { if e { break outer } }; done() }", ["end"]),
        ("repeat { done() } while a", []),
        ("while a { done() }; return", []),
        ("run { return }; done()", []),
        ("#if os(iOS)\ndone()\n#else\nother()\n#endif", ["end"]),
        ("return done()", []),
        ("func inner() { return }; done()", []),
    ]

    @Test("each path that ends without it is found", arguments: cases)
    func ways(code: String, ends: [String]) {
        var walk = PathWalk(Search())
        walk.walk(Parser.parse(source: code).statements, from: false)
        #expect(walk.analysis.ends == ends, "\(code)")
    }

    @Test("code nested deeper than anyone writes is taken as one expression")
    func depth() {
        let code =
            String(repeating: "if a { ", count: 150) + "done()"
            + String(repeating: " }", count: 150)
        var walk = PathWalk(Search())
        walk.walk(Parser.parse(source: code).statements, from: false)
        #expect(walk.analysis.ends == ["end"])
    }

    /// Determines whether `done` was called.
    struct Search: PathAnalysis {
        var ends: [String] = []

        mutating func visit(_ node: Syntax, _ state: inout Bool) {
            for inner in node.outsideOfClosures {
                if inner.as(FunctionCallExprSyntax.self)?.calledName == "done" { state = true }
            }
        }

        mutating func postpone(_ body: CodeBlockItemListSyntax, _ state: inout Bool) {
            state = state || body.mentions("done")
        }

        func joined(_ one: Bool, _ other: Bool) -> Bool { one && other }

        mutating func leave(_ end: PathEnd, _ state: Bool) {
            if state { return }
            switch end {
            case .returned: ends.append("return")
            case .thrown: ends.append("throw")
            case .finished: ends.append("end")
            }
        }
    }

    @Test(
        "names in camel case have words",
        arguments: [
            ("syncHKSteps", ["sync", "hk", "steps"]), ("last_sync.date", ["last", "sync", "date"]),
            ("URL", ["url"]), ("", []),
        ])
    func words(name: String, words: [String]) {
        #expect(name.camelCaseWords == words)
    }
}
