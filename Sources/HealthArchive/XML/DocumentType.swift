/// A parser of the document type for what a scanner needs: its end, forbidden declarations and the
/// export's version.
///
/// ```
/// <!DOCTYPE HealthData [
/// <!-- HealthKit Export Version: 14 -->
/// <!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout)*)>
/// <!ATTLIST HealthData locale CDATA #REQUIRED>
/// ]>
/// ```
/// Accepts element and attribute declarations, comments and processing instructions. Known exports
/// contain no other declaration (ExportFormat §3.10), so any other is rejected. Malformed markup
/// that declares nothing, as in iOS 16.0 (ExportFormat §3.1), is accepted.
struct DocumentType {
    /// The index after the closing `>`; nil if parsing ended before it, because the bytes end or
    /// because of ``refused``.
    private(set) var end: Int?
    /// What a forbidden declaration declares, in fixed words such as "ENTITY"; nil if none was
    /// found.
    private(set) var refused: String?
    /// Whether malformed markup was found. Not every breach of the grammar is noticed.
    private(set) var isMalformed = false
    /// Whether a declaration contains a quoted literal, which is an attribute's default value.
    private(set) var hasDefaults = false
    /// The number N in the first comment `HealthKit Export Version: N`; nil if there is none.
    private(set) var exportVersion: Int?

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 9
    private var isInDeclaration = false

    /// Parses `bytes`, which begin with `<!DOCTYPE`.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        readHead()
    }

    /// Looks only for the first `]>` that is followed by `<`, with white space allowed in between.
    /// An entity or notation declaration before it is refused. Used if parsing finds no end, for
    /// example after an unclosed comment.
    init(unlexed bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        isMalformed = true
        while index < bytes.count, end == nil {
            switch bytes[index] {
            case UInt8(ascii: "<"):
                if starts(with: "<!ENTITY") { refused = "ENTITY" }
                if starts(with: "<!NOTATION") { refused = "NOTATION" }
            case UInt8(ascii: "]"):
                readEnd()
                if let end, bytes[end...].first(where: { !Self.isSpace($0) }) != UInt8(ascii: "<") {
                    self.end = nil
                }
            default: break
            }
            index += 1
        }
        // Without an end the file is truncated, and a keyword that was found may be part of a
        // comment.
        if end == nil { refused = nil }
    }

    private func starts(with text: String) -> Bool {
        let text = text.utf8
        guard index + text.count <= bytes.count else { return false }
        return zip(bytes[index...], text).allSatisfy { $0 == $1 }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    /// Reads from after `<!DOCTYPE` to the closing `>`, including the internal subset in brackets.
    private mutating func readHead() {
        var word: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: ">") || Self.isSpace(byte) {
                if word == Array("SYSTEM".utf8) || word == Array("PUBLIC".utf8) {
                    refused = String(decoding: word, as: UTF8.self)
                    return
                }
                word = []
            } else if word.count < 16 {
                word.append(byte)
            }
            index += 1
            if byte == UInt8(ascii: ">") { end = index }
            if byte == UInt8(ascii: "[") { readSubset() }
            if end != nil || refused != nil { return }
        }
    }

    /// Reads the internal subset, from after `[` to after `]>`.
    private mutating func readSubset() {
        while index < bytes.count, end == nil, refused == nil {
            switch bytes[index] {
            case UInt8(ascii: "<"): readMarkup()
            case UInt8(ascii: ">"):
                isMalformed = isMalformed || !isInDeclaration
                isInDeclaration = false
                index += 1
            case UInt8(ascii: "]"):
                readEnd()
                isMalformed = isMalformed || isInDeclaration || end == nil
                index += 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"): readQuoted()
            case UInt8(ascii: "%"): refused = "a parameter entity"
            case let byte:
                isMalformed = isMalformed || !isInDeclaration && !Self.isSpace(byte)
                index += 1
            }
        }
    }

    /// Reads a `]`, which ends the document type if `>` follows, with white space allowed in
    /// between.
    private mutating func readEnd() {
        var next = index + 1
        while next < bytes.count, Self.isSpace(bytes[next]) { next += 1 }
        if next < bytes.count, bytes[next] == UInt8(ascii: ">") { end = next + 1 }
        if next == bytes.count { index = next }
    }

    /// Reads markup in the subset, at `<`.
    private mutating func readMarkup() {
        if starts(with: "<!--") {
            readComment()
        } else if starts(with: "<?") {
            index = position(of: "?>", from: index + 2).map { $0 + 2 } ?? bytes.count
        } else if starts(with: "<!ELEMENT") || starts(with: "<!ATTLIST") {
            isMalformed = isMalformed || isInDeclaration
            isInDeclaration = true
            index += 9
        } else if bytes.count - index < 10 {
            index = bytes.count
        } else if starts(with: "<!") {
            // A fixed text: the actual bytes may be anything, including personal data.
            refused = "an unknown construct"
            if starts(with: "<!ENTITY") { refused = "ENTITY" }
            if starts(with: "<!NOTATION") { refused = "NOTATION" }
        } else {
            isMalformed = true
            index += 1
        }
    }

    private mutating func readComment() {
        guard let close = position(of: "-->", from: index + 4) else {
            index = bytes.count
            return
        }
        let comment = String(
            decoding: UnsafeBufferPointer(rebasing: bytes[index + 4..<close]), as: UTF8.self)
        let words = comment.split(whereSeparator: \.isWhitespace)
        if words.count == 4, words[0...2] == ["HealthKit", "Export", "Version:"] {
            exportVersion = exportVersion ?? Int(words[3])
        }
        index = close + 3
    }

    /// Reads a quoted literal. A quote outside a declaration is malformed, and so is one with a `<`
    /// before its closing quote; then only the quote itself is skipped.
    private mutating func readQuoted() {
        let quote = bytes[index]
        var next = index + 1
        while next < bytes.count, bytes[next] != quote, bytes[next] != UInt8(ascii: "<") {
            next += 1
        }
        if next < bytes.count, bytes[next] == quote, isInDeclaration {
            hasDefaults = true
            index = next + 1
        } else if next == bytes.count {
            index = next
        } else {
            isMalformed = true
            index += 1
        }
    }

    private func position(of text: String, from start: Int) -> Int? {
        let pattern = Array(text.utf8)
        var place = start
        while place + pattern.count <= bytes.count {
            if bytes[place] == pattern[0], zip(bytes[place...], pattern).allSatisfy(==) {
                return place
            }
            place += 1
        }
        return nil
    }
}
