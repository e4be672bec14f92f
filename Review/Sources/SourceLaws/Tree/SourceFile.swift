import SwiftParser
import SwiftSyntax

/// A parsed Swift file of the repository.
public struct SourceFile: Sendable {
    /// The path from the repository's root: "Sources/HealthEngine/Sample.swift".
    public let path: String
    let text: String
    let tree: SourceFileSyntax
    private let nodes: NodeIndex
    /// The byte offset of each line's start.
    private let lineStarts: [Int]

    /// Parses a file. Invalid source also yields a tree.
    ///
    /// - Parameters:
    ///   - path: The path from the repository's root. Some laws apply to some folders only.
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

    /// The target: "HealthEngine" for a file under Sources, else nil.
    var room: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }

    /// Returns all nodes of one of the kinds that ``NodeIndex`` collects, in order.
    func all<Node: SyntaxProtocol>(_ type: Node.Type) -> [Node] { nodes.all(type) }

    /// Returns whether the text contains one of some words.
    ///
    /// This is faster than a search through all tokens, and is checked first.
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
    /// - Complexity: O(log lines).
    func line(at position: AbsolutePosition) -> Int {
        var (low, high) = (0, lineStarts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= position.utf8Offset { low = middle } else { high = middle }
        }
        return low + 1
    }

    /// Returns a breach at a node's first line.
    func breach(_ what: String, at node: some SyntaxProtocol) -> Breach {
        breach(what, atLine: line(of: node))
    }

    func breach(_ what: String, atLine line: Int) -> Breach {
        Breach(path: path, line: line, what: what)
    }
}

/// A place that breaks a law. Its description has a compiler's format.
public struct Breach: Hashable, Sendable, CustomStringConvertible {
    /// The path from the repository's root.
    public let path: String
    /// The line, counted from 1.
    public let line: Int
    /// What is wrong, as a phrase.
    public let what: String

    public var description: String { "\(path):\(line): \(what)" }
}
