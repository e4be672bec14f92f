import SwiftParser
import SwiftSyntax

/// A parsed Swift file, with its tree and the index of nodes that rules need.
///
/// A class, since rules pass files on by the thousand and a copy would count each of its parts.
final class SourceFile: Sendable {
    /// The path that findings use.
    let path: String
    let tree: SourceFileSyntax
    let declarations: Declarations
    let uses: Uses
    /// The queries that the file constructs, in source order.
    let queries: [HealthQuery]
    /// Whether the code is nested too deeply to be reviewed. Nothing is indexed then.
    let isTooDeep: Bool
    private let lines: LineTable

    /// Parses a file. Invalid source also yields a tree.
    ///
    /// - Complexity: O(n) in the text's length. Stack use grows with the nesting depth, which the
    ///   parser limits.
    init(path: String, text: String) {
        self.path = path
        tree = Parser.parse(source: text)
        lines = LineTable(text)
        let gathered = FileWalk.gather(tree)
        isTooDeep = gathered == nil
        (declarations, uses) = gathered ?? (Declarations(), Uses())
        queries = uses.calls.compactMap { HealthQuery($0) }
    }

    /// Whether the parser skipped tokens or inserted missing ones.
    var isMalformed: Bool { tree.hasError }

    /// Whether the file tests other code: it imports XCTest or Testing.
    var isTest: Bool { uses.imports.contains("XCTest") || uses.imports.contains("Testing") }

    /// Whether the file imports HealthKit.
    var importsHealthKit: Bool { uses.imports.contains("HealthKit") }

    /// Returns the location of a node's first token.
    func location(of node: some SyntaxProtocol) -> (line: Int, column: Int) {
        lines.place(of: node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }
}

/// The byte offsets of line starts.
struct LineTable: Sendable {
    private var starts = [0]

    init(_ text: String) {
        var offset = 0
        var afterReturn = false
        for byte in text.utf8 {
            offset += 1
            if byte == 10 {
                if afterReturn { starts[starts.count - 1] = offset } else { starts.append(offset) }
            } else if byte == 13 {
                starts.append(offset)
            }
            afterReturn = byte == 13
        }
    }

    /// Returns the line and the column of a byte offset, both counted from 1.
    ///
    /// - Complexity: O(log lines).
    func place(of offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - starts[low] + 1)
    }

    /// The number of lines. The last one may be empty.
    var count: Int { starts.count }

    /// Returns the byte offset of a line's start.
    ///
    /// - Parameter line: The line, counted from 1. Other values are clamped to the first or last
    ///   line.
    func offset(of line: Int) -> Int { starts[max(0, min(line, starts.count) - 1)] }
}
