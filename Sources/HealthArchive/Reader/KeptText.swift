/// An element with all it contains as text, up to a limit and closed properly.
///
/// What comes after the limit is left out and its length noted in a comment; elements that had
/// begun before still end, so that the text stays an element.
struct KeptText {
    /// How much of one element is kept, in bytes.
    static let limit = 1 << 20

    /// What a text ends with of which something is left out.
    static let cutMark = " bytes left out -->"

    private var bytes: [UInt8]
    private var leftOut = 0
    /// Open elements whose start was left out.
    private var unkeptDepth = 0

    /// Begins with the element's own tag.
    init(_ tag: ElementScanner.Tag) {
        bytes = Array(tag.raw.prefix(KeptText.limit))
        leftOut = tag.raw.count - bytes.count
    }

    /// The tag of an inner element; its end follows unless the tag is empty.
    mutating func start(_ tag: ElementScanner.Tag) {
        let isKept = unkeptDepth == 0 && add(tag.raw)
        if !isKept && !tag.isEmpty { unkeptDepth += 1 }
    }

    mutating func text(_ raw: UnsafeBufferPointer<UInt8>) { _ = add(raw) }

    /// The end of an inner element or, last, of the element itself.
    mutating func end(_ name: UnsafeBufferPointer<UInt8>) {
        if unkeptDepth > 0 {
            unkeptDepth -= 1
        } else {
            bytes.append(contentsOf: "</".utf8)
            bytes.append(contentsOf: name)
            bytes.append(UInt8(ascii: ">"))
        }
    }

    /// Ends the element and gives its text.
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
