import Foundation

extension SourceFile {
    /// Files that the table of phrases doesn't apply to.
    private static let otherLanguage = [
        // The history keeps the words of its time.
        "CHANGELOG.md",
        // It lists the words to avoid.
        "CONTRIBUTING.md",
        // It is rendered from the titles of tests.
        "Documentation/Compatibility.md",
    ]

    /// The phrases of ``BannedPhrase/all`` in comments, string literals and Markdown.
    ///
    /// Only comments of tests are read: titles of tests are literals too. Code is read line by
    /// line, without Swift's syntax, so a literal with quotes in an interpolation is read in part.
    var bannedPhrases: [Violation] {
        let isDocument = path.hasSuffix(".md")
        guard isSwift || isDocument, !path.contains("/Generated/"),
            !Self.otherLanguage.contains(path)
        else { return [] }
        let found = lines(with: BannedPhrase.all.flatMap(\.spellings))
        if found.isEmpty { return [] }
        let isTest = path.hasPrefix("Tests/") || path.contains("/Tests/")
        let inside = isSwift ? linesInsideLiterals : []
        return found.flatMap { number, line -> [Violation] in
            let texts: [(place: BannedPhrase.Place, text: String)] =
                isDocument
                ? [(.document, line.withoutCode)]
                : inside.contains(number)
                    ? [(.literal, line.withoutInterpolations)] : line.commentAndLiterals
            return BannedPhrase.all.filter { banned in
                texts.contains { place, text in
                    banned.places.contains(place) && !(isTest && place == .literal)
                        && text.uses(banned)
                }
            }
            .map { violation("“\($0.phrase)”: write \($0.instead)", at: number) }
        }
    }

    /// The numbers of the lines inside multi-line string literals.
    private var linesInsideLiterals: Set<Int> {
        var inside: Set<Int> = []
        var isInside = false
        for (number, line) in zip(1..., lines) {
            if isInside { inside.insert(number) }
            if !line.ranges(of: "\"\"\"").count.isMultiple(of: 2) { isInside.toggle() }
        }
        return inside
    }
}

extension String {
    /// Whether the text contains the phrase as whole words, outside the allowed longer phrases.
    fileprivate func uses(_ banned: BannedPhrase) -> Bool {
        var text = lowercased()
        for allowed in banned.unless { text = text.replacing(allowed, with: "") }
        return text.containsWord(banned.phrase)
    }

    /// The comment of a line of Swift, without its code, and the string literals before it.
    fileprivate var commentAndLiterals: [(place: BannedPhrase.Place, text: String)] {
        let line = replacing("\\\"", with: "'")
        let comment = line.ranges(of: "//").first { range in
            let code = line[..<range.lowerBound]
            return code.last != ":" && code.count { $0 == "\"" }.isMultiple(of: 2)
        }
        let code = comment.map { String(line[..<$0.lowerBound]) } ?? line
        var texts = code.components(separatedBy: "\"").enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }
            .map { (place: BannedPhrase.Place.literal, text: $0.element.withoutInterpolations) }
        if let comment {
            texts.append((.comment, String(line[comment.upperBound...]).withoutCode))
        }
        return texts
    }

    /// The text without what stands between backticks.
    fileprivate var withoutCode: String {
        replacing("``", with: "`").components(separatedBy: "`").enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: "`")
    }

    /// The text without interpolations. One that isn't closed ends the text.
    fileprivate var withoutInterpolations: String {
        let parts = components(separatedBy: "\\(")
        return parts.dropFirst().reduce(parts[0]) { text, part in
            var depth = 1
            let rest = part.drop { character in
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                return depth > 0
            }
            return text + rest
        }
    }
}
