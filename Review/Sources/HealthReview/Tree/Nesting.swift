/// The nesting depth of code, estimated from its bytes before parsing.
///
/// The parser recurses for each `else if`, `try` and `->` without a limit. For `[[[[` it tries
/// every interpretation, which doubles its time with each bracket. Handwritten code stays far below
/// these limits; truncated or generated files may not.
struct Nesting {
    enum Excess: String, Error {
        case brackets = "brackets are nested too deeply"
        case openings = "too many brackets open next to each other"
        case words = "too many words follow each other"
        case repetition = "one word follows itself too often"
        case generics = "too many < without a >"
        case arrows = "too many -> in one line"
        case conditions = "too many #if are open"
    }

    private var line = 1
    private var depth = 0
    private var openings = 0
    private var words = 0
    private var repetitions = 0
    private var generics = 0
    private var arrows = 0
    private var conditions = 0
    private var lastWord: [UInt8] = []
    private var lastMark: UInt8 = 0

    /// Returns the first limit that a text exceeds, and the line; nil if it is safe to parse.
    ///
    /// Strings and comments count like code: 17 opening brackets in a string are also refused.
    ///
    /// - Complexity: O(n).
    static func excess(in text: String) -> (excess: Excess, line: Int)? {
        var nesting = Nesting()
        var word: [UInt8] = []
        for byte in text.utf8 {
            if isOfWord(byte) {
                word.append(byte)
                continue
            }
            if !word.isEmpty {
                nesting.consume(word)
                word.removeAll(keepingCapacity: true)
            }
            nesting.consume(byte)
            if let passed = nesting.passed { return (passed, nesting.line) }
        }
        return nil
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 128...:
            true
        default: false
        }
    }

    private var passed: Excess? {
        if depth > 1000 { return .brackets }
        if openings > 16 { return .openings }
        if words > 1000 { return .words }
        if repetitions > 1000 { return .repetition }
        if generics > 500 { return .generics }
        if arrows > 200 { return .arrows }
        return conditions > 200 ? .conditions : nil
    }

    private mutating func consume(_ word: [UInt8]) {
        openings = 0
        words += 1
        repetitions = word == lastWord ? repetitions + 1 : 0
        if lastMark == UInt8(ascii: "#") {
            if word == Array("if".utf8) { conditions += 1 }
            if word == Array("endif".utf8) { conditions = max(0, conditions - 1) }
        }
        lastMark = 0
        lastWord = word
    }

    private mutating func consume(_ mark: UInt8) {
        switch mark {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\""),
            UInt8(ascii: "\\"):
            // Neither interrupts a sequence of opening brackets: `[ [ [`, `"\("\(`.
            return
        case UInt8(ascii: "\n"):
            line += 1
            (words, generics, arrows) = (0, 0, 0)
            return
        case UInt8(ascii: "["), UInt8(ascii: "("):
            depth += 1
            openings += 1
        case UInt8(ascii: "{"):
            depth += 1
            openings = 0
        case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"):
            depth = max(0, depth - 1)
            openings = 0
        case UInt8(ascii: "<"): generics += 1
        case UInt8(ascii: ">"):
            if lastMark == UInt8(ascii: "-") { arrows += 1 }
            generics = 0
            openings = 0
        default: openings = 0
        }
        lastMark = mark
        (words, repetitions) = (0, 0)
        lastWord.removeAll(keepingCapacity: true)
    }
}
