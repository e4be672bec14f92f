/// An XML element to be written. The text need not be valid XML.
struct ExportElement {
    var name: String
    var attributes: [(String, String)] = []
    var children: [ExportElement] = []
    /// Raw bytes written before the children.
    var raw: [UInt8] = []

    init(
        _ name: String, _ attributes: [(String, String)] = [], _ children: [ExportElement] = []
    ) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// Returns the number of elements with a name, including itself.
    func count(of name: String) -> Int {
        (self.name == name ? 1 : 0) + children.reduce(0) { $0 + $1.count(of: name) }
    }

    /// Calls `body` with the element at an index in depth-first order, and reduces the index by the
    /// number of elements passed.
    mutating func mutate(_ place: inout Int, _ body: (inout ExportElement) -> Void) {
        if place == 0 { body(&self) }
        place -= 1
        for index in children.indices where place >= 0 {
            children[index].mutate(&place, body)
        }
    }

    var size: Int { 1 + children.reduce(0) { $0 + $1.size } }

    /// Appends the element as text.
    func write(to bytes: inout [UInt8], depth: Int = 0) {
        // The indentation is limited, because spaces would dominate deeply nested files.
        bytes += [UInt8](repeating: UInt8(ascii: " "), count: min(depth, 8))
        bytes += Array("<\(name)".utf8)
        for (key, value) in attributes {
            bytes += Array(" \(key)=\"".utf8)
            ExportElement.escape(value, into: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
        if children.isEmpty, raw.isEmpty {
            bytes += Array("/>\n".utf8)
            return
        }
        bytes += Array(">\n".utf8)
        bytes += raw
        for child in children { child.write(to: &bytes, depth: depth + 1) }
        bytes += Array("</\(name)>\n".utf8)
    }

    private static func escape(_ text: String, into bytes: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "<"): bytes += Array("&lt;".utf8)
            case UInt8(ascii: "&"): bytes += Array("&amp;".utf8)
            case UInt8(ascii: "\""): bytes += Array("&quot;".utf8)
            case UInt8(ascii: "\n"): bytes += Array("&#10;".utf8)
            case UInt8(ascii: "\r"): bytes += Array("&#13;".utf8)
            case UInt8(ascii: "\t"): bytes += Array("&#9;".utf8)
            default: bytes.append(byte)
            }
        }
    }
}
