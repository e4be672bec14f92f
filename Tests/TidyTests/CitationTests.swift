import Testing

/// Checks that citations of Documentation/Semantics.md and Documentation/ExportFormat.md refer to a
/// rule.
@Suite struct CitationTests {
    let tree: SourceTree

    init() throws { tree = try SourceTree.current.get() }

    @Test("every cited section has an anchor in its document")
    func citations() throws {
        let anchors = try Dictionary(
            uniqueKeysWithValues: Citation.Document.allCases.map { document in
                (document, Set(try file(document).anchoredSections))
            })
        var count = 0
        for file in tree.files {
            for citation in file.citations {
                count += 1
                #expect(
                    anchors[citation.document]?.contains(citation.section) == true,
                    "\(file.path):\(citation.line): no \(citation.section) in \(citation.document.path)"
                )
            }
        }
        // A search that finds nothing would pass too.
        #expect(count > 500)
    }

    @Test("every anchor is there once, and links inside a document lead to one")
    func anchors() throws {
        for document in Citation.Document.allCases {
            let file = try file(document)
            let sections = file.anchoredSections
            #expect(Set(sections).count == sections.count, "\(file.path): an anchor occurs twice")
            for section in file.linkedSections {
                #expect(sections.contains(section), "\(file.path): no \(section)")
            }
        }
    }

    @Test("a heading's anchor has the heading's number")
    func headings() throws {
        for document in Citation.Document.allCases {
            for (index, line) in try file(document).lines.enumerated() {
                guard line.hasPrefix("#"), let number = section(ofHeading: line) else { continue }
                #expect(
                    line.contains("</a>\(number) ") || line.contains("</a>\(number). "),
                    "\(document.path):\(index + 1): \(line)")
            }
        }
    }

    @Test("every rule of Conformance.tsv has an anchor in the semantics")
    func conformance() throws {
        let table = try #require(tree.files.first { $0.path == "Documentation/Conformance.tsv" })
        let anchors = Set(try file(.semantics).anchoredSections)
        let rules = table.lines.filter { $0.first?.isNumber == true }
            .map { String($0.prefix { $0 != "\t" }) }
        #expect(rules.count > 80)
        for rule in rules { #expect(anchors.contains(rule), "no anchor for rule \(rule)") }
    }

    @Test(
        "a citation belongs to the document named last on its line",
        arguments: [
            ("/// As in Semantics §5.4, §5.5.", ["Semantics 5.4", "Semantics 5.5"]),
            ("/// See ExportFormat §2.1, §3.", ["ExportFormat 2.1", "ExportFormat 3"]),
            ("/// ExportFormat §2.1 and Semantics §1", ["ExportFormat 2.1", "Semantics 1"]),
            ("/// Bare (§5.4–5.5)", ["Semantics 5.4", "Semantics 5.5"]),
            ("/// A clause (§10.7c).", ["Semantics 10.7c"]),
            ("/// A range (§1–§4)", ["Semantics 1", "Semantics 4"]),
            ("/// The § alone, XML 1.0, 2.11", []),
        ])
    func forms(line: String, expected: [String]) {
        let found = SourceFile(path: "Sources/HealthEngine/Rule.swift", text: line).citations
        #expect(found.map { "\($0.document.rawValue) \($0.section)" } == expected)
    }

    @Test("a bare citation inside ExportFormat.md is of that document")
    func ownDocument() {
        let path = Citation.Document.exportFormat.path
        let found = SourceFile(path: path, text: "as in §2.3").citations
        #expect(found.map(\.document) == [.exportFormat])
    }

    @Test("the names of documents outside the repository are cited no more")
    func formerNames() {
        // Concatenated, so that this file doesn't violate its own rule.
        let names = ["healthkit" + "-semantics §", "apple-health" + "-export §", "unit" + "-facts"]
        for file in tree.files {
            for (number, _) in file.lines(with: names) {
                Issue.record("\(file.path):\(number): a document outside the repository")
            }
        }
    }

    /// Returns the section of a heading: "5.4" for `### <a id="s5.4"></a>5.4 Calendar components`.
    private func section(ofHeading line: String) -> String? {
        SourceFile(path: "", text: line).anchoredSections.first
    }

    private func file(_ document: Citation.Document) throws -> SourceFile {
        try #require(tree.files.first { $0.path == document.path })
    }
}
