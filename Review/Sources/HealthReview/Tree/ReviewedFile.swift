import SwiftSyntax

/// The result of reading a file.
enum ReadFile: Sendable {
    case swift(ReviewedFile)
    case project(ProjectFile)
    case unread(reason: String)

    init(_ file: FoundFile) {
        do {
            switch file.kind {
            case .swift:
                let text = try FileText.swift(at: file.absolute)
                if let (excess, line) = Nesting.excess(in: text.text) {
                    self = .unread(reason: "\(excess.rawValue), line \(line)")
                    return
                }
                let reviewed = ReviewedFile(file.path, text)
                self =
                    reviewed.source.isTooDeep
                    ? .unread(reason: "nested more than \(FileWalk.maximumLevels) deep")
                    : .swift(reviewed)
            case .project(let kind):
                self = .project(
                    ProjectFile(
                        path: file.path, kind: kind,
                        text: try FileText.project(at: file.absolute).text))
            }
        } catch {
            self = .unread(reason: error.reason)
        }
    }
}

/// A parsed Swift file with its text.
struct ReviewedFile: Sendable {
    let source: SourceFile
    let text: String
    let isValidUTF8: Bool
    /// The location of the first syntax error.
    let syntaxError: (line: Int, column: Int)?

    init(_ path: String, _ text: FileText) {
        source = SourceFile(path: path, text: text.text)
        self.text = text.text
        isValidUTF8 = text.isValidUTF8
        syntaxError = source.isMalformed ? source.firstSyntaxError : nil
    }

    /// Whether the file may contain a suppression comment.
    var hasMarks: Bool { text.hasBytes(of: Suppressions.mark) }

    var lineCount: Int {
        text.utf8.count { $0 == 10 } + (text.isEmpty || text.utf8.last == 10 ? 0 : 1)
    }
}

extension SourceFile {
    /// The location of the first node that the parser skipped or inserted.
    ///
    /// - Complexity: O(depth), without recursion.
    var firstSyntaxError: (line: Int, column: Int) {
        var node = Syntax(tree)
        while let next = node.children(viewMode: .all).first(where: \.hasError) {
            if next.is(UnexpectedNodesSyntax.self) { return location(of: next) }
            node = next
        }
        return location(of: node)
    }
}
