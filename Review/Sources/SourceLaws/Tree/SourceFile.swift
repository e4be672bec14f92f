import SwiftParser
import SwiftSyntax

/// A parsed Swift file of the repository.
public struct SourceFile: Sendable {
    /// The path from the repository's root: "Sources/HealthEngine/Sample.swift".
    public let path: String
    let text: String
    let tree: SourceFileSyntax
    private let nodes: NodeIndex
    /// The UTF-8 offset at which each line begins.
    private let lineStarts: [Int]

    /// Parses a file. Invalid source also yields a tree.
    ///
    /// - Parameters:
    ///   - path: The path from the repository's root. It determines which laws apply.
    ///   - text: The file's text.
    /// - Complexity: O(n) in the text's length.
    public init(path: String, text: String) {
        (self.path, self.text) = (path, text)
        tree = Parser.parse(source: text)
        nodes = NodeIndex(tree)
        // SwiftSyntax's converter walks the whole tree, which is slow in debug builds.
        var (starts, offset) = ([0], 0)
        for byte in text.utf8 {
            offset += 1
            if byte == UInt8(ascii: "\n") { starts.append(offset) }
        }
        lineStarts = starts
    }

    var isGenerated: Bool { path.split(separator: "/").contains("Generated") }

    /// The target of a file in a subfolder of `Sources`: "HealthEngine" for
    /// "Sources/HealthEngine/Sample.swift". Nil for other files, such as tests.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }

    /// Returns all nodes of a kind that ``NodeIndex`` collects, in source order.
    func all<Node: SyntaxProtocol>(_ type: Node.Type) -> [Node] { nodes.all(type) }

    /// Returns whether the text contains at least one of the words, also as a part of other words.
    ///
    /// It is faster than a search through all tokens, so callers call it before such a search.
    func mentions(_ words: some Collection<String>) -> Bool { words.contains(where: text.contains) }

    /// Returns the line of a node's first token, counted from 1.
    func line(of node: some SyntaxProtocol) -> Int {
        line(at: node.positionAfterSkippingLeadingTrivia)
    }

    /// Returns the line of a node's last token, counted from 1.
    func lastLine(of node: some SyntaxProtocol) -> Int {
        line(at: node.endPositionBeforeTrailingTrivia)
    }

    /// Returns the line of a position, counted from 1.
    ///
    /// - Complexity: O(log *n*) in the number of lines.
    func line(at position: AbsolutePosition) -> Int {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= position.utf8Offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// Returns a violation on the line of a node's first token.
    func violation(_ what: String, at node: some SyntaxProtocol) -> Violation {
        violation(what, atLine: line(of: node))
    }

    func violation(_ what: String, atLine line: Int) -> Violation {
        Violation(path: path, line: line, what: what)
    }
}

/// A line of a file that breaks a law.
///
/// The description resembles a compiler's diagnostic, so editors can open the line:
/// "Sources/HealthEngine/Sample.swift:12: as! ends the process".
public struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The path from the repository's root.
    public let path: String
    /// The line, counted from 1.
    public let line: Int
    /// What is wrong, as a phrase.
    public let what: String

    public var description: String { "\(path):\(line): \(what)" }
}
