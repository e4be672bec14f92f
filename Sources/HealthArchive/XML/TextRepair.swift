#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Turns the raw bytes of a value, a text or a name into the text they stand for, by XML 1.0's
/// rules where they hold and by repair where they don't.
enum TextRepair {
    enum Rule {
        /// References are resolved; tab, line feed, carriage return become spaces (XML 1.0, 3.3.3).
        case attribute
        /// References are resolved; line ends become line feeds (XML 1.0, 2.11).
        case characterData
        /// As in CDATA sections and names: line ends only.
        case verbatim
    }

    /// Decoding gives at most this many bytes for one: U+FFFD for a byte that is no UTF-8.
    static let largestGrowth = 3

    /// Writes the text to `output`, which has room for ``largestGrowth`` times the bytes, or
    /// nowhere, and counts what it repaired.
    ///
    /// Returns the bytes written (or that would be), and whether they differ from the raw ones.
    ///
    /// - Complexity: O(bytes).
    static func decode(
        _ bytes: UnsafeBufferPointer<UInt8>, _ rule: Rule, to output: UnsafeMutablePointer<UInt8>?,
        counting repairs: inout [Repair: Int]
    ) -> (count: Int, isChanged: Bool) {
        var index = 0
        var written = 0
        var isChanged = false
        func put(_ byte: UInt8) {
            output?[written] = byte
            written += 1
        }
        while index < bytes.count {
            let plain = ByteWord.plainCount(in: bytes, from: index)
            if plain > 0 {
                if let output, let start = bytes.baseAddress {
                    (output + written).update(from: start + index, count: plain)
                }
                written += plain
                index += plain
                continue
            }
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "&") where rule != .verbatim:
                let reference = Reference(in: bytes, at: index)
                switch reference.meaning {
                case .scalar(let scalar):
                    for unit in scalar.utf8 { put(unit) }
                case .forbidden: repairs[.controlCharacter, default: 0] += 1
                case .none: repairs[.unknownReference, default: 0] += 1
                }
                if reference.meaning == .none {
                    put(byte)
                    index += 1
                } else {
                    isChanged = true
                    index += reference.length
                }
                continue
            case UInt8(ascii: "<") where rule == .attribute:
                repairs[.unescapedLessThan, default: 0] += 1
                put(byte)
            case 0x20..<0x80: put(byte)
            case 0x0D:
                isChanged = true
                // The line feed of a pair stands for both.
                if index + 1 < bytes.count, bytes[index + 1] == 0x0A { break }
                put(rule == .attribute ? 0x20 : 0x0A)
            case 0x09, 0x0A:
                isChanged = isChanged || rule == .attribute
                put(rule == .attribute ? 0x20 : byte)
            case 0..<0x20:
                isChanged = true
                repairs[.controlCharacter, default: 0] += 1
            default:
                let (length, isValid) = sequence(in: bytes, at: index)
                if !isValid {
                    isChanged = true
                    repairs[.invalidUTF8, default: 0] += 1
                    put(0xEF)
                    put(0xBF)
                    put(0xBD)
                } else if length == 3, byte == 0xEF, bytes[index + 1] == 0xBF,
                    bytes[index + 2] >= 0xBE
                {
                    isChanged = true
                    repairs[.controlCharacter, default: 0] += 1  // U+FFFE, U+FFFF
                } else {
                    for offset in 0..<length { put(bytes[index + offset]) }
                }
                index += length
                continue
            }
            index += 1
        }
        return (written, isChanged)
    }

    /// The length of the UTF-8 sequence at `index`, or of the piece that U+FFFD replaces: the
    /// longest that could begin a sequence (Unicode 15, 3.9, as `String(decoding:)` does it).
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

    /// The text of raw bytes.
    static func string(_ bytes: UnsafeBufferPointer<UInt8>, _ rule: Rule) -> String {
        String(unsafeUninitializedCapacity: bytes.count * largestGrowth) { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            var repairs: [Repair: Int] = [:]
            return decode(bytes, rule, to: start, counting: &repairs).count
        }
    }
}

/// What an `&` begins.
private struct Reference {
    enum Meaning: Equatable {
        case scalar(Unicode.Scalar)
        /// A code point of Unicode that XML does not allow.
        case forbidden
        case none
    }

    var meaning = Meaning.none
    var length = 1

    init(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) {
        var semicolon = index + 1
        // Up to the next `&` only, so that a text of many is still read in one go.
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
    /// Whether the bytes are those of `text`.
    @inline(__always)
    public func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount, let start = baseAddress else {
            return count == text.utf8CodeUnitCount
        }
        return memcmp(start, text.utf8Start, count) == 0
    }
}
