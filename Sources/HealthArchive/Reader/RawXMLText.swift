/// An element with its contents as text, truncated to a limit.
///
/// Once a tag or text doesn't fit, it and all further ones are left out, and a comment at the end
/// has their total length in bytes. Elements whose start tag was kept still get their end tags.
/// Comments of the file, and the marks around CDATA sections, are not kept.
struct RawXMLText {
    /// The maximum bytes of tags and texts that are kept of one element. End tags and the comment
    /// can exceed it.
    static let limit = 1 << 20

    /// The end of the comment in a truncated text.
    static let truncationMark = " bytes left out -->"

    private var bytes: [UInt8]
    private var omittedByteCount = 0
    /// The number of open elements whose start tag was left out.
    private var omittedDepth = 0

    /// Starts with the element's own tag, which is cut at the limit.
    init(_ tag: ElementScanner.Tag) {
        bytes = Array(tag.raw.prefix(RawXMLText.limit))
        omittedByteCount = tag.raw.count - bytes.count
    }

    /// Adds the start tag of an inner element. Unless it is empty, the caller adds the end with
    /// ``end(_:)``.
    mutating func start(_ tag: ElementScanner.Tag) {
        let wasAdded = omittedDepth == 0 && add(tag.raw)
        if !wasAdded && !tag.isEmpty { omittedDepth += 1 }
    }

    mutating func text(_ raw: UnsafeBufferPointer<UInt8>) { _ = add(raw) }

    /// Adds the end tag of an inner element or, last, of the element itself.
    mutating func end(_ name: UnsafeBufferPointer<UInt8>) {
        if omittedDepth > 0 {
            omittedDepth -= 1
        } else {
            bytes.append(contentsOf: "</".utf8)
            bytes.append(contentsOf: name)
            bytes.append(UInt8(ascii: ">"))
        }
    }

    /// The text of the element, followed by a comment if contents were left out.
    var string: String {
        let text = String(decoding: bytes, as: UTF8.self)
        return omittedByteCount == 0
            ? text : text + "<!-- \(omittedByteCount)\(RawXMLText.truncationMark)"
    }

    private mutating func add(_ raw: UnsafeBufferPointer<UInt8>) -> Bool {
        guard omittedByteCount == 0, bytes.count + raw.count <= RawXMLText.limit else {
            omittedByteCount += raw.count
            return false
        }
        bytes.append(contentsOf: raw)
        return true
    }
}
