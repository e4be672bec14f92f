extension SourceFile {
    /// Tests whose name isn't a sentence: `@Test` without a display name of three words or more.
    var namelessTests: [Breach] {
        guard isSwift else { return [] }
        return code.indices.flatMap { index in
            code[index].ranges(of: "@Test").filter { !isSentence(after: $0.upperBound, on: index) }
                .map { _ in breach("a test without a sentence", at: index + 1) }
        }
    }

    /// Whether a parenthesis opens here and a display name of at least three words follows.
    private func isSentence(after position: String.Index, on index: Int) -> Bool {
        // Blanking keeps bytes, so the literal stands at the same byte of the whole line.
        let bytes = code[index].utf8.distance(from: code[index].startIndex, to: position)
        var text = String(decoding: lines[index].utf8.dropFirst(bytes), as: UTF8.self)
        for line in lines.dropFirst(index + 1).prefix(2) { text += " " + line.trimmed }
        let parts = text.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, ["(", "(#"].contains(parts[0].trimmed) else { return false }
        return parts[1].split(separator: " ").count >= 3
    }
}
