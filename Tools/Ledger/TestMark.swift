import Foundation

/// A symbol in a `.covers("…")` trait of a test or suite, and how to run that test or suite.
struct TestMark {
    let symbol: String
    /// The path of the test's file, such as "Tests/OpenHealthKitTests/HKUnitTests.swift".
    let file: String
    /// The title of the test or suite with the trait.
    let title: String
    /// The name of the test's function, or of the suite's type, for `--filter`.
    let name: String

    /// Returns all marks in some test files, in order of path and position.
    ///
    /// - Parameter files: The texts of the files, by path.
    static func all(in files: [String: String]) -> [TestMark] {
        files.sorted { $0.key < $1.key }.flatMap { marks(in: $0.value, file: $0.key) }
    }

    private static func marks(in text: String, file: String) -> [TestMark] {
        let attributes = ["@Test", "@Suite"]
        var marks: [TestMark] = []
        var rest = text[...]
        while let covers = rest.range(of: ".covers(") {
            let before = text[..<covers.lowerBound]
            let start = attributes.compactMap { before.range(of: $0, options: .backwards) }
                .max { $0.lowerBound < $1.lowerBound }

            let (symbols, close) = literals(text, from: covers.upperBound)
            rest = text[close...]
            guard let start else { continue }
            let title = literals(text, from: start.upperBound).strings.first ?? ""
            let name = declaration(text[close...])
            marks += symbols.map { TestMark(symbol: $0, file: file, title: title, name: name) }
        }
        return marks
    }

    /// Returns the string literals in the arguments of a call, and the position of the closing
    /// parenthesis. `start` is at the opening parenthesis or directly after it.
    private static func literals(
        _ text: String, from start: String.Index
    ) -> (strings: [String], end: String.Index) {
        var strings: [String] = []
        var (depth, index) = (text[start...].first == "(" ? 0 : 1, start)
        while index < text.endIndex {
            switch text[index] {
            case "(": depth += 1
            case ")":
                depth -= 1
                if depth == 0 { return (strings, index) }
            case "\"":
                let after = text.index(after: index)
                var close = after
                while close < text.endIndex, text[close] != "\"" {
                    if text[close] == "\\" { close = text.index(after: close) }
                    close = text.index(after: close)
                }
                strings.append(String(text[after..<close]))
                index = close
            default: break
            }
            index = text.index(after: index)
        }
        return (strings, text.endIndex)
    }

    /// Returns the name of the function or type that follows an attribute; empty if none follows
    /// within 60 words.
    private static func declaration(_ text: Substring) -> String {
        var words = text.split { !($0.isLetter || $0.isNumber || $0 == "_") }[...].prefix(60)
        while let word = words.popFirst() {
            if ["func", "struct", "enum", "class"].contains(word) {
                return words.first.map(String.init) ?? ""
            }
        }
        return ""
    }
}
