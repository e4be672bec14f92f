/// An element with its contents as text, truncated to a limit but well-formed.
///
/// Contents above the limit are left out and their length is noted in a comment. Elements that had
/// begun before still get their end tags.
struct KeptText {
    /// The maximum number of bytes kept of one element.
    static let limit = 1 << 20

    /// The end of the comment in a truncated text.
    static let cutMark = " bytes left out -->"

    private var bytes: [UInt8]
    private var leftOut = 0
    /// The number of open elements whose start tag was left out.
    private var unkeptDepth = 0

    /// Starts with the element's own tag.
    init(_ tag: ElementScanner.Tag) {
        bytes = Array(tag.raw.prefix(KeptText.limit))
        leftOut = tag.raw.count - bytes.count
    }

    /// Adds the tag of an inner element. Its end follows unless the tag is empty.
    mutating func start(_ tag: ElementScanner.Tag) {
        let isKept = unkeptDepth == 0 && add(tag.raw)
        if !isKept && !tag.isEmpty { unkeptDepth += 1 }
    }

    mutating func text(_ raw: UnsafeBufferPointer<UInt8>) { _ = add(raw) }

    /// Adds the end of an inner element or, last, of the element itself.
    mutating func end(_ name: UnsafeBufferPointer<UInt8>) {
        if unkeptDepth > 0 {
            unkeptDepth -= 1
        } else {
            bytes.append(contentsOf: "</".utf8)
            bytes.append(contentsOf: name)
            bytes.append(UInt8(ascii: ">"))
        }
    }

    /// The complete text of the element.
    var string: String {
        let text = String(decoding: bytes, as: UTF8.self)
        return leftOut == 0 ? text : text + "<!-- \(leftOut)\(KeptText.cutMark)"
    }

    private mutating func add(_ raw: UnsafeBufferPointer<UInt8>) -> Bool {
        guard leftOut == 0, bytes.count + raw.count <= KeptText.limit else {
            leftOut += raw.count
            return false
        }
        bytes.append(contentsOf: raw)
        return true
    }
}
