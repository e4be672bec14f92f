import SwiftParser
import SwiftSyntax

/// How deeply code is nested, known before anything recurses into it.
///
/// The parser bounds some of what it nests and not all: a megabyte of `[` or of `try` would be a stack
/// as deep. People's code is far from these limits; a file beyond one is reported and not read.
enum NestingDepth {
    /// What the threads of ``DeepStack`` have room for, several times over.
    static let limit = 100_000

    /// What makes a file too deep to parse and walk; nil for all that people write.
    ///
    /// - Complexity: O(n). Only files with very many brackets and dots are parsed for it.
    static func excess(of text: String) -> String? {
        var bytes = ByteCounts()
        var text = text
        text.withUTF8 { for byte in $0 { bytes.take(byte) } }
        if let excess = bytes.excess { return excess }
        guard bytes.nesting > limit / 2 else { return nil }
        return isDeep(Parser.parse(source: text)) ? "code nested \(limit) deep" : nil
    }

    private static func isDeep(_ tree: SourceFileSyntax) -> Bool {
        var open = [Syntax(tree).children(viewMode: .all).makeIterator()]
        while !open.isEmpty {
            if let child = open[open.count - 1].next() {
                open.append(child.children(viewMode: .all).makeIterator())
                if open.count >= limit { return true }
            } else {
                open.removeLast()
            }
        }
        return false
    }

    /// What bytes alone tell, comments and strings taken for code.
    private struct ByteCounts {
        /// Characters that may each add a level.
        private(set) var nesting = 0
        private(set) var excess: String?
        private var brackets = 0
        private var angles = 0
        /// `[` behind `[` with nothing but words of types between: the parser tries each twice.
        private var squares = 0
        private var words = 0
        private var conditions = 0
        private var elses = 0
        private var previous: UInt8 = 10
        private var word: [UInt8] = []

        mutating func take(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                nesting += 1
                brackets += 1
                if brackets > 5_000 { excess = "brackets nested 5,000 deep" }
                angles = 0
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                brackets = max(0, brackets - 1)
                angles = 0
            case UInt8(ascii: "<"):
                nesting += 1
                angles += 1
                if angles > 5_000 { excess = "angle brackets nested 5,000 deep" }
            case UInt8(ascii: ">"): angles = max(0, angles - 1)
            case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): nesting += 1
            default: break
            }
            take(square: byte)
            count(byte)
            previous = byte
        }

        private mutating func take(square byte: UInt8) {
            switch byte {
            case UInt8(ascii: "["):
                squares += 1
                if squares > 16 { excess = "square brackets nested 16 deep" }
            case UInt8(ascii: "("), UInt8(ascii: "<"), UInt8(ascii: "."), 9...13, 32: break
            default: if !byte.isLetter { squares = 0 }
            }
        }

        /// Words on one line, conditions of the compiler, and chains of else.
        private mutating func count(_ byte: UInt8) {
            if byte.isLetter || byte >= 48 && byte <= 57 || byte == UInt8(ascii: "#") {
                if word.count < 8 { word.append(byte) }
                return
            }
            if !word.isEmpty {
                take(word: word)
                word.removeAll(keepingCapacity: true)
            } else if byte == UInt8(ascii: "-"), previous != byte {
                words += 1
            }
            switch byte {
            case 10, 13, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "{"),
                UInt8(ascii: "}"), UInt8(ascii: "("), UInt8(ascii: ")"):
                words = 0
            default: break
            }
        }

        private mutating func take(word: [UInt8]) {
            words += 1
            if words > 20_000 { excess = "20,000 words on one line without a comma" }
            if word.elementsEqual("#if".utf8) {
                conditions += 1
                if conditions > 1_000 { excess = "#if nested 1,000 deep" }
            } else if word.elementsEqual("#endif".utf8) {
                conditions = max(0, conditions - 1)
            } else if word.elementsEqual("else".utf8) {
                elses += 1
                if elses > 50_000 { excess = "50,000 times else" }
            }
        }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { self | 0x20 >= 97 && self | 0x20 <= 122 }
}
