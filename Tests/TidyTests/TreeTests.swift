import Foundation
import GenerateCatalogue
import Testing

/// The laws, held against the repository as it is.
@Suite struct TreeTests {
    let tree: SourceTree

    init() throws { tree = try SourceTree.current.get() }

    @Test("the tree that the laws read is this repository")
    func findsFiles() {
        #expect(tree.files.contains { $0.path == "Package.swift" })
        #expect(tree.files.contains { $0.path == "Tests/TidyTests/TreeTests.swift" })
        #expect(Set(tree.swift.compactMap(\.room)).isSubset(of: allowedImports.keys))
    }

    @Test("rooms import only from the floors below")
    func imports() { expectNone(tree.swift.flatMap(\.forbiddenImports)) }

    @Test("files and types have names that say what they are")
    func names() { expectNone(tree.handwritten.flatMap(\.emptyNames)) }

    @Test("no file is longer than 400 lines")
    func length() { expectNone(tree.handwritten.flatMap(\.excessLength)) }

    @Test("nothing is left to do, and nothing traps")
    func strayMarks() { expectNone(tree.files.flatMap(\.strayMarks)) }

    @Test("a floating-point number becomes an integer only where what doesn't fit is bounded")
    func conversions() { expectNone(tree.handwritten.flatMap(\.trappingConversions)) }

    @Test("what the compiler can't check has its reason above")
    func uncheckedClaims() { expectNone(tree.handwritten.flatMap(\.unexplainedClaims)) }

    @Test("an app that uses the libraries alone fetches nothing but GRDB")
    func traits() throws {
        let manifest = try #require(tree.files.first { $0.path == "Package.swift" })
        let products = manifest.lines.joined().components(separatedBy: ".product(").dropFirst()
            .map { $0.prefix { $0 != ")" } }.filter { $0.contains("package: ") }
        #expect(products.count > 8)
        for product in products where !product.contains("GRDB.swift") {
            #expect(product.contains("condition: command"), "\(product)")
        }
    }

    @Test("what an SQLite file holds is read with a check of its type")
    func uncheckedReads() { expectNone(tree.swift.flatMap(\.uncheckedReads)) }

    @Test("no room opens the network")
    func network() { expectNone(tree.swift.flatMap(\.networkUse)) }

    @Test("engine and simulator take clock, chance and settings as parameters")
    func ambientReads() { expectNone(tree.swift.flatMap(\.ambientUse)) }

    @Test("one file of the store knows calendars")
    func calendars() { expectNone(tree.handwritten.flatMap(\.strayCalendars)) }

    @Test("no path of one machine is written down")
    func machinePaths() { expectNone(tree.files.flatMap(\.machinePaths)) }

    @Test("only known hosts are named")
    func hosts() { expectNone(tree.files.flatMap(\.strangeHosts)) }

    @Test("what clients see is documented")
    func documentation() { expectNone(tree.handwritten.flatMap(\.undocumented)) }

    @Test("no public function takes a bare boolean")
    func booleans() { expectNone(tree.handwritten.flatMap(\.booleanParameters)) }

    @Test("the generated tables are what Data/ says today; if not, run make catalogue")
    func generated() throws {
        let root = SourceTree.repository
        for room in GeneratedTables.Room.allCases {
            let tables = try GeneratedTables(room, data: root.appending(path: "Data"))
            let folder = root.appending(path: "Sources").appending(path: room.folder)
            #expect(tables.stale(in: folder) == [])
            #expect(!tables.files.isEmpty)
        }
    }

    @Test("the names of tests are sentences")
    func testNames() { expectNone(tree.swift.flatMap(\.namelessTests)) }
}

/// Records one issue a breach, so that each is read on a line of its own.
private func expectNone(
    _ breaches: [Breach], sourceLocation: SourceLocation = #_sourceLocation
) {
    for breach in breaches { Issue.record("\(breach)", sourceLocation: sourceLocation) }
}
