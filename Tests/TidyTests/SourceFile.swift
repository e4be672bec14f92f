import Foundation

/// A text file of the repository, as the laws read it.
struct SourceFile {
    /// From the repository's root: "Sources/HealthEngine/Sample.swift".
    let path: String
    /// The file as it is.
    let lines: [String]
    /// The lines with comments and the insides of string literals blanked out, columns kept.
    let code: [String]
    /// The lines with only the insides of string literals blanked out.
    let codeAndComments: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.linesByNewline
        if path.hasSuffix(".swift") {
            let views = SwiftText(text)
            code = views.code.linesByNewline
            codeAndComments = views.codeAndComments.linesByNewline
        } else {
            code = lines
            codeAndComments = lines
        }
    }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isGenerated: Bool { path.split(separator: "/").contains("Generated") }

    /// "HealthEngine" for files under Sources, else nil.
    var room: String? {
        let parts = path.split(separator: "/")
        return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
    }

    /// A breach of a law at a line of this file, counted from 1.
    func breach(_ what: String, at line: Int) -> Breach {
        Breach(path: path, line: line, what: what)
    }
}

/// One place that breaks one law; prints as a compiler would.
struct Breach: Hashable, CustomStringConvertible {
    let path: String
    let line: Int
    let what: String

    var description: String { "\(path):\(line): \(what)" }
}

extension String {
    fileprivate var linesByNewline: [String] {
        var lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}
