import Testing

/// The examples in public doc comments, compared with the tests that compile them.
@Suite struct DocumentationExampleTests {
    let tree: SourceTree

    init() throws { tree = try SourceTree.current.get() }

    /// Libraries of which not every example is compiled yet.
    static let awaited: Set = ["HealthArchive", "HealthStorage"]

    /// An example in a doc comment of a library.
    private struct Example {
        let library: String
        let snippet: SwiftSnippet
        let isCompiled: Bool
    }

    private func examples() -> [Example] {
        let libraries = Set(tree.articles.compactMap(\.room))
        let functions = tree.swift.filter { $0.path.hasPrefix(SourceTree.guides) }
            .flatMap(\.functions)
        var examples: [Example] = []
        for file in tree.swift {
            guard let library = file.room, libraries.contains(library) else { continue }
            for snippet in file.publicExamples {
                let isCompiled = functions.contains { snippet.stands(inFunction: $0) }
                examples.append(
                    Example(library: library, snippet: snippet, isCompiled: isCompiled))
            }
        }
        return examples
    }

    @Test("every example of a public doc comment stands in a test that compiles it")
    func compiled() {
        let examples = examples()
        // An empty search would pass as well.
        #expect(examples.count > 50)
        for example in examples where !example.isCompiled {
            if Self.awaited.contains(example.library) { continue }
            let place = "\(example.snippet.path):\(example.snippet.line)"
            Issue.record("\(place): in no function of \(SourceTree.guides)")
        }
    }

    @Test("a library of which every example is compiled is no longer awaited")
    func stillAwaited() {
        let missing = Set(examples().filter { !$0.isCompiled }.map(\.library))
        for library in Self.awaited.sorted() {
            #expect(missing.contains(library), "every example of \(library) is compiled")
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
        #expect(file.functions.map { example.stands(inFunction: $0) } == [false, true, false])
    }
}
