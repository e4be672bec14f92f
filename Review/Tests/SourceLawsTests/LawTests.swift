import Testing

@testable import SourceLaws

/// Tests each law with a deliberate violation and with similar code that is allowed.
@Suite struct LawTests {
    @Test("an import of a floor above or a sibling is found, with its line")
    func forbiddenImports() {
        let archive = file(
            "Sources/HealthArchive/Zip.swift",
            """
            import Foundation
            public import HealthEngine
            @testable internal import HealthSimulator
            // import GRDB
            import struct GRDB.Row
            """)
        #expect(archive.forbiddenImports.map(\.line) == [3, 5])
        #expect(
            archive.forbiddenImports.first?.description
                == "Sources/HealthArchive/Zip.swift:3: HealthArchive may not import HealthSimulator"
        )
    }

    @Test("the engine may not import Foundation, only maths")
    func engineImports() {
        let engine = file(
            "Sources/HealthEngine/Sample.swift", "import Glibc\nimport Foundation")
        #expect(engine.forbiddenImports.map(\.line) == [2])
    }

    @Test("an import behind a condition is found")
    func conditionalImports() {
        let text = "#if canImport(GRDB)\nimport GRDB\n#endif"
        #expect(file("Sources/HealthEngine/A.swift", text).forbiddenImports.map(\.line) == [2])
    }

    @Test("a target that is not in the table is found")
    func unknownTarget() {
        #expect(!file("Sources/HealthMagic/Spell.swift", "").forbiddenImports.isEmpty)
    }

    @Test(
        "a name that says nothing is found, a longer word is left alone",
        arguments: [
            ("Sources/HealthEngine/UnitHelper.swift", "", 1),
            ("Sources/HealthEngine/Core/Unit.swift", "", 1),
            ("Sources/HealthEngine/Unit+Utils.swift", "", 1),
            ("Sources/HealthEngine/Unit.swift", "final class URLManager {}", 1),
            ("Sources/HealthEngine/Unit.swift", "func f() { struct Impl {} }", 1),
            ("Sources/HealthEngine/Unit.swift", "enum DatabaseScore { case baseline }", 0),
            ("Sources/HealthEngine/Unit.swift", "/// struct UnitHelper {}", 0),
            ("Sources/HealthEngine/Unit.swift", "let text = \"class URLManager\"", 0),
        ])
    func emptyNames(path: String, text: String, count: Int) {
        #expect(file(path, text).emptyNames.count == count)
    }

    @Test(
        "a trap or a library's print is found in code, not in comments and text",
        arguments: [
            ("let x = try! f()", 1), ("let x = y as! Int", 1), ("fatalError(\"no\")", 1),
            ("Swift.fatalError()", 1), ("let x = try? f()", 0), ("let x = y as? Int", 0),
            ("print(x)", 1), ("let p = fingerprint(x)", 0), ("out.print(x)", 0),
            ("// never print(x) here", 0), ("let x = \"\\(try! f())\"", 1),
            ("f { print($0) }", 1), ("f(try! g(h as! Int))", 2),
        ])
    func trapsAndPrints(text: String, count: Int) {
        let unit = file("Sources/HealthEngine/Unit.swift", text)
        #expect(unit.trapsAndPrints.count == count, "\(text)")
    }

    @Test("the command may print, and one file may trap")
    func exemptions() {
        #expect(file("Sources/openhealth/Stats.swift", "print(table)").trapsAndPrints.isEmpty)
        #expect(file(refusals, "fatalError()").trapsAndPrints.isEmpty)
    }

    @Test(
        "an integer made of a floating-point number is found, of another integer or with care not",
        arguments: [
            ("let a = Int(x.rounded())", 1), ("let a = Int((seconds / 60).rounded(.down)) + b", 1),
            ("let a = Int64(Double(b) * c)", 1), ("let a = UInt8(x * 0.5)", 1),
            ("let a = Int(date.timeIntervalSince1970)", 1), ("let a = Int(workout.duration)", 1),
            ("let a = Int(\n    x\n        .rounded())", 1), ("let a = Int(-(seconds))", 1),
            ("let a = Int(x * 1e6)", 1), ("let a = Int(clamping: x.rounded())", 0),
            ("let a = Int(exactly: x.rounded())", 0), ("let a = Int(sample.origin)", 0),
            ("let a = Int(b) + Int(exactly: c.rounded())", 0), ("let a = \"Int(x.rounded())\"", 0),
            ("let a = places.map { Int($0) } + [x.rounded()]", 0),
        ])
    func trappingConversions(text: String, count: Int) {
        let path = "Sources/HealthServer/Page.swift"
        #expect(file(path, text).trappingConversions.count == count, "\(text)")
        #expect(file("Tests/HealthServerTests/A.swift", text).trappingConversions.isEmpty)
    }

    @Test(
        "a read of stored values without the checked reader is found",
        arguments: [
            ("Sources/HealthStorage/A.swift", "let n = try Int.fetchOne(db, sql: sql)", 1),
            ("Sources/HealthStorage/A.swift", "let n = try Int.readOne(db, sql: sql)", 0),
            ("Sources/HealthStorage/A.swift", "let r = x as Row", 1),
            ("Sources/HealthStorage/CheckedRow.swift", "try Row.fetchAll(db, sql: sql)", 0),
            ("Sources/HealthStorage/A.swift", "sqlite3_column_int64(statement, 0)", 1),
            ("Sources/HealthSync/A.swift", "let id: UUID = row[0]", 1),
            ("Sources/HealthSync/A.swift", "rows.map { $0[\"id\"] }", 1),
            ("Sources/HealthSync/A.swift", "let id = narrow[0]", 0),
            ("Sources/HealthSync/A.swift", "let id: UUID = try row.value(0)", 0),
            ("Sources/HealthDashboard/A.swift", "try Row.fetchAll(db)", 1),
        ])
    func uncheckedReads(path: String, text: String, count: Int) {
        #expect(file(path, text).uncheckedReads.count == count, "\(text)")
    }

    @Test("an unchecked claim needs its reason right above")
    func unexplainedUnsafeAnnotations() {
        let bare = "\nfinal class Box: @unchecked Sendable {}"
        let reasoned = "// Guarded by `lock`.\n@frozen\nfinal class Box: @unchecked Sendable {}"
        let far = "// Guarded by `lock`.\n\nfinal class Box: @unchecked Sendable {}"
        let path = "Sources/HealthStorage/Box.swift"
        #expect(file(path, bare).unexplainedUnsafeAnnotations.map(\.line) == [2])
        #expect(file(path, reasoned).unexplainedUnsafeAnnotations.isEmpty)
        #expect(file(path, far).unexplainedUnsafeAnnotations.count == 1)
        #expect(file(path, "nonisolated(unsafe) var a = 1").unexplainedUnsafeAnnotations.count == 1)
        #expect(
            file(path, "f { [unowned(unsafe) a] in a() }").unexplainedUnsafeAnnotations.count == 1)
        #expect(file(path, "private(set) var a = 1").unexplainedUnsafeAnnotations.isEmpty)
    }

    @Test(
        "a use of the network is found, a similar name is not",
        arguments: [
            ("let s = URLSession.shared", 1), ("import FoundationNetworking", 1),
            ("let s = socket(AF_INET, 0, 0)", 1), ("let s = \"URLSession\"", 0),
            ("let s = websocket(1)", 0), ("// URLSession", 0),
        ])
    func networkUse(text: String, count: Int) {
        #expect(file("Sources/HealthArchive/A.swift", text).networkUse.count == count)
        #expect(file("Tests/HealthArchiveTests/A.swift", text).networkUse.isEmpty)
        #expect(networkFiles.allSatisfy { file($0, text).networkUse.isEmpty })
    }

    @Test(
        "the clock, randomness and settings are found in pure targets",
        arguments: [
            ("let now = Date()", 1), ("let now = Date.now", 1), ("let id = UUID()", 1),
            ("let now = Date.init()", 1), ("let z = TimeZone.current", 1),
            ("var g = SystemRandomNumberGenerator()", 1), ("let h = getenv(\"HOME\")", 1),
            ("let d = Date(timeIntervalSince1970: 0)", 0), ("let d = sample.Date()", 0),
            ("let id = UUID(uuidString: text)", 0),
        ])
    func ambientUse(text: String, count: Int) {
        #expect(file("Sources/HealthSimulator/A.swift", text).ambientUse.count == count, "\(text)")
        #expect(file("Sources/openhealth/A.swift", text).ambientUse.isEmpty)
    }

    @Test(
        "a random number without a seed is found in a test, one with a generator is not",
        arguments: [
            ("let n = Int.random(in: 0..<9)", 1), ("let b = Bool.random()", 1),
            ("let g = Generator(seed: .random(in: 0 ... .max))", 1),
            ("let a = list.shuffled()", 1), ("list.shuffle()", 1),
            ("let a = list.randomElement()", 1), ("let n = arc4random()", 1),
            ("var g = SystemRandomNumberGenerator()", 1),
            ("func f(_ g: inout SystemRandomNumberGenerator) {}", 1),
            ("let sql = \"SELECT a FROM b ORDER BY random() LIMIT 1\"", 1),
            ("let sql = \"UPDATE \\(a) SET b = randomblob(16)\"", 1),
            ("let n = Int.random(in: 0..<9, using: &g)", 0),
            ("let n = Int.random(\n    in: 0..<9,\n    using: &g)", 0),
            ("let a = list.shuffled(using: &g)", 0), ("let o = Order.shuffled(seed: 7)", 0),
            ("let p = random(depth: 3, &g)", 0), ("// list.shuffled()", 0),
            ("@Test(\"random numbers\") func random() {}", 0), ("let id = UUID()", 0),
        ])
    func unseededRandomness(text: String, count: Int) {
        let path = "Tests/HealthEngineTests/A.swift"
        #expect(file(path, text).unseededRandomness.count == count, "\(text)")
        #expect(file("Sources/HealthEngine/A.swift", text).unseededRandomness.isEmpty)
        #expect(file(seedFile, text).unseededRandomness.isEmpty)
    }

    @Test(
        "a calendar and its arithmetic are found outside of the targets for calendars",
        arguments: [
            ("let c = Calendar(identifier: .gregorian)", 1), ("let c = Calendar.current", 1),
            ("calendar.date(bySettingHour: 12, minute: 0, second: 0, of: day)", 1),
            ("let d = calendar.startOfDay(for: day)", 1), ("let c: Calendar", 0),
            ("let d = calendar.date(day)", 0), ("let z = zone.secondsFromGMT()", 0),
        ])
    func calendars(text: String, count: Int) {
        #expect(file("Sources/HealthStorage/A.swift", text).strayCalendars.count == count)
        for target in calendarTargets {
            #expect(file("Sources/\(target)/A.swift", text).strayCalendars.isEmpty)
        }
    }

    @Test(
        "a column or a parameter that is called by its number is found",
        arguments: [
            ("Sources/HealthStorage/A.swift", "let n = rows.int(3)", 1),
            ("Sources/HealthStorage/A.swift", "let n = rows.int(.count)", 0),
            ("Sources/HealthStorage/A.swift", "let n: Int = try row[0]", 1),
            ("Sources/HealthStorage/A.swift", "let n: Int = try row[\"count\"]", 0),
            ("Sources/HealthStorage/A.swift", "try rows.map { try $0[1] as Int64 }", 1),
            ("Sources/HealthStorage/A.swift", "try insert.bind(child, at: 2)", 1),
            ("Sources/HealthStorage/A.swift", "try insert.bind(child, to: .child)", 0),
            ("Sources/HealthStorage/A.swift", "sqlite3_bind_int64(statement, 1, id)", 0),
            ("Sources/HealthSync/A.swift", "let id: UUID = try row.value(0)", 1),
            ("Sources/HealthSync/A.swift", "let id: UUID = try row.value(Column.id)", 0),
            ("Sources/HealthArchive/A.swift", "let n = list.int(3)", 0),
        ])
    func positionalReads(path: String, text: String, count: Int) {
        #expect(file(path, text).positionalReads.count == count, "\(text)")
    }

    @Test(
        "an undocumented public declaration is found, a self-explanatory one is not",
        arguments: [
            ("public func sum() -> Double { 1 }", 1),
            ("/// The sum.\npublic func sum() -> Double { 1 }", 0),
            ("/// The sum.\n@inlinable\npublic func sum() -> Double { 1 }", 0),
            ("/// The sum.\n\npublic func sum() -> Double { 1 }", 1),
            ("// A note.\npublic func sum() -> Double { 1 }", 1),
            ("public struct Sample: Sendable {\n}", 1),
            ("struct A {\n    public var start: Double\n}", 0),
            ("struct A {\n    public static let identity = Unit()\n}", 0),
            ("struct A {\n    public var isOrdered: Bool { true }\n}", 1),
            ("struct A {\n    public init(a: Int) {\n        self.a = a\n    }\n}", 0),
            ("struct A {\n    public init(a: Int) {\n        self.a = a * 2\n    }\n}", 1),
            ("struct A {\n    public init(\n        a: Int\n    )\n    where T: P { f() }\n}", 1),
            ("extension A: Hashable {\n    public func hash() {}\n}", 0),
            ("extension A {\n    public func hash() {}\n}", 1),
            ("public extension A {\n    func hash() {}\n}", 1),
            ("public extension A {\n    private func hash() {}\n}", 0),
            ("extension A {\n    public var description: String { name }\n}", 0),
            ("/// The sum.\n// Immutable.\npublic final class Sum {\n}", 0),
            ("class A {\n    open override var sum: Double { 1 }\n}", 0),
            ("class A {\n    open func encode(with coder: NSCoder) { f() }\n}", 0),
            ("func hidden() {}", 0),
            ("func f() { open = span }", 0),
        ])
    func undocumented(text: String, count: Int) {
        #expect(
            file("Sources/HealthEngine/A.swift", text).undocumented.count == count, "\(text)")
    }

    @Test(
        "a boolean parameter is found, a predicate is not",
        arguments: [
            ("public func f(_ a: Int, fast: Bool = false)", 1),
            ("public func f(\n    fast: Bool?\n)", 1),
            ("public func f(where keep: (Int) -> Bool)", 0),
            ("public func f(names: [String: Bool]) -> Bool", 0),
            ("struct A { public init(isDerived: Bool) {} }", 0),
            ("struct A { public subscript(fast: Bool) -> Int { 1 } }", 1),
            ("func f(fast: Bool)", 0),
        ])
    func booleanParameters(text: String, count: Int) {
        #expect(file("Sources/HealthEngine/A.swift", text).booleanParameters.count == count)
        #expect(file("Sources/OpenHealthKit/A.swift", text).booleanParameters.isEmpty)
    }

    @Test("a test without a sentence is found, a sentence on the next line is read")
    func namelessTests() {
        let path = "Tests/HealthEngineTests/A.swift"
        #expect(file(path, "@Test func a() {}").namelessTests.count == 1)
        #expect(file(path, "@Test(\"short\") func a() {}").namelessTests.count == 1)
        #expect(file(path, "@Test(.serialized) func a() {}").namelessTests.count == 1)
        #expect(file(path, "@Test(\"it adds up\") func a() {}").namelessTests.isEmpty)
        #expect(
            file(path, "@Test(\n    \"it adds up\",\n    arguments: [1]) func a() {}")
                .namelessTests.isEmpty)
    }

    @Test("generated tables are left out where a law is for what people write")
    func reach() throws {
        let text = "public func f(fast: Bool) { URLSession.shared }"
        let generated = file("Sources/HealthEngine/Generated/A.swift", text)
        let found = SourceTree(files: [generated]).violations().map(\.law.name)
        #expect(found == ["network"])
    }

    private func file(_ path: String, _ text: String) -> SourceFile {
        SourceFile(path: path, text: text)
    }
}
