import Foundation
import Testing

/// The articles of the DocC catalogues, compared with the tests that compile their code.
@Suite struct ArticleTests {
    let tree: SourceTree

    init() throws { tree = try SourceTree.current.get() }

    /// Blocks that no test compiles: their first line, and the reason.
    static let exemptions = [
        "// Package.swift": "a part of a manifest, which no target can compile",
        "// swift-tools-version: 6.2": "a manifest, which no target can compile",
    ]

    @Test("every Swift block of an article stands in a test that compiles it")
    func blocks() {
        let guides = tree.swift.filter { $0.path.hasPrefix(SourceTree.guides) }
        let blocks = tree.articles.flatMap(\.swiftBlocks)
        // An empty search would pass as well.
        #expect(blocks.count > 20)
        for block in blocks where Self.exemptions[block.lines.first ?? ""] == nil {
            if guides.contains(where: { block.occurs(in: $0) }) { continue }
            Issue.record(
                "\(block.path):\(block.line): not in a file of \(SourceTree.guides), line by line")
        }
    }

    @Test("every exemption is needed by a block of an article")
    func exemptions() {
        let first = Set(tree.articles.flatMap(\.swiftBlocks).compactMap(\.lines.first))
        for exemption in Self.exemptions.keys.sorted() {
            #expect(first.contains(exemption), "no block begins with \(exemption)")
        }
    }

    @Test("every library has a landing page with its name")
    func landingPages() throws {
        let manifest = try #require(tree.files.first { $0.path == "Package.swift" })
        let products = manifest.lines.filter { $0.contains(".library(name: ") }
            .compactMap { $0.split(separator: "\"").dropFirst().first.map(String.init) }
        #expect(products.count > 7)
        for product in products {
            let path = "Sources/\(product)/\(product).docc/\(product).md"
            let page = tree.articles.first { $0.path == path }
            #expect(page?.lines.first == "# ``\(product)``", "\(path)")
        }
    }

    @Test("a block is found under one indentation, and not if a line or a character differs")
    func comparison() throws {
        let article = SourceFile(
            path: "A.md", text: "```swift\nif a {\n    b()\n\n    c()\n}\n```\n```text\nd\n```\n")
        #expect(article.swiftBlocks.count == 1)
        let block = try #require(article.swiftBlocks.first)
        #expect(block.line == 2)
        let same = "func x() {\n    if a {\n        b()\n\n        c()\n    }\n}\n"
        #expect(block.occurs(in: SourceFile(path: "A.swift", text: same)))
        for (old, new) in [("c()", "d()"), ("        c()", "    c()"), ("\n\n", "\n")] {
            let other = same.replacingOccurrences(of: old, with: new)
            #expect(!block.occurs(in: SourceFile(path: "A.swift", text: other)), "\(new)")
        }
    }
}

extension SourceTree {
    /// The folder of the tests that compile the code of articles and doc comments.
    static let guides = "Tests/ClientTests/Guides/"

    /// The Markdown files of the DocC catalogues.
    var articles: [SourceFile] {
        files.filter { $0.path.contains(".docc/") && $0.path.hasSuffix(".md") }
    }
}
