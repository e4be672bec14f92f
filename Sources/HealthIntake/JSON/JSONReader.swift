/// A pull parser of JSON (RFC 8259) over a body that needn't fit into memory.
///
/// The caller walks through the outer objects and arrays, and reads each record as a ``JSONValue``:
///
/// ```swift
/// var reader = JSONReader(body)
/// try reader.readObject { name, reader in
///     if name == "records" {
///         try reader.readArray { reader in handle(try reader.readValue()) }
///     } else {
///         try reader.skipValue()
///     }
/// }
/// ```
package struct JSONReader {
    /// The maximum nesting of arrays and objects.
    package static let maximumDepth = 64
    /// The maximum size of one value that is read as a whole.
    static let maximumValueBytes = 16 << 20

    private static let chunkSize = 256 << 10

    private let body: IntakeBody
    private var chunk: [UInt8] = []
    /// The offset of the chunk's first byte in the body.
    private var chunkStart = 0
    /// The place of the next byte in the chunk.
    private var place = 0
    private var depth = 0
    /// The offset at which the value being read must end.
    private var valueLimit = Int.max
    private var repeatedObjects = RepeatedObjects()

    /// Creates a reader of a body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - offset: The offset of the first byte to read.
    package init(_ body: IntakeBody, at offset: Int = 0) {
        self.body = body
        chunkStart = offset
    }

    /// The offset of the next byte in the body.
    var offset: Int { chunkStart + place }

    /// Continues at another offset, which must be the start of a value at the current depth.
    mutating func seek(to offset: Int) {
        if offset >= chunkStart, offset <= chunkStart + chunk.count {
            place = offset - chunkStart
        } else {
            (chunk, chunkStart, place) = ([], offset, 0)
        }
    }

    // MARK: - Structure

    /// Calls `member` for each member of an object. It must read or skip the member's value.
    mutating func readObject(
        _ member: (_ name: String, _ reader: inout JSONReader) throws -> Void
    ) throws {
        try open(UInt8(ascii: "{"))
        if try closes(with: UInt8(ascii: "}")) { return }
        repeat {
            let name = try readName()
            try member(name, &self)
        } while try continues(UInt8(ascii: "}"))
    }

    /// Calls `element` for each element of an array. It must read or skip the element.
    mutating func readArray(_ element: (_ reader: inout JSONReader) throws -> Void) throws {
        try open(UInt8(ascii: "["))
        if try closes(with: UInt8(ascii: "]")) { return }
        repeat { try element(&self) } while try continues(UInt8(ascii: "]"))
    }

    /// The kinds of values, as their first byte shows them.
    enum Kind { case object, array, string, other }

    /// Returns the kind of the next value without reading it.
    mutating func nextKind() throws -> Kind {
        switch try peekToken() {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        default: .other
        }
    }

    /// Throws unless only white space follows.
    package mutating func requireEnd() throws {
        skipSpace: while let byte = try peek() {
            guard JSONReader.isSpace(byte) else { break skipSpace }
            place += 1
        }
        if try peek() != nil { throw IntakeError.notJSON(offset: offset) }
    }

    /// Returns whether only white space follows.
    mutating func isAtEnd() throws -> Bool {
        while let byte = try peek() {
            guard JSONReader.isSpace(byte) else { return false }
            place += 1
        }
        return true
    }

    // MARK: - Values

    /// Reads one value as a whole.
    ///
    /// - Throws: ``IntakeError/recordTooLong(offset:)`` for one of more than
    ///   ``maximumValueBytes``.
    package mutating func readValue() throws -> JSONValue {
        let isOutermost = valueLimit == .max
        if isOutermost { valueLimit = offset + JSONReader.maximumValueBytes }
        defer { if isOutermost { valueLimit = .max } }
        return try value()
    }

    /// Reads a value within another one. Records repeat their source, so that an object that was read
    /// before isn't parsed again.
    private mutating func innerValue() throws -> JSONValue {
        guard try peekToken() == UInt8(ascii: "{") else { return try value() }
        try checkLimit()
        if let (known, count) = repeatedObjects.find(in: chunk, at: place, depth) {
            place += count
            return known
        }
        let (start, startOfChunk) = (place, chunkStart)
        let object = try value()
        if chunkStart == startOfChunk {
            repeatedObjects.add(object, chunk[start..<place], depth)
        }
        return object
    }

    private func checkLimit() throws {
        if offset > valueLimit {
            throw IntakeError.recordTooLong(offset: valueLimit - JSONReader.maximumValueBytes)
        }
    }

    private mutating func value() throws -> JSONValue {
        let byte = try peekToken()
        try checkLimit()
        switch byte {
        case UInt8(ascii: "{"):
            var members: [JSONValue.Member] = []
            try readObject { name, reader in
                members.append(.init(name: name, value: try reader.innerValue()))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try readArray { reader in elements.append(try reader.innerValue()) }
            return .array(elements)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"):
            try expect("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try expect("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try expect("null")
            return .null
        default: return .number(try number())
        }
    }

    /// Skips one value of any size.
    mutating func skipValue() throws {
        switch try peekToken() {
        case UInt8(ascii: "{"): try skipObject()
        case UInt8(ascii: "["): try readArray { reader in try reader.skipValue() }
        case UInt8(ascii: "\""): try skipString()
        default: _ = try value()
        }
    }

    /// As ``readObject(_:)``, without the names.
    private mutating func skipObject() throws {
        try open(UInt8(ascii: "{"))
        if try closes(with: UInt8(ascii: "}")) { return }
        repeat {
            guard try peekToken() == UInt8(ascii: "\"") else {
                throw IntakeError.notJSON(offset: offset)
            }
            try skipString()
            guard try peekToken() == UInt8(ascii: ":") else {
                throw IntakeError.notJSON(offset: offset)
            }
            place += 1
            try skipValue()
        } while try continues(UInt8(ascii: "}"))
    }

    // MARK: - Tokens

    private mutating func open(_ bracket: UInt8) throws {
        guard try peekToken() == bracket else { throw IntakeError.notJSON(offset: offset) }
        place += 1
        depth += 1
        if depth > JSONReader.maximumDepth { throw IntakeError.tooDeep(offset: offset) }
    }

    private mutating func closes(with bracket: UInt8) throws -> Bool {
        guard try peekToken() == bracket else { return false }
        place += 1
        depth -= 1
        return true
    }

    /// Reads a comma and returns true, or the closing bracket and returns false.
    private mutating func continues(_ bracket: UInt8) throws -> Bool {
        if try closes(with: bracket) { return false }
        guard try peekToken() == UInt8(ascii: ",") else {
            throw IntakeError.notJSON(offset: offset)
        }
        place += 1
        return true
    }

    private mutating func readName() throws -> String {
        guard try peekToken() == UInt8(ascii: "\"") else {
            throw IntakeError.notJSON(offset: offset)
        }
        let name = try string()
        guard try peekToken() == UInt8(ascii: ":") else {
            throw IntakeError.notJSON(offset: offset)
        }
        place += 1
        return name
    }

    private mutating func expect(_ word: StaticString) throws {
        for index in 0..<word.utf8CodeUnitCount {
            guard try peek() == word.utf8Start[index] else {
                throw IntakeError.notJSON(offset: offset)
            }
            place += 1
        }
    }

    private mutating func number() throws -> Double {
        if let plain = plainNumber() { return plain }
        let start = offset
        var text: [UInt8] = []
        while let byte = try peek(), JSONReader.isNumeric(byte) {
            text.append(byte)
            place += 1
            if text.count > 1_000 { throw IntakeError.notJSON(offset: start) }
        }
        guard JSONReader.isNumber(text) else { throw IntakeError.notJSON(offset: start) }
        // An integer of up to 15 digits is exact, and faster than the general parser.
        if text.count <= 15, let whole = JSONReader.whole(text) { return Double(whole) }
        return Double(String(decoding: text, as: UTF8.self)) ?? .infinity
    }

    /// Reads a number of up to 15 digits without an exponent; nil for others, and near the end of
    /// the chunk. The digits are exact in a double, and so is the power of ten, so that the quotient
    /// is rounded once.
    private mutating func plainNumber() -> Double? {
        chunk.withUnsafeBufferPointer { chunk -> (value: Double, end: Int)? in
            var at = place
            let isNegative = at < chunk.count && chunk[at] == UInt8(ascii: "-")
            if isNegative { at += 1 }
            let first = at
            var (digits, value, decimals) = (0, 0, 0)
            var point: Int?
            scan: while at < chunk.count {
                switch chunk[at] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"):
                    digits += 1
                    guard digits <= 15 else { return nil }
                    value = value * 10 + Int(chunk[at] - UInt8(ascii: "0"))
                    if point != nil { decimals += 1 }
                case UInt8(ascii: ".") where point == nil && at > first: point = at
                case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): break scan
                default: return nil
                }
                at += 1
            }
            let hasLeadingZero =
                at > first + 1 && chunk[first] == UInt8(ascii: "0")
                && chunk[first + 1] != UInt8(ascii: ".")
            guard at < chunk.count, at > first, !hasLeadingZero, point == nil || decimals > 0 else {
                return nil
            }
            let magnitude = Double(value) / JSONReader.powersOfTen[decimals]
            return (isNegative ? -magnitude : magnitude, at)
        }.map { found in
            place = found.end
            return found.value
        }
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    /// Reads an ASCII string that ends in the chunk and has no escapes; nil for others.
    private mutating func plainString() -> String? {
        let start = place + 1
        let text = chunk.withUnsafeBufferPointer { chunk -> String? in
            var end = start
            while end < chunk.count, JSONReader.isPlain(chunk[end]) { end += 1 }
            guard end < chunk.count, chunk[end] == UInt8(ascii: "\""),
                end - start <= JSONReader.maximumValueBytes
            else { return nil }
            let bytes = UnsafeBufferPointer(rebasing: chunk[start..<end])
            return String(decoding: bytes, as: UTF8.self)
        }
        guard let text else { return nil }
        place = start + text.utf8.count + 1
        return text
    }

    /// Returns whether a byte of a string is ASCII and stands for itself.
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x80 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func string() throws -> String {
        if let plain = plainString() { return plain }
        let start = offset
        place += 1
        var bytes: [UInt8] = []
        while true {
            try takePlainBytes(into: &bytes)
            guard let byte = try peek() else { throw IntakeError.notJSON(offset: offset) }
            place += 1
            if byte == UInt8(ascii: "\"") { break }
            guard byte == UInt8(ascii: "\\") else { throw IntakeError.notJSON(offset: offset - 1) }
            try appendEscape(to: &bytes)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw IntakeError.notUTF8(offset: start)
        }
        return text
    }

    /// Appends the bytes of a string up to its end, an escape or a control character.
    private mutating func takePlainBytes(into bytes: inout [UInt8]) throws {
        repeat {
            var end = place
            chunk.withUnsafeBufferPointer { chunk in
                while end < chunk.count, chunk[end] >= 0x20, chunk[end] != UInt8(ascii: "\""),
                    chunk[end] != UInt8(ascii: "\\")
                { end += 1 }
            }
            bytes.append(contentsOf: chunk[place..<end])
            place = end
            if bytes.count > JSONReader.maximumValueBytes {
                throw IntakeError.recordTooLong(offset: offset - bytes.count)
            }
        } while try place == chunk.count && fill()
    }

    private mutating func skipString() throws {
        place += 1
        chunk.withUnsafeBufferPointer { chunk in
            while place < chunk.count, JSONReader.isPlain(chunk[place]) { place += 1 }
        }
        while let byte = try peek() {
            place += 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\") {
                guard try peek() != nil else { break }
                place += 1
            } else if byte < 0x20 {
                throw IntakeError.notJSON(offset: offset - 1)
            }
        }
        throw IntakeError.notJSON(offset: offset)
    }

    private mutating func appendEscape(to bytes: inout [UInt8]) throws {
        guard let byte = try peek() else { throw IntakeError.notJSON(offset: offset) }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"): bytes.append(contentsOf: Array(String(try escapedScalar()).utf8))
        default: throw IntakeError.notJSON(offset: offset - 1)
        }
    }

    /// Reads the digits of "\u" and, for a high surrogate, the low one. A lone surrogate becomes
    /// U+FFFD.
    private mutating func escapedScalar() throws -> Unicode.Scalar {
        let unit = try hexadecimal()
        guard unit & 0xFC00 == 0xD800 else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
        let back = offset
        guard try peek() == UInt8(ascii: "\\") else { return "\u{FFFD}" }
        place += 1
        guard try peek() == UInt8(ascii: "u") else {
            seek(to: back)
            return "\u{FFFD}"
        }
        place += 1
        let low = try hexadecimal()
        guard low & 0xFC00 == 0xDC00 else {
            seek(to: back)
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + low & 0x3FF) ?? "\u{FFFD}"
    }

    private mutating func hexadecimal() throws -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = try peek(),
                let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80
            else { throw IntakeError.notJSON(offset: offset) }
            value = value << 4 | UInt32(digit)
            place += 1
        }
        return value
    }

    // MARK: - Bytes

    /// Returns the next byte that is no white space.
    private mutating func peekToken() throws -> UInt8 {
        while let byte = try peek() {
            guard JSONReader.isSpace(byte) else { return byte }
            place += 1
        }
        throw IntakeError.notJSON(offset: offset)
    }

    private mutating func peek() throws -> UInt8? {
        if place < chunk.count { return chunk[place] }
        return try fill() ? chunk[place] : nil
    }

    /// Reads the next chunk. Returns false at the end of the body.
    private mutating func fill() throws -> Bool {
        let next = chunkStart + chunk.count
        let bytes = try body.bytes(at: next, limit: JSONReader.chunkSize)
        if bytes.isEmpty { return false }
        (chunk, chunkStart, place) = (bytes, next, 0)
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"),
            UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns whether a text is a number of JSON: no leading zeros, no "+", digits beside a point.
    private static func isNumber(_ text: [UInt8]) -> Bool {
        var rest = text[...]
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = rest.prefix(while: isDigit)
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else {
            return false
        }
        rest = rest.dropFirst(whole.count)
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(while: isDigit)
            guard !digits.isEmpty else { return false }
            rest = rest.dropFirst(1 + digits.count)
        }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") {
                rest = rest.dropFirst()
            }
            let digits = rest.prefix(while: isDigit)
            guard !digits.isEmpty else { return false }
            rest = rest.dropFirst(digits.count)
        }
        return rest.isEmpty
    }

    /// Returns the finite number of a text in decimal digits; nil for other texts, such as "0x10",
    /// "nan" and " 1", which `Double` or other parsers read.
    static func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy(isNumeric), let number = Double(text), number.isFinite else {
            return nil
        }
        return number
    }

    /// Returns the value of digits with an optional minus; nil for other texts.
    private static func whole(_ text: [UInt8]) -> Int? {
        var value = 0
        for byte in text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...] {
            guard isDigit(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return text.first == UInt8(ascii: "-") ? (value == 0 ? nil : -value) : value
    }
}
