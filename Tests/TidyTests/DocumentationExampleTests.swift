import Testing

/// The examples in public doc comments, compared with the tests that compile them.
@Suite struct DocumentationExampleTests {
    let tree: SourceTree

    init() throws { tree = try SourceTree.current.get() }

    @Test("every example of a public doc comment stands in a test that compiles it")
    func compiled() {
        let libraries = Set(tree.articles.compactMap(\.target))
        let examples = tree.swift.filter { libraries.contains($0.target ?? "") }
            .flatMap(\.publicExamples)
        // An empty search would pass as well.
        #expect(examples.count > 60)
        let functions = tree.swift.filter { $0.path.hasPrefix(SourceTree.guides) }
            .flatMap(\.functions)
        for example in examples {
            if functions.contains(where: { example.occurs(inFunction: $0) }) { continue }
            Issue.record("\(example.path):\(example.line): in no function of \(SourceTree.guides)")
        }
    }

    @Test("code in a doc comment of a target stands between ``` lines")
    func fences() {
        for file in tree.swift where file.target != nil {
            for line in file.indentedCode {
                Issue.record("\(file.path):\(line): put the code between ``` lines")
            }
        }
    }

    @Test("an example is found by its lines in order, whatever their layout")
    func comparison() throws {
        let source = SourceFile(
            path: "Sources/HealthSync/A.swift",
            text: """
                /// A total.
                ///
                /// ```swift
                /// let a = total(of: b, in: c)   // 1
                /// a.words
                /// ```
                // Checked by its lock.
                @MainActor
                public struct Total {}
                /// ```swift
                /// hidden()
                /// ```
                struct Hidden {}
                """)
        #expect(source.publicExamples.map(\.line) == [4])
        let example = try #require(source.publicExamples.first)
        let test = """
            struct Tests {
                func first() {
                    let a = total(
                        of: b, in: c)
                    check(a == 1)
                    check(a.words == "one")
                }

                func second() { a.words }
            }
            """
        let file = SourceFile(path: "A.swift", text: test)
        #expect(file.functions.map { example.occurs(inFunction: $0) } == [false, true, false])
    }

    @Test("indented code is found, and a continued parameter or a fenced block is not")
    func indentation() {
        let text = """
            /// A total.
            ///
            ///     let a = total()
            ///
            /// - Parameter b: A text
            ///     in two lines.
            ///
            /// ```
            ///
            ///     a table
            /// ```
            struct Total {}
            """
        #expect(SourceFile(path: "A.swift", text: text).indentedCode == [3])
    }
}
