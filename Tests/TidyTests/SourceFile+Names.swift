/// Words that say nothing about the thing they name.
let emptyWords: Set<String> = [
    "Base", "Common", "Core", "Helper", "Helpers", "Impl", "Manager", "Managers", "Models",
    "Shared",
    "Util", "Utilities", "Utility", "Utils",
]

let longestFile = 400

extension SourceFile {
    /// Empty words in this file's path and in the types it declares.
    var emptyNames: [Breach] {
        let path = path.split(whereSeparator: { "/+-_. ".contains($0) }).map(String.init)
        var found = path.flatMap { wordsSayingNothing(in: $0) }
            .map { breach("the path says “\($0)”", at: 1) }
        for (name, line) in declaredTypes {
            found += wordsSayingNothing(in: name).map {
                breach("the type \(name) says “\($0)”", at: line)
            }
        }
        return found
    }

    /// A file that is longer than a reader's patience.
    var excessLength: [Breach] {
        lines.count <= longestFile
            ? [] : [breach("\(lines.count) lines, \(longestFile) at most", at: longestFile + 1)]
    }

    private var declaredTypes: [(name: String, line: Int)] {
        let kinds: Set<Substring> = ["actor", "class", "enum", "protocol", "struct", "typealias"]
        return code.enumerated().flatMap { index, text in
            let words = text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
            return zip(words, words.dropFirst())
                .filter { kinds.contains($0.0) && $0.1.first?.isUppercase == true }
                .map { (String($0.1), index + 1) }
        }
    }
}

/// The empty words among the CamelCase parts of a name: "URLHelper" says Helper, "Baseline" nothing.
private func wordsSayingNothing(in name: String) -> [String] {
    emptyWords.filter { word in
        name.ranges(of: word).contains { range in
            range.upperBound == name.endIndex || !name[range.upperBound].isLowercase
        }
    }
    .sorted()
}
