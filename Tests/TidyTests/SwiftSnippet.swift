import Foundation

/// A block of Swift code in an article or in a doc comment.
struct SwiftSnippet {
    /// The path of the file that shows the code.
    let path: String
    /// The line on which the code begins, counted from 1.
    let line: Int
    /// The lines of code, without the indentation that all of them share.
    let lines: [String]

    init(path: String, line: Int, lines: [String]) {
        self.path = path
        self.line = line
        let indentations = lines.filter { !$0.trimmed.isEmpty }.map(\.indentation)
        let shared = indentations.min() ?? 0
        self.lines = lines.map { String($0.dropFirst(shared)) }
    }

    /// Returns whether a file has these lines one after another, all with the same indentation.
    func occurs(in file: SourceFile) -> Bool {
        guard let first = lines.first else { return false }
        return file.lines.indices.contains { start in
            let found = file.lines[start...].prefix(lines.count)
            guard found.count == lines.count, found[start].hasSuffix(first) else { return false }
            let indentation = String(found[start].dropLast(first.count))
            guard indentation.allSatisfy({ $0 == " " }) else { return false }
            return zip(lines, found).allSatisfy { line, text in
                line.isEmpty ? text.isEmpty : text == indentation + line
            }
        }
    }

    /// Returns whether the code of a function contains these lines in this order. Layout, comments
    /// and code between the lines have no effect.
    ///
    /// - Parameter function: An element of ``SourceFile/functions``.
    func occurs(inFunction function: String) -> Bool {
        var rest = function
        for code in lines.map(\.code) where !code.isEmpty {
            guard let range = rest.range(of: code) else { return false }
            rest = String(rest[range.upperBound...])
        }
        return true
    }

    /// Returns the blocks that begin with "```swift" in numbered lines of Markdown.
    static func blocks(
        in numbered: [(number: Int, text: String)], of path: String
    ) -> [SwiftSnippet] {
        var blocks: [SwiftSnippet] = []
        var begun: (line: Int, lines: [String])?
        for (number, text) in numbered {
            if let block = begun {
                if text.trimmed == "```" {
                    blocks.append(SwiftSnippet(path: path, line: block.line, lines: block.lines))
                    begun = nil
                } else {
                    begun?.lines.append(text)
                }
            } else if text.trimmed == "```swift" {
                begun = (number + 1, [])
            }
        }
        return blocks
    }
}

extension SourceFile {
    /// The blocks of Swift code in a Markdown file.
    var swiftBlocks: [SwiftSnippet] {
        SwiftSnippet.blocks(in: zip(1..., lines).map { (number: $0, text: $1) }, of: path)
    }

    /// The examples in the doc comments of public declarations.
    ///
    /// A member without a modifier, such as a protocol's requirement, is not found.
    var publicExamples: [SwiftSnippet] {
        var examples: [SwiftSnippet] = []
        var comment: [(number: Int, text: String)] = []
        for (number, line) in zip(1..., lines) {
            let text = line.trimmed
            if text.hasPrefix("///") {
                comment.append((number: number, text: String(text.dropFirst(3))))
                continue
            }
            if comment.isEmpty { continue }
            let isPublic = text.containsWord("public") || text.containsWord("open")
            if isPublic {
                examples += SwiftSnippet.blocks(in: comment, of: path)
            } else if text.hasPrefix("//") || text.hasPrefix("@") {
                // A reason or an attribute, before the declaration.
                continue
            }
            comment = []
        }
        return examples
    }

    /// The lines, counted from 1, that begin a block of code in a doc comment by indentation.
    ///
    /// ``publicExamples`` finds only blocks between "```" lines.
    var indentedCode: [Int] {
        var found: [Int] = []
        var (isFenced, isAfterBlank) = (false, false)
        for (number, line) in zip(1..., lines) {
            guard line.trimmed.hasPrefix("///") else {
                (isFenced, isAfterBlank) = (false, false)
                continue
            }
            let text = String(line.trimmed.dropFirst(3))
            if text.trimmed.hasPrefix("```") { isFenced.toggle() }
            if !isFenced, isAfterBlank, text.indentation > 4 { found.append(number) }
            isAfterBlank = text.trimmed.isEmpty
        }
        return found
    }

    /// The code of each function of the file or of its types, without spaces and comments. A
    /// function ends where the next one begins.
    var functions: [String] {
        var functions = [""]
        for line in lines {
            if line.indentation <= 4, line.containsWord("func") { functions.append("") }
            functions[functions.count - 1] += line.code
        }
        return functions
    }
}

extension String {
    /// The number of spaces at the beginning.
    fileprivate var indentation: Int { prefix { $0 == " " }.count }

    /// The line without spaces and without the comment at its end.
    fileprivate var code: String {
        if trimmed.hasPrefix("//") { return "" }
        let comment = range(of: " //")?.lowerBound ?? endIndex
        return String(self[..<comment]).filter { !$0.isWhitespace }
    }
}
