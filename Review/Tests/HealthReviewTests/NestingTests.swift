import Testing

@testable import HealthReview

@Suite("code that would end or stall the parser")
struct NestingTests {
    @Test(
        "is refused before it is parsed",
        arguments: [
            ("let a = ", "[", Nesting.Excess.openings), ("let a = ", "[(", .openings),
            ("let a: ", "[", .openings), ("let a = ", "\"\\(", .openings),
            ("let a = ", "try ", .words), ("let a = ", "await\n", .repetition),
            ("let a = ", "try await ", .words), ("let a: ", "A<", .generics),
            ("let a: ", "() -> ", .arrows), ("", "#if A\n", .conditions),
            ("let a = ", "[a, ", .brackets), ("", "struct A {\n", .brackets),
        ])
    func refused(beginning: String, repeated: String, excess: Nesting.Excess) {
        let text = beginning + String(repeating: repeated, count: 3000)
        #expect(Nesting.excess(in: text)?.excess == excess)
    }

    @Test(
        "is distinguished from long handwritten code",
        arguments: [
            "case a\n", "func f() -> Int\n", "if a { b() } else if c { d() }\n", "a < b\n",
            "x = [[1, 2], [3, 4]]; ", "<p>", "#if A\n#endif\n", "    // -> -> ->\n", "a.b(c)[d]!;",
        ])
    func accepted(line: String) {
        #expect(Nesting.excess(in: String(repeating: line, count: 5000)) == nil)
    }

    @Test("the line is reported")
    func line() {
        let text = "import HealthKit\n\nlet a = " + String(repeating: "[", count: 40)
        #expect(Nesting.excess(in: text)?.line == 3)
    }
}
