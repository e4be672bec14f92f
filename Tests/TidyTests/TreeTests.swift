import Foundation
import GenerateCatalogue
import Testing

/// Checks the repository against the laws that need no syntax. `make test-all` checks the others.
@Suite struct TreeTests {
    let tree: SourceTree

    init() throws { tree = try SourceTree.current.get() }

    @Test("the tree that the laws read is this repository")
    func findsFiles() {
        #expect(tree.files.contains { $0.path == "Package.swift" })
        #expect(tree.files.contains { $0.path == "Tests/TidyTests/TreeTests.swift" })
    }

    @Test("nothing is left to do in documents and scripts")
    func strayMarks() { expectNone(tree.files.flatMap(\.strayMarks)) }

    @Test("an app that uses the libraries alone fetches nothing but GRDB")
    func traits() throws {
        let manifest = try #require(tree.files.first { $0.path == "Package.swift" })
        let products = manifest.lines.joined().components(separatedBy: ".product(").dropFirst()
            .map { $0.prefix { $0 != ")" } }.filter { $0.contains("package: ") }
        #expect(products.count > 8)
        for product in products where !product.contains("GRDB.swift") {
            let isGuarded = ["command", "server", "encryption", "people", "sealing"].contains {
                product.contains("condition: \($0)")
            }
            #expect(isGuarded, "\(product)")
        }
    }

    @Test("no path of one machine is written down")
    func machinePaths() { expectNone(tree.files.flatMap(\.machinePaths)) }

    @Test("only known hosts are named")
    func hosts() { expectNone(tree.files.flatMap(\.unknownHosts)) }

    @Test("the generated tables are what Data/ says today; if not, run make catalogue")
    func generated() throws {
        let root = SourceTree.repository
        for target in GeneratedTables.Target.allCases {
            let tables = try GeneratedTables(target, data: root.appending(path: "Data"))
            let folder = root.appending(path: "Sources").appending(path: target.folder)
            #expect(tables.stale(in: folder) == [])
            #expect(!tables.files.isEmpty)
        }
    }
}

/// Records one issue per violation, so that each has its own line.
private func expectNone(
    _ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation
) {
    for violation in violations { Issue.record("\(violation)", sourceLocation: sourceLocation) }
}
