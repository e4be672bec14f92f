/// A strict, non-validating pull parser for small XML documents in memory.
///
/// It accepts well-formed XML 1.0 with namespaces, without a document type. So there are no
/// entities other than the five predefined ones, and nothing can expand. Nesting is limited.
///
/// ```swift
/// var reader = XMLReader(Array("<a xmlns='u'><b/></a>".utf8))
/// try reader.next()   // .start(name "a" of "u")
/// ```
struct XMLReader {
    /// The name of an element with its namespace; empty for none.
    struct Name: Hashable {
        var namespace: String
        var local: String
    }

    enum Event {
        case start(Name)
        /// Text or the content of a CDATA section, with references resolved.
        case text(String)
        case end
    }

    private struct Element {
        var qualified: ArraySlice<UInt8>
        /// The namespaces in the scope of the element, by prefix; the default one by "".
        var namespaces: [String: String]
    }

    static let maximumDepth = 200
    private static let maximumNamespaces = 100
    private static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"

    let bytes: [UInt8]
    var offset = 0
    private var open: [Element] = []
    private var hasRoot = false
    /// An empty element's end, which is the next event.
    private var hasPendingEnd = false

    /// - Parameter bytes: The document in UTF-8.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the next event; nil at the end of a complete document.
    ///
    /// - Throws: ``XMLFault`` at the first position that is not well-formed.
    /// - Complexity: O(bytes of the event).
    mutating func next() throws(XMLFault) -> Event? {
        if hasPendingEnd {
            hasPendingEnd = false
            open.removeLast()
            return .end
        }
        while offset < bytes.count {
            if bytes[offset] != UInt8(ascii: "<") {
                let text = try characters()
                if !open.isEmpty { return .text(text) }
                guard text.unicodeScalars.allSatisfy(XMLReader.isSpace) else {
                    throw fault("text outside the root element")
                }
            } else if starts(with: "<!--") {
                try comment()
            } else if starts(with: "<![CDATA[") {
                return .text(try section())
            } else if starts(with: "<?") {
                try instruction()
            } else if starts(with: "<!") {
                throw fault("a document type or other declaration")
            } else if starts(with: "</") {
                try endTag()
                return .end
            } else {
                return .start(try startTag())
            }
        }
        guard hasRoot, open.isEmpty else { throw fault("the end of the data") }
        return nil
    }

    func fault(_ reason: String) -> XMLFault { XMLFault(reason: reason, offset: offset) }
}

/// The reason why data is not an acceptable XML document, without any of its text.
struct XMLFault: Error, CustomStringConvertible {
    var reason: String
    /// The position in the document as UTF-8, in bytes.
    var offset: Int

    var description: String { "Unexpected at byte \(offset): \(reason)." }
}

// MARK: - Tags

extension XMLReader {
    private mutating func startTag() throws(XMLFault) -> Name {
        guard !open.isEmpty || !hasRoot else { throw fault("a second root element") }
        guard open.count < XMLReader.maximumDepth else { throw fault("elements nested too deep") }
        hasRoot = true
        offset += 1
        let qualified = try name()
        var attributes: [(name: ArraySlice<UInt8>, value: String)] = []
        var isEmpty = false
        while true {
            let hasSpace = skipSpace()
            if starts(with: "/>") {
                isEmpty = true
                offset += 2
                break
            }
            if starts(with: ">") {
                offset += 1
                break
            }
            guard hasSpace else { throw fault("a malformed start tag") }
            let name = try name()
            attributes.append((name, try attributeValue()))
        }
        var namespaces = open.last?.namespaces ?? [:]
        for (prefix, namespace) in try declarations(attributes) { namespaces[prefix] = namespace }
        guard namespaces.count <= XMLReader.maximumNamespaces else {
            throw fault("too many namespaces")
        }
        open.append(Element(qualified: qualified, namespaces: namespaces))
        try checkAttributes(attributes)
        hasPendingEnd = isEmpty
        let (prefix, local) = try XMLReader.split(qualified, self)
        return Name(namespace: try namespace(prefix), local: local)
    }

    private mutating func endTag() throws(XMLFault) {
        let start = offset
        offset += 2
        let qualified = try name()
        skipSpace()
        guard starts(with: ">") else { throw fault("a malformed end tag") }
        guard let element = open.last, element.qualified.elementsEqual(qualified) else {
            offset = start
            throw fault("an end tag of another element")
        }
        offset += 1
        open.removeLast()
    }

    /// Reads `="value"`.
    private mutating func attributeValue() throws(XMLFault) -> String {
        skipSpace()
        guard starts(with: "=") else { throw fault("an attribute without a value") }
        offset += 1
        skipSpace()
        guard offset < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[offset])
        else { throw fault("an attribute without quotes") }
        let quote = bytes[offset]
        offset += 1
        let start = offset
        while offset < bytes.count, bytes[offset] != quote {
            if bytes[offset] == UInt8(ascii: "<") { throw fault("< in an attribute") }
            offset += 1
        }
        guard offset < bytes.count else { throw fault("the end of the data") }
        let value = try resolved(start..<offset)
        offset += 1
        return value
    }

    /// Returns the namespaces that attributes declare.
    private func declarations(
        _ attributes: [(name: ArraySlice<UInt8>, value: String)]
    ) throws(XMLFault) -> [String: String] {
        var declared: [String: String] = [:]
        for (name, value) in attributes {
            let (prefix, local) = try XMLReader.split(name, self)
            if prefix == "xmlns" {
                guard !value.isEmpty, local != "xmlns", local != "xml" || value == Self.xmlNamespace
                else { throw fault("an invalid namespace declaration") }
                declared[local] = value
            } else if prefix.isEmpty, local == "xmlns" {
                declared[""] = value
            }
        }
        return declared
    }

    /// Checks that no attribute occurs twice and that all prefixes are declared.
    private func checkAttributes(
        _ attributes: [(name: ArraySlice<UInt8>, value: String)]
    ) throws(XMLFault) {
        var seen: Set<Name> = []
        for (name, _) in attributes {
            let (prefix, local) = try XMLReader.split(name, self)
            let space = prefix.isEmpty ? "" : prefix == "xmlns" ? "xmlns" : try namespace(prefix)
            guard seen.insert(Name(namespace: space, local: local)).inserted else {
                throw fault("a repeated attribute")
            }
        }
    }

    private func namespace(_ prefix: String) throws(XMLFault) -> String {
        if prefix == "xml" { return XMLReader.xmlNamespace }
        if let found = open.last?.namespaces[prefix] { return found }
        guard prefix.isEmpty else { throw fault("an undeclared namespace prefix") }
        return ""
    }

    private static func split(
        _ qualified: ArraySlice<UInt8>, _ reader: XMLReader
    ) throws(XMLFault) -> (prefix: String, local: String) {
        let parts = qualified.split(
            separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        let texts = parts.map { String(decoding: $0, as: UTF8.self) }
        guard texts.count <= 2, texts.allSatisfy({ !$0.isEmpty }), let local = texts.last else {
            throw reader.fault("a name with several colons")
        }
        return (texts.count == 2 ? texts[0] : "", local)
    }
}

// MARK: - Text

extension XMLReader {
    /// Reads text up to the next `<`.
    private mutating func characters() throws(XMLFault) -> String {
        let start = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") {
            if starts(with: "]]>") { throw fault("]]> in text") }
            offset += 1
        }
        return try resolved(start..<offset)
    }

    private mutating func section() throws(XMLFault) -> String {
        guard !open.isEmpty else { throw fault("text outside the root element") }
        offset += "<![CDATA[".utf8.count
        let start = offset
        try skip(to: "]]>")
        let text = bytes[start..<(offset - 3)]
        try check(text)
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func comment() throws(XMLFault) {
        offset += 4
        let start = offset
        try skip(to: "--")
        guard starts(with: ">") else { throw fault("-- in a comment") }
        try check(bytes[start..<offset])
        offset += 1
    }

    private mutating func instruction() throws(XMLFault) {
        let start = offset
        offset += 2
        let target = try name()
        let isDeclaration = String(decoding: target, as: UTF8.self).lowercased() == "xml"
        guard !isDeclaration || start == 0 else { throw fault("a misplaced XML declaration") }
        try skip(to: "?>")
        try check(bytes[start..<offset])
    }

    /// Moves behind the next occurrence of a text.
    private mutating func skip(to end: StaticString) throws(XMLFault) {
        while offset < bytes.count {
            if starts(with: end) {
                offset += end.utf8CodeUnitCount
                return
            }
            offset += 1
        }
        throw fault("the end of the data")
    }

    /// Returns text with references resolved.
    private func resolved(_ range: Range<Int>) throws(XMLFault) -> String {
        let text = bytes[range]
        try check(text)
        guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
        var result: [UInt8] = []
        var place = range.lowerBound
        while place < range.upperBound {
            guard bytes[place] == UInt8(ascii: "&") else {
                result.append(bytes[place])
                place += 1
                continue
            }
            // The longest reference is "&#x10FFFF;"; leading zeros are not accepted beyond that.
            let window = bytes[place..<min(place + 12, range.upperBound)]
            guard let end = window.firstIndex(of: UInt8(ascii: ";")),
                let scalar = XMLReader.scalar(bytes[(place + 1)..<end])
            else { throw XMLFault(reason: "an unknown reference", offset: place) }
            result += Array(String(Character(scalar)).utf8)
            place = end + 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the character of a reference; nil for an unknown entity or a forbidden character.
    private static func scalar(_ reference: ArraySlice<UInt8>) -> Unicode.Scalar? {
        let text = String(decoding: reference, as: UTF8.self)
        switch text {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "apos": return "'"
        case "quot": return "\""
        default: break
        }
        guard text.hasPrefix("#") else { return nil }
        let isHexadecimal = text.hasPrefix("#x")
        let digits = text.dropFirst(isHexadecimal ? 2 : 1)
        guard digits.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }),
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(number), isAllowed(scalar)
        else { return nil }
        return scalar
    }

    /// Checks that all characters are allowed in XML.
    private func check(_ text: ArraySlice<UInt8>) throws(XMLFault) {
        for index in text.indices where bytes[index] < 32 || bytes[index] == 0xEF {
            let isSpace = [9, 10, 13].contains(bytes[index])
            let isNoncharacter =
                index + 2 < text.endIndex && bytes[index] == 0xEF && bytes[index + 1] == 0xBF
                && bytes[index + 2] >= 0xBE
            guard isSpace || (bytes[index] == 0xEF && !isNoncharacter) else {
                throw XMLFault(reason: "a character that XML forbids", offset: index)
            }
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 32 && scalar.value != 0xFFFE && scalar.value != 0xFFFF || isSpace(scalar)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        [" ", "\t", "\n", "\r"].contains(scalar)
    }
}

// MARK: - Bytes

extension XMLReader {
    private func starts(with text: StaticString) -> Bool {
        guard offset + text.utf8CodeUnitCount <= bytes.count else { return false }
        for index in 0..<text.utf8CodeUnitCount where bytes[offset + index] != text.utf8Start[index]
        {
            return false
        }
        return true
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = offset
        while offset < bytes.count, [9, 10, 13, 32].contains(bytes[offset]) { offset += 1 }
        return offset > start
    }

    /// Reads a name. All characters beyond ASCII are accepted.
    private mutating func name() throws(XMLFault) -> ArraySlice<UInt8> {
        let start = offset
        while offset < bytes.count, XMLReader.isName(bytes[offset]) { offset += 1 }
        guard offset > start, XMLReader.isNameStart(bytes[start]) else {
            throw fault("a malformed name")
        }
        return bytes[start..<offset]
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), UInt8(ascii: ":"), 128...:
            true
        default: false
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: isNameStart(byte)
        }
    }
}
