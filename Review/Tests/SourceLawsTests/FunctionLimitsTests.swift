import Testing

@testable import SourceLaws

@Suite struct FunctionLimitsTests {
    @Test(
        "lines go from the word that declares to the closing brace",
        arguments: [
            ("func f() {}", ["f()", "1", "0"]),
            ("@A\n/// D.\nfunc f(\n    a: Int\n) {\n    g()\n}", ["f(a:)", "5", "0"]),
            ("struct A {\n    init() {\n    }\n}", ["init()", "2", "0"]),
            ("struct A {\n    var b: Int {\n        1\n    }\n}", ["b", "3", "0"]),
            ("var b: Int {\n    get {\n        1\n    }\n}", ["b", "3", "0"]),
            ("var b = 1 {\n    didSet {\n    }\n}", ["b.didSet", "2", "0"]),
            ("struct A {\n    let b = {\n        1\n    }\n}", ["b closure", "3", "0"]),
            (
                "struct A {\n    subscript(_ i: Int) -> Int {\n        1\n    }\n}",
                ["subscript(_:)", "3", "0"]
            ),
            ("class A {\n    deinit {\n    }\n}", ["deinit", "2", "0"]),
            ("func f() {\n    func g() {\n        h()\n    }\n}", ["f()", "5", "1"]),
        ])
    func lines(text: String, expected: [String]) {
        let found = file(text).functions
        #expect(found.map { [$0.name, "\($0.lines)", "\($0.depth)"] } == [expected])
    }

    @Test("a type that a function declares counts for itself")
    func localTypes() {
        let text = """
            func f() {
                if a {
                    struct B {
                        func g() {
                            if c {
                            }
                        }
                    }
                }
            }
            """
        let found = file(text).functions
        #expect(found.map(\.name) == ["f()", "g()"])
        #expect(found.map(\.lines) == [4, 4])
        #expect(found.map(\.depth) == [1, 1])
    }

    @Test(
        "each brace that spans lines is one deeper",
        arguments: [
            ("if a {\n} else if b {\n} else {\n}", 1),
            ("guard a else {\n}", 1), ("guard a else { return }", 0),
            ("for a in b {\n    while c {\n        repeat {\n        } while d\n    }\n}", 3),
            ("do {\n} catch {\n    defer {\n    }\n}", 2),
            ("switch a {\ncase b:\n    if c {\n    }\n}", 2),
            ("a.map { $0.b { $0.c } }", 0), ("a.map {\n    $0.b {\n        $0.c\n    }\n}", 2),
            ("#if A\nif b {\n}\n#endif", 1),
            ("let a =\n    if b {\n        1\n    } else {\n        2\n    }", 1),
        ])
    func depth(body: String, expected: Int) {
        #expect(file("func f() {\n\(body)\n}").functions.map(\.depth) == [expected], "\(body)")
    }

    @Test("the 61st line and the fifth level are found")
    func limits() {
        func lines(_ count: Int) -> SourceFile {
            file("func f() {\n" + String(repeating: "g()\n", count: count - 2) + "}")
        }
        #expect(lines(60).excessiveFunctions.isEmpty)
        #expect(lines(61).excessiveFunctions.map(\.what) == ["f(): 61 lines, 60 at most"])
        func levels(_ count: Int) -> SourceFile {
            file(
                "func f() {\n" + String(repeating: "if a {\n", count: count)
                    + String(repeating: "}\n", count: count) + "}")
        }
        #expect(levels(4).excessiveFunctions.isEmpty)
        #expect(
            levels(5).excessiveFunctions.map(\.what)
                == ["f(): nested 5 deep in line 6, 4 at most"])
    }

    @Test("an exception that nothing needs any more is found")
    func staleExceptions() {
        for exception in FunctionLimits.exceptions {
            let empty = SourceFile(path: exception.path, text: "")
            #expect(empty.excessiveFunctions.count > 0)
        }
        #expect(FunctionLimits.exceptions.count <= 12)
        #expect(FunctionLimits.exceptions.allSatisfy { !$0.reason.isEmpty })
    }

    private func file(_ text: String) -> SourceFile {
        SourceFile(path: "Sources/HealthEngine/A.swift", text: text)
    }
}
