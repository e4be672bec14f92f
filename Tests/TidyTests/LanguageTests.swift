import Testing

/// Checks that comments, texts and documents avoid the phrases of ``BannedPhrase``.
@Suite struct LanguageTests {
    @Test("comments, texts and documents contain no banned phrase")
    func phrases() throws {
        for file in try SourceTree.current.get().files {
            for violation in file.bannedPhrases { Issue.record("\(violation)") }
        }
    }

    @Test("each phrase is found in a comment or a document, in any case", arguments: samples)
    func violations(phrase: String) {
        let sentence = phrase.prefix(1).uppercased() + phrase.dropFirst() + " it is."
        #expect(swift("let a = 1  // A text, \(phrase), and more").map(\.line) == [1])
        #expect(swift("\n/// \(sentence)").map(\.line) == [2])
        #expect(file("README.md", "- \(sentence)").bannedPhrases.count == 1)
        #expect(swift("// x\(phrase)x or _\(phrase)").isEmpty)
    }

    @Test("literals are read, without code, interpolations and identifiers")
    func literals() {
        // Concatenated, so that this file doesn't violate its own rule.
        let word = "si" + "eve"
        #expect(swift("print(\"the \(word) is full\")").count == 1)
        #expect(swift("print(\"a \\\"quoted\\\" \(word)\")  // fine").count == 1)
        #expect(swift("let a = \"\"\"\n    the \(word) is full\n    \"\"\"").map(\.line) == [2])
        #expect(swift("let \(word) = \(word)(\"x\")").isEmpty)
        #expect(swift("print(\"\\(\(word)) of \\(a(\(word)))\")").isEmpty)
        #expect(swift("/// See `\(word)` and ``\(word)``.").isEmpty)
        #expect(swift("let a = \"https://\(word).example\"").count == 1)
        #expect(file("README.md", "`\(word)`").bannedPhrases.isEmpty)
    }

    @Test("allowed longer phrases, styles and paths are no violation")
    func allowed() {
        #expect(swift("/// Overlaps are " + "counted once.").isEmpty)
        #expect(swift("let path = \"/" + "check-up\"").isEmpty)
        #expect(swift("let style = \"class=" + "lane\"").isEmpty)
        #expect(swift("/// The " + "lane of a reader").count == 1)
    }

    @Test("titles of tests, generated code, the changelog and the list of terms are not read")
    func otherFiles() {
        let word = "si" + "eve"
        let title = "@Test(\"the \(word) is full\")"
        for path in ["Tests/A.swift", "Examples/A/Tests/B.swift", "Review/Tests/C.swift"] {
            #expect(file(path, title).bannedPhrases.isEmpty)
            #expect(file(path, "// \(word)").bannedPhrases.count == 1)
        }
        for path in ["CHANGELOG.md", "CONTRIBUTING.md", "Sources/X/Generated/Y.swift"] {
            #expect(file(path, "// \(word)").bannedPhrases.isEmpty)
        }
    }

    /// The phrases that apply to comments and documents.
    private static let samples = BannedPhrase.all
        .filter { $0.places.contains(.comment) && $0.places.contains(.document) }.map(\.phrase)

    private func swift(_ text: String) -> [Violation] {
        file("Sources/HealthEngine/Sample.swift", text).bannedPhrases
    }

    private func file(_ path: String, _ text: String) -> SourceFile {
        SourceFile(path: path, text: text)
    }
}
