import SwiftParser
import SwiftSyntax
import Testing

@testable import SourceLaws

@Suite("a symbol is broken")
struct MutationTests {
    private static let text = """
        public class HKThing: NSObject {
            /// A brace } in a comment.
            let name: String = "a"
            static let bits = A(rawValue: 1 << 3)
            static let limit =
                -5
            let letter: Character = "a"
            var total: Double { sum { $0 } }
            var owner: HKSource? {
                get { stored }
                set { stored = newValue }
            }
            var list: [HKObject] { "}".map { $0 } }
            var table: [String: [Int]] { make() }
            var untouchable: Set<Int>
            func amount(for unit: HKUnit, by step: Int = 2) -> Int {
                if a {
                    return 1
                }
                return "}".count
            }
            func amount(of unit: HKUnit) -> Int { 1 }
            var mood: Int { switch self { case .a: 1 } }
            var level: Int { switch self { case .a: return 1 } }
            func thing(at date: Date) -> HKThing { HKThing(date) }
            func `default`(_ value: Double) { keep(value) }
            func text() -> Any { f("x") }
            init(_ name: String) {
                self.name = name
            }
            init() {}
        }
        extension A.Kind { static let one = "one" }
        public enum HKMark: Int { case low = 1, high = 2 }
        public let HKKey: String = "key"
        protocol P { func promised() -> Int }
        """

    @Test(
        "by its kind of declaration",
        arguments: [
            ("HKThing.name", "let name: String = \"aX\""),
            ("HKThing.bits", "1 << 21"),
            ("HKThing.limit", "static let limit =\n        91234"),
            ("HKThing.total", "var total: Double { return -91234.5 }"),
            ("HKThing.owner", "get { return nil }\n        set { stored = newValue }"),
            ("HKThing.list", "var list: [HKObject] { return [] }"),
            ("HKThing.table", "{ return [:] }"),
            ("HKThing.amount(for:by:)", "step: Int = 2) -> Int {\n        return -91234\n    }"),
            ("HKThing.amount(of:)", "unit: HKUnit) -> Int { return -91234 }"),
            (
                "HKThing.thing(at:)",
                "{ let date = date.addingTimeInterval(91234); return HKThing(date) }"
            ),
            ("HKThing.default(_:)", "{ let value = value + 91234; keep(value) }"),
            ("HKThing.text()", "f(\"xX\")"),
            ("HKThing.init(_:)", "let name = name + \"X\"; self.name = name"),
            ("A.Kind.one", "\"oneX\""), ("HKMark.high", "case low = 1, high = 91234"),
            ("HKKey", "\"keyX\""),
        ])
    func kinds(symbol: String, expected: String) throws {
        let mutation = try #require(Self.source.mutation(of: symbol))
        let broken = mutation.applied(to: Self.text)
        #expect(broken.contains(expected), "\(broken)")
        #expect(!Parser.parse(source: broken).hasError)
        #expect(mutation.symbol == symbol)
        #expect(mutation.file == "A.swift")
    }

    @Test(
        "behind a condition, so that one build has many broken symbols",
        arguments: [
            ("HKThing.name", "let name: String = (_isBroken(\"HKThing.name\") ? \"aX\" : \"a\")"),
            ("HKThing.bits", "1 << (_isBroken(\"HKThing.bits\") ? 21 : 3)"),
            ("HKThing.limit", "(_isBroken(\"HKThing.limit\") ? 91234 : -5)"),
            (
                "HKThing.total",
                "{ if _isBroken(\"HKThing.total\") { return -91234.5 }; return sum { $0 } }"
            ),
            (
                "HKThing.owner",
                "get { if _isBroken(\"HKThing.owner\") { return nil }; return stored }"
            ),
            (
                "HKThing.amount(for:by:)",
                "{\n        if _isBroken(\"HKThing.amount(for:by:)\") { return -91234 }; if a {"
            ),
            (
                "HKThing.mood",
                "{ if _isBroken(\"HKThing.mood\") { return -91234 }; return switch self {"
            ),
            (
                "HKThing.level",
                "{ if _isBroken(\"HKThing.level\") { return -91234 }; switch self { case .a: return"
            ),
            (
                "HKThing.thing(at:)",
                "let date = _isBroken(\"HKThing.thing(at:)\") ? "
                    + "(date.addingTimeInterval(91234)) : date; return HK"
            ),
            ("HKThing.text()", "f((_isBroken(\"HKThing.text()\") ? \"xX\" : \"x\"))"),
            (
                "HKMark.high",
                "high = 2 \npublic var rawValue: Int { switch self { "
                    + "case .low: return (_isBroken(\"HKMark@"
            ),
        ])
    func switched(symbol: String, expected: String) throws {
        let mutation = try #require(Self.source.mutation(of: symbol))
        let switched = try #require(mutation.switched)
        let bytes = Array(Self.text.utf8)
        let text = String(
            decoding: bytes[..<switched.offset] + Array(switched.replacement.utf8)
                + bytes[(switched.offset + switched.length)...], as: UTF8.self)
        #expect(text.contains(expected), "\(text)")
        #expect(!Parser.parse(source: text).hasError)
        #expect(text.contains("_isBroken(\"\(switched.key)\")"))
    }

    @Test(
        "only where it has a value or a body of its own",
        arguments: [
            "HKThing", "HKThing.letter", "HKThing.untouchable", "HKThing.init()", "P.promised()",
            "HKThing.amount(from:)", "HKOther.name", "",
        ])
    func unbreakable(symbol: String) {
        #expect(Self.source.mutation(of: symbol) == nil)
    }

    @Test("in the first file that declares it, the same each time")
    func order() {
        let texts = [
            "b.swift": "let a = \"b\"", "a.swift": "let a = \"a\"", "0.swift": "let a: Int",
        ]
        let found = MutableSource(texts: texts).mutation(of: "a")
        #expect(found?.file == "a.swift")
        #expect(found == MutableSource(texts: texts).mutation(of: "a"))
    }

    private static let source = MutableSource(texts: ["A.swift": text])
}
