import Foundation

/// A text file of the repository, as lines. Laws that need Swift's syntax are in Review's
/// SourceLaws.
struct SourceFile {
    /// The path from the repository's root: "Sources/HealthEngine/Sample.swift".
    let path: String
    /// The unchanged lines.
    let lines: [String]
    private let text: String

    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.linesByNewline
    }

    /// Returns the lines that contain one of these texts, with their numbers, counted from 1.
    ///
    /// Few files contain any, so the whole file is searched first, as bytes.
    func lines(with texts: [String]) -> [(number: Int, text: String)] {
        guard texts.contains(where: text.containsBytes(of:)) else { return [] }
        return zip(1..., lines).filter { line in texts.contains(where: line.1.containsBytes(of:)) }
    }

    var isSwift: Bool { path.hasSuffix(".swift") }

    /// The target: "HealthEngine" for a file under Sources, else nil.
    var target: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }

    /// Returns a violation at a line of this file, counted from 1.
    func violation(_ what: String, at line: Int) -> Violation {
        Violation(path: path, line: line, what: what)
    }
}

/// A place that breaks a law. Its description has a compiler's format.
struct Violation: Hashable, CustomStringConvertible {
    let path: String
    let line: Int
    let what: String

    var description: String { "\(path):\(line): \(what)" }
}

extension String {
    /// Returns whether the bytes of another text occur in this one. A hundred times as fast as
    /// `contains`.
    fileprivate func containsBytes(of other: String) -> Bool {
        strstr(self, other) != nil
    }

    fileprivate var linesByNewline: [String] {
        var lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
