#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Decodes the raw bytes of a value, text or name by the rules of XML 1.0, with repairs for invalid
/// input.
enum TextRepair {
    enum Rule {
        /// References are resolved; a tab, line feed, carriage return or CRLF pair becomes a space
        /// (XML 1.0, 3.3.3).
        case attribute
        /// References are resolved; line ends become line feeds (XML 1.0, 2.11).
        case characterData
        /// For CDATA sections and names: references are not resolved; line ends become line feeds.
        case verbatim
    }

    /// The maximum number of output bytes per input byte: U+FFFD replaces one invalid byte.
    static let maximumGrowth = 3

    /// Decodes `bytes` to `output`, which has room for ``maximumGrowth`` times their count. With a
    /// nil `output` it only counts bytes and repairs.
    ///
    /// Forbidden characters are removed and invalid UTF-8 is replaced by U+FFFD with every rule.
    /// Returns the number of decoded bytes, and whether they differ from the raw ones.
    ///
    /// - Complexity: O(*n*) in the number of bytes.
    static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ rule: Rule, to output: UnsafeMutablePointer<UInt8>?,
        counting repairs: inout [Repair: Int]
    ) -> (count: Int, isChanged: Bool) {
        var index = 0
        var text = Output(destination: output)
        while index < bytes.count {
            let plain = ByteWord.plainCount(in: bytes, from: index)
            if plain > 0 {
                if let start = bytes.baseAddress { text.put(start + index, count: plain) }
                index += plain
                continue
            }
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "&") where rule != .verbatim:
                index += resolve(Reference(in: bytes, at: index), to: &text, counting: &repairs)
                continue
            case UInt8(ascii: "<") where rule == .attribute:
                repairs[.unescapedLessThan, default: 0] += 1
                text.put(byte)
            case 0x20..<0x80: text.put(byte)
            case 0x0D:
                text.isChanged = true
                // Of a CRLF pair, only the line feed is written.
                if index + 1 < bytes.count, bytes[index + 1] == 0x0A { break }
                text.put(rule == .attribute ? 0x20 : 0x0A)
            case 0x09, 0x0A:
                text.isChanged = text.isChanged || rule == .attribute
                text.put(rule == .attribute ? 0x20 : byte)
            case 0..<0x20:
                text.isChanged = true
                repairs[.controlCharacter, default: 0] += 1
            default:
                index += copySequence(in: bytes, at: index, to: &text, counting: &repairs)
                continue
            }
            index += 1
        }
        return (text.count, text.isChanged)
    }

    /// The output, which may be discarded, and its length.
    private struct Output {
        let destination: UnsafeMutablePointer<UInt8>?
        var count = 0
        /// Whether the output differs from the raw bytes.
        var isChanged = false

        @inline(__always)
        mutating func put(_ byte: UInt8) {
            destination?[count] = byte
            count += 1
        }

        @inline(__always)
        mutating func put(_ bytes: UnsafePointer<UInt8>, count added: Int) {
            if let destination { (destination + count).update(from: bytes, count: added) }
            count += added
        }
    }

    /// Writes the character of a reference, nothing if XML forbids that character, or `&` if there
    /// is no reference. Returns the number of bytes read.
    private static func resolve(
        _ reference: Reference, to text: inout Output, counting repairs: inout [Repair: Int]
    ) -> Int {
        switch reference.meaning {
        case .scalar(let scalar):
            for unit in scalar.utf8 { text.put(unit) }
        case .forbidden: repairs[.controlCharacter, default: 0] += 1
        case .none:
            repairs[.unknownReference, default: 0] += 1
            text.put(UInt8(ascii: "&"))
            return 1
        }
        text.isChanged = true
        return reference.length
    }

    /// Writes a non-ASCII character, U+FFFD for invalid bytes, or nothing for U+FFFE and U+FFFF.
    /// Returns the number of bytes read.
    private static func copySequence(
        in bytes: UnsafeBufferPointer<UInt8>, at index: Int, to text: inout Output,
        counting repairs: inout [Repair: Int]
    ) -> Int {
        let (length, isValid) = sequence(in: bytes, at: index)
        if !isValid {
            text.isChanged = true
            repairs[.invalidUTF8, default: 0] += 1
            for byte in "\u{FFFD}".utf8 { text.put(byte) }
        } else if length == 3, bytes[index] == 0xEF, bytes[index + 1] == 0xBF,
            bytes[index + 2] >= 0xBE
        {
            text.isChanged = true
            repairs[.controlCharacter, default: 0] += 1  // U+FFFE, U+FFFF
        } else {
            for offset in 0..<length { text.put(bytes[index + offset]) }
        }
        return length
    }

    /// Returns the length of the UTF-8 sequence at `index`; if invalid, that of the maximal subpart
    /// that U+FFFD replaces (Unicode 15, 3.9, like `String(decoding:)`).
    static func sequence(
        in bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (length: Int, isValid: Bool) {
        let first = bytes[index]
        let length: Int
        var range: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, range) = (3, 0xA0...0xBF)
        case 0xED: (length, range) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, range) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, range) = (4, 0x80...0x8F)
        default: return (1, false)
        }
        for offset in 1..<length {
            guard index + offset < bytes.count, range.contains(bytes[index + offset]) else {
                return (offset, false)
            }
            range = 0x80...0xBF
        }
        return (length, true)
    }

    /// Returns the decoded text of raw bytes, without counting repairs.
    static func string(_ bytes: UnsafeBufferPointer<UInt8>, _ rule: Rule) -> String {
        String(unsafeUninitializedCapacity: bytes.count * maximumGrowth) { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            var repairs: [Repair: Int] = [:]
            return decode(bytes, rule, to: start, counting: &repairs).count
        }
    }
}

/// The reference that an `&` may begin.
private struct Reference {
    enum Meaning: Equatable {
        case scalar(Unicode.Scalar)
        /// A Unicode scalar value that XML does not allow.
        case forbidden
        case none
    }

    var meaning = Meaning.none
    var length = 1

    init(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
        var semicolon = index + 1
        // Stop at the next `&`, so that a text with many of them is decoded in linear time.
        while semicolon < bytes.count, bytes[semicolon] != UInt8(ascii: ";") {
            if bytes[semicolon] == UInt8(ascii: "&") { return }
            semicolon += 1
        }
        guard semicolon < bytes.count else { return }
        let body = UnsafeBufferPointer(rebasing: bytes[index + 1..<semicolon])
        guard let first = body.first else { return }
        meaning =
            first == UInt8(ascii: "#")
            ? Reference.numeric(UnsafeBufferPointer(rebasing: body[1...]))
            : Reference.named(body)
        if meaning != .none { length = semicolon + 1 - index }
    }

    private static func named(_ name: UnsafeBufferPointer<UInt8>) -> Meaning {
        if name.equals("lt") { return .scalar("<") }
        if name.equals("gt") { return .scalar(">") }
        if name.equals("amp") { return .scalar("&") }
        if name.equals("quot") { return .scalar("\"") }
        if name.equals("apos") { return .scalar("'") }
        return .none
    }

    private static func numeric(_ digits: UnsafeBufferPointer<UInt8>) -> Meaning {
        let isHexadecimal = digits.first == UInt8(ascii: "x")
        let digits = isHexadecimal ? UnsafeBufferPointer(rebasing: digits[1...]) : digits
        guard !digits.isEmpty else { return .none }
        var value: UInt32 = 0
        for digit in digits {
            let number: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f") where isHexadecimal: number = digit - 87
            case UInt8(ascii: "A")...UInt8(ascii: "F") where isHexadecimal: number = digit - 55
            default: return .none
            }
            value = min(value, 0x11_0000) * (isHexadecimal ? 16 : 10) + UInt32(number)
        }
        guard let scalar = Unicode.Scalar(value) else { return .none }
        switch value {
        case 9, 10, 13: return .scalar(scalar)
        case 0..<0x20, 0xFFFE, 0xFFFF: return .forbidden
        default: return .scalar(scalar)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns whether the bytes equal the UTF-8 of `text`.
    ///
    /// - Parameter text: the text to compare with.
    /// - Returns: true if length and bytes are equal.
    /// - Complexity: O(*n*) in the length.
    @inline(__always)
    package func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let start = baseAddress else {
            return count == text.utf8CodeUnitCount
        }
        return memcmp(start, text.utf8Start, count) == 0
    }
}
