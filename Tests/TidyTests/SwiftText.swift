/// Swift source with everything blanked out that only looks like code.
///
/// Understands line comments, nested block comments, string literals with and without `#`, multi-line
/// literals and interpolations, which is all that the laws need; it is no parser. Blanked bytes
/// become spaces, so that lines and ASCII columns stay where they were.
struct SwiftText {
    private(set) var code: String
    private(set) var codeAndComments: String

    init(_ text: String) {
        var reader = Reader(text: Array(text.utf8))
        reader.readCode(until: .end)
        code = String(decoding: reader.code, as: UTF8.self)
        codeAndComments = String(decoding: reader.codeAndComments, as: UTF8.self)
    }
}

private struct Reader {
    enum Border { case end, closingParenthesis }

    let text: [UInt8]
    var position = 0
    var code: [UInt8] = []
    var codeAndComments: [UInt8] = []

    init(text: [UInt8]) { self.text = text }

    func starts(with mark: StaticString, at offset: Int = 0) -> Bool {
        let start = position + offset
        guard start + mark.utf8CodeUnitCount <= text.count else { return false }
        return (0..<mark.utf8CodeUnitCount).allSatisfy { text[start + $0] == mark.utf8Start[$0] }
    }

    enum Keeping { case everywhere, withComments, nowhere }

    mutating func take(_ count: Int = 1, keeping: Keeping) {
        for _ in 0..<count where position < text.count {
            let byte = text[position]
            let blank = byte == UInt8(ascii: "\n") ? byte : UInt8(ascii: " ")
            code.append(keeping == .everywhere ? byte : blank)
            codeAndComments.append(keeping == .nowhere ? blank : byte)
            position += 1
        }
    }

    mutating func readCode(until border: Border) {
        var depth = 0
        while position < text.count {
            if starts(with: "//") {
                while position < text.count, !starts(with: "\n") { take(keeping: .withComments) }
            } else if starts(with: "/*") {
                readBlockComment()
            } else if let hashes = hashesBeforeQuote() {
                readLiteral(hashes: hashes)
            } else {
                if starts(with: "(") { depth += 1 }
                if starts(with: ")") {
                    if depth == 0, border == .closingParenthesis { return }
                    depth -= 1
                }
                take(keeping: .everywhere)
            }
        }
    }

    mutating func readBlockComment() {
        var depth = 0
        while position < text.count {
            if starts(with: "/*") {
                depth += 1
                take(2, keeping: .withComments)
            } else if starts(with: "*/") {
                depth -= 1
                take(2, keeping: .withComments)
                if depth == 0 { return }
            } else {
                take(keeping: .withComments)
            }
        }
    }

    /// How many `#` stand here before a quote; nil where no literal begins.
    func hashesBeforeQuote() -> Int? {
        var count = 0
        while starts(with: "#", at: count) { count += 1 }
        return starts(with: "\"", at: count) ? count : nil
    }

    func hashes(_ count: Int, at offset: Int) -> Bool {
        (0..<count).allSatisfy { starts(with: "#", at: offset + $0) }
    }

    mutating func readLiteral(hashes count: Int) {
        take(count, keeping: .everywhere)
        let isMultiline = starts(with: "\"\"\"")
        let quotes = isMultiline ? 3 : 1
        take(quotes, keeping: .everywhere)
        while position < text.count {
            let closes = isMultiline ? starts(with: "\"\"\"") : starts(with: "\"")
            if closes, hashes(count, at: quotes) {
                take(quotes + count, keeping: .everywhere)
                return
            }
            if starts(with: "\n"), !isMultiline { return }
            if starts(with: "\\"), hashes(count, at: 1) {
                take(1 + count, keeping: .nowhere)
                if starts(with: "(") {
                    take(keeping: .everywhere)
                    readCode(until: .closingParenthesis)
                    take(keeping: .everywhere)
                    continue
                }
            }
            take(keeping: .nowhere)
        }
    }
}
