import SwiftParser
import SwiftSyntax

/// A Swift file as it was read: its tree, and what rules ask for gathered in one walk.
struct SourceFile: Sendable {
    /// As findings name it.
    let path: String
    let tree: SourceFileSyntax
    let declarations: Declarations
    let uses: Uses
    /// Whether the code is nested too deeply to be reviewed; then nothing is gathered of it.
    let isTooDeep: Bool
    private let lines: LineTable

    /// Parses a file; whatever the text, there is a tree.
    ///
    /// - Complexity: O(n) in the text's length. The stack grows with how deeply code is nested, of
    ///   which the parser takes in a bounded part.
    init(path: String, text: String) {
        self.path = path
        tree = Parser.parse(source: text)
        lines = LineTable(text)
        let gathered = FileWalk.gather(tree)
        isTooDeep = gathered == nil
        (declarations, uses) = gathered ?? (Declarations(), Uses())
    }

    /// Whether the parser had to leave something out or make something up.
    var isMalformed: Bool { tree.hasError }

    /// Code that tests other code: it imports XCTest or Testing.
    var isTest: Bool { uses.imports.contains("XCTest") || uses.imports.contains("Testing") }

    /// Where a node's first token begins.
    func location(of node: some SyntaxProtocol) -> (line: Int, column: Int) {
        lines.place(of: node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }
}

/// Where lines begin, in bytes.
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

    /// The line and the column of a byte, both from 1.
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

    /// How many lines there are; the last one may be empty.
    var count: Int { starts.count }

    /// The byte that a line begins with.
    ///
    /// - Parameter line: From 1; beyond the ends the first or the last is meant.
    func offset(of line: Int) -> Int { starts[max(0, min(line, starts.count) - 1)] }
}
