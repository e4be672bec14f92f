import Testing

/// The laws, each held against a planted breach and its rightful neighbour.
@Suite struct RuleTests {
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

    @Test("a room that is not in the table is found")
    func unknownRoom() {
        #expect(!file("Sources/HealthMagic/Spell.swift", "").forbiddenImports.isEmpty)
        #expect(file("Sources/CZlib/shim.h", "#include <zlib.h>").forbiddenImports.isEmpty)
    }

    @Test(
        "a name that says nothing is found, a longer word is left alone",
        arguments: [
            ("Sources/HealthEngine/UnitHelper.swift", "", 1),
            ("Sources/HealthEngine/Core/Unit.swift", "", 1),
            ("Sources/HealthEngine/Unit+Utils.swift", "", 1),
            ("Sources/HealthEngine/Unit.swift", "final class URLManager {}", 1),
            ("Sources/HealthEngine/Unit.swift", "enum DatabaseScore { case baseline }", 0),
            ("Sources/HealthEngine/Unit.swift", "/// struct UnitHelper {}", 0),
        ])
    func emptyNames(path: String, text: String, count: Int) {
        #expect(file(path, text).emptyNames.count == count)
    }

    @Test("the 401st line is found")
    func excessLength() {
        let line = "let x = 1\n"
        let path = "Sources/HealthEngine/Long.swift"
        #expect(file(path, String(repeating: line, count: 400)).excessLength.isEmpty)
        #expect(file(path, String(repeating: line, count: 401)).excessLength.map(\.line) == [401])
    }

    @Test(
        "a stray mark is found in code and comments, not in text",
        arguments: [
            ("// TODO: later", 1), ("let x = 1 /* FIXME */", 1), ("let x = \"TODO\"", 0),
            ("let x = try! f()", 1), ("let x = y as! Int", 1), ("fatalError(\"no\")", 1),
            ("print(x)", 1), ("let p = fingerprint(x)", 0), ("out.print(x)", 0),
            ("// never print(x) here", 0), ("// XXXL", 0), ("let x = \"\\(try! f())\"", 1),
        ])
    func strayMarks(text: String, count: Int) {
        #expect(file("Sources/HealthEngine/Unit.swift", text).strayMarks.count == count)
    }

    @Test(
        "an integer made of a floating-point number is found, of another integer or with care not",
        arguments: [
            ("let a = Int(x.rounded())", 1), ("let a = Int((seconds / 60).rounded(.down)) + b", 1),
            ("let a = Int64(Double(b) * c)", 1), ("let a = UInt8(x * 0.5)", 1),
            ("let a = Int(date.timeIntervalSince1970)", 1), ("let a = Int(workout.duration)", 1),
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
        "a read of stored values past the checked reader is found",
        arguments: [
            ("Sources/HealthStorage/A.swift", "let n = try Int.fetchOne(db, sql: sql)", 1),
            ("Sources/HealthStorage/A.swift", "let n = try Int.readOne(db, sql: sql)", 0),
            ("Sources/HealthStorage/CheckedRow.swift", "try Row.fetchAll(db, sql: sql)", 0),
            ("Sources/HealthStorage/A.swift", "sqlite3_column_int64(statement, 0)", 1),
            ("Sources/HealthSync/A.swift", "let id: UUID = row[0]", 1),
            ("Sources/HealthSync/A.swift", "let id: UUID = try row.value(0)", 0),
        ])
    func uncheckedReads(path: String, text: String, count: Int) {
        #expect(file(path, text).uncheckedReads.count == count)
    }

    @Test("the command may print")
    func printing() {
        #expect(file("Sources/openhealth/Stats.swift", "print(table)").strayMarks.isEmpty)
    }

    @Test("an unchecked claim needs its reason right above")
    func unexplainedClaims() {
        let bare = "\nfinal class Box: @unchecked Sendable {}"
        let reasoned = "// Guarded by `lock`.\n@frozen\nfinal class Box: @unchecked Sendable {}"
        let path = "Sources/HealthStorage/Box.swift"
        #expect(file(path, bare).unexplainedClaims.map(\.line) == [2])
        #expect(file(path, reasoned).unexplainedClaims.isEmpty)
    }

    @Test("a door to the network, a clock and a calendar are found where they don't belong")
    func surroundings() {
        #expect(
            file("Sources/HealthArchive/A.swift", "let s = URLSession.shared").networkUse.count == 1
        )
        let clock = "let now = Date()"
        #expect(file("Sources/HealthSimulator/A.swift", clock).ambientUse.count == 1)
        #expect(file("Sources/openhealth/A.swift", clock).ambientUse.isEmpty)
        let calendar = "let c = Calendar(identifier: .gregorian)"
        #expect(file("Sources/HealthStorage/A.swift", calendar).strayCalendars.count == 1)
        #expect(
            file("Sources/HealthStorage/CalendarBuckets.swift", calendar).strayCalendars.isEmpty)
    }

    @Test("a path of one machine is found, a relative one is left alone")
    func machinePaths() {
        let folder = ["", "root", "x"].joined(separator: "/")
        #expect(file("README.md", "see \(folder)").machinePaths.count == 1)
        #expect(file("README.md", "open \"\(folder)\"").machinePaths.count == 1)
        #expect(file("README.md", "see tree\(folder) and ~\(folder)").machinePaths.isEmpty)
    }

    @Test("an unknown host is found")
    func strangeHosts() {
        let scheme = "https:" + "//"
        #expect(file("README.md", "\(scheme)www.swift.org/install").strangeHosts.isEmpty)
        #expect(file("README.md", "\(scheme)packages.internal/simple").strangeHosts.count == 1)
        #expect(file("README.md", "\(scheme)notswift.org").strangeHosts.count == 1)
    }

    @Test(
        "a public declaration without a page is found, one that speaks for itself is not",
        arguments: [
            ("public func sum() -> Double { 1 }", 1),
            ("/// The sum.\npublic func sum() -> Double { 1 }", 0),
            ("/// The sum.\n@inlinable\npublic func sum() -> Double { 1 }", 0),
            ("// A note.\npublic func sum() -> Double { 1 }", 1),
            ("public struct Sample: Sendable {\n}", 1),
            ("    public var start: Double", 0),
            ("    public static let identity = Unit()", 0),
            ("    public var isOrdered: Bool { true }", 1),
            ("    public init(a: Int) {\n        self.a = a\n    }", 0),
            ("    public init(a: Int) {\n        self.a = a * 2\n    }", 1),
            ("    public init(\n        a: Int\n    )\n    where T: P {\n        f()\n    }", 1),
            ("extension A: Hashable {\n    public func hash() {}\n}", 0),
            ("extension A {\n    public func hash() {}\n}", 1),
            ("    public var description: String { name }", 0),
            ("/// The sum.\n// Immutable.\npublic final class Sum {\n}", 0),
            ("    open override var sum: Double { 1 }", 0),
            ("    open func encode(with coder: NSCoder) { f() }", 0),
            ("    func hidden() {}", 0),
            ("    open = span", 0),
        ])
    func undocumented(text: String, count: Int) {
        #expect(file("Sources/HealthEngine/A.swift", text).undocumented.count == count)
    }

    @Test(
        "a boolean parameter is found, a predicate is not",
        arguments: [
            ("public func f(_ a: Int, fast: Bool = false)", 1),
            ("public func f(\n    fast: Bool?\n)", 1),
            ("public func f(where keep: (Int) -> Bool)", 0),
            ("public func f(names: [String: Bool]) -> Bool", 0),
            ("public init(isDerived: Bool)", 0),
            ("func f(fast: Bool)", 0),
        ])
    func booleanParameters(text: String, count: Int) {
        #expect(file("Sources/HealthEngine/A.swift", text).booleanParameters.count == count)
    }

    @Test("a test without a sentence is found, a sentence on the next line is read")
    func namelessTests() {
        let mark = "@" + "Test"
        let path = "Tests/HealthEngineTests/A.swift"
        #expect(file(path, "\(mark) func a() {}").namelessTests.count == 1)
        #expect(file(path, "\(mark)(\"short\") func a() {}").namelessTests.count == 1)
        #expect(file(path, "\(mark)(.serialized) func a() {}").namelessTests.count == 1)
        #expect(file(path, "\(mark)(\"it adds up\") func a() {}").namelessTests.isEmpty)
        #expect(
            file(path, "\(mark)(\n    \"it adds up\",\n    arguments: [1])").namelessTests.isEmpty)
    }

    private func file(_ path: String, _ text: String) -> SourceFile {
        SourceFile(path: path, text: text)
    }
}
