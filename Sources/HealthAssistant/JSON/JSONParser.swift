/// A parser of one JSON text (RFC 8259) in memory, with limits on its depth and number of values.
///
/// HealthIntake's reader doesn't fit: it is for large bodies, and lenient. Here the id of a request
/// must come back exactly, and null isn't the same as a missing member.
///
/// ```swift
/// try JSONParser.value(of: Array(#"{"day":"today"}"#.utf8))["day"]?.string   // "today"
/// ```
package struct JSONParser {
    /// The maximum nesting of arrays and objects.
    package static let maximumDepth = 64
    /// The maximum number of values in a text. A value takes more memory than its text.
    package static let maximumValues = 200_000

    /// Why a text was rejected.
    package enum Failure: Error, Hashable {
        /// The text isn't JSON in UTF-8.
        case malformed
        /// The text exceeds a limit.
        case tooComplex
    }

    private let bytes: [UInt8]
    private var place = 0
    private var depth = 0
    private var values = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Parses a text.
    ///
    /// - Parameter bytes: The text in UTF-8, without a byte order mark.
    /// - Throws: ``Failure``.
    /// - Complexity: O(*n*).
    package static func value(of bytes: [UInt8]) throws(Failure) -> JSONValue {
        var parser = JSONParser(bytes)
        let value = try parser.value()
        parser.skipSpace()
        guard parser.place == bytes.count else { throw .malformed }
        return value
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            place += 1
        }
    }

    private mutating func takes(_ byte: Character) -> Bool {
        skipSpace()
        guard let wanted = byte.asciiValue, next == wanted else { return false }
        place += 1
        return true
    }

    private mutating func value() throws(Failure) -> JSONValue {
        skipSpace()
        values += 1
        guard values <= JSONParser.maximumValues else { throw .tooComplex }
        guard let byte = next else { throw .malformed }
        switch byte {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func enter() throws(Failure) {
        place += 1
        depth += 1
        if depth > JSONParser.maximumDepth { throw .tooComplex }
    }

    private mutating func object() throws(Failure) -> JSONValue {
        try enter()
        defer { depth -= 1 }
        var members: [String: JSONValue] = [:]
        if takes("}") { return .object(members) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw .malformed }
            let name = try string()
            guard takes(":") else { throw .malformed }
            members[name] = try value()
        } while takes(",")
        guard takes("}") else { throw .malformed }
        return .object(members)
    }

    private mutating func array() throws(Failure) -> JSONValue {
        try enter()
        defer { depth -= 1 }
        var elements: [JSONValue] = []
        if takes("]") { return .array(elements) }
        repeat { elements.append(try value()) } while takes(",")
        guard takes("]") else { throw .malformed }
        return .array(elements)
    }

    private mutating func word(
        _ word: StaticString, _ value: JSONValue
    ) throws(Failure) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard next == word.utf8Start[index] else { throw .malformed }
            place += 1
        }
        return value
    }

    // MARK: - Numbers

    private mutating func number() throws(Failure) -> JSONValue {
        let start = place
        if next == UInt8(ascii: "-") { place += 1 }
        let first = place
        let digits = skipDigits()
        guard digits > 0, digits == 1 || bytes[first] != UInt8(ascii: "0") else {
            throw .malformed
        }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            isWhole = false
            place += 1
            guard skipDigits() > 0 else { throw .malformed }
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            place += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
            guard skipDigits() > 0 else { throw .malformed }
        }
        guard place - start <= 1_000 else { throw .tooComplex }
        let text = String(decoding: bytes[start..<place], as: UTF8.self)
        if isWhole, let integer = Int(text) { return .integer(integer) }
        return .number(Double(text) ?? .infinity)
    }

    private mutating func skipDigits() -> Int {
        let start = place
        while let byte = next, byte >= 0x30, byte <= 0x39 { place += 1 }
        return place - start
    }

    // MARK: - Strings

    private mutating func string() throws(Failure) -> String {
        place += 1
        var text: [UInt8] = []
        while true {
            let start = place
            while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""),
                byte != UInt8(ascii: "\\")
            { place += 1 }
            text.append(contentsOf: bytes[start..<place])
            guard let byte = next else { throw .malformed }
            place += 1
            if byte == UInt8(ascii: "\"") { break }
            guard byte == UInt8(ascii: "\\") else { throw .malformed }
            try appendEscape(to: &text)
        }
        guard let string = String(validating: text, as: UTF8.self) else { throw .malformed }
        return string
    }

    private mutating func appendEscape(to text: inout [UInt8]) throws(Failure) {
        guard let byte = next else { throw .malformed }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: Array(String(try scalar()).utf8))
        default: throw .malformed
        }
    }

    /// Reads the digits of "\u" and, for a high surrogate, the low one. A lone surrogate becomes
    /// U+FFFD.
    private mutating func scalar() throws(Failure) -> Unicode.Scalar {
        let unit = try hexadecimal()
        guard unit & 0xFC00 == 0xD800 else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
        guard bytes[place...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
            return "\u{FFFD}"
        }
        let back = place
        place += 2
        let low = try hexadecimal()
        guard low & 0xFC00 == 0xDC00 else {
            place = back
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        guard bytes.count - place >= 4,
            bytes[place..<(place + 4)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt32(
                String(decoding: bytes[place..<(place + 4)], as: UTF8.self), radix: 16)
        else { throw .malformed }
        place += 4
        return unit
    }
}
