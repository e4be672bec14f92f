extension ElementScanner {
    /// What ``next()`` finds.
    public enum Event {
        /// `<Record …>` or `<Record …/>`. The latter has ``Tag/isEmpty`` and no end event.
        case start(Tag)
        /// `</Record>`.
        case end(EndTag)
        /// Text within an element.
        case text(Text)
        /// Bytes that could not be understood and were passed over.
        case skipped(Fragment)
    }

    /// A start tag. Valid until the next call of ``ElementScanner/next()``.
    public struct Tag {
        /// The element's name, as raw bytes.
        public let name: UnsafeBufferPointer<UInt8>
        /// The attributes, in the order of the file.
        public let attributes: UnsafeBufferPointer<Attribute>
        /// The tag from `<` to `>`, as raw bytes.
        public let raw: UnsafeBufferPointer<UInt8>
        /// The place in the file of its `<`.
        public let offset: Int64
        /// How many elements this one stands in.
        public let depth: Int
        /// Whether the element ends with this tag.
        public let isEmpty: Bool

        /// The element's name.
        public var nameString: String { TextRepair.string(name, .verbatim) }
    }

    /// An attribute of a ``Tag``. Valid as long.
    public struct Attribute {
        let nameStart: UnsafePointer<UInt8>
        let valueStart: UnsafePointer<UInt8>
        let nameCount: Int32
        let valueCount: Int32
        /// Equal names have equal keys.
        let key: UInt32
        let isNameRegular: Bool
        let isNameASCII: Bool
        /// Whether ``value`` is not the attribute's text byte by byte: it holds a reference, a
        /// line break, or something that must be repaired. UTF-8 is valid where this is false.
        public internal(set) var needsDecoding: Bool

        /// The name, as raw bytes.
        @inline(__always)
        public var name: UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(start: nameStart, count: Int(nameCount))
        }

        /// The bytes between the quotes. They are the text only if ``needsDecoding`` is false.
        @inline(__always)
        public var value: UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(start: valueStart, count: Int(valueCount))
        }

        /// The name.
        public var nameString: String { TextRepair.string(name, .verbatim) }

        /// The text that the value stands for: references resolved, line breaks made spaces,
        /// forbidden characters left out, broken UTF-8 replaced.
        public var string: String {
            needsDecoding
                ? TextRepair.string(value, .attribute) : String(decoding: value, as: UTF8.self)
        }
    }

    /// The end of an element. Valid until the next call of ``ElementScanner/next()``.
    public struct EndTag {
        /// The element's name, as raw bytes.
        public let name: UnsafeBufferPointer<UInt8>
        /// The place in the file of its `<`; of the outer element's, where it has none itself.
        public let offset: Int64
        /// The number of elements that the element stood in.
        public let depth: Int
        /// Whether the file has no such tag, and an outer element's end ends this one.
        public let isImplied: Bool

        /// The element's name.
        public var nameString: String { TextRepair.string(name, .verbatim) }
    }

    /// Text within an element, up to the next tag, comment or CDATA section; or such a section.
    /// Valid until the next call of ``ElementScanner/next()``.
    public struct Text {
        /// The bytes without white space around them (a CDATA section: all).
        public let raw: UnsafeBufferPointer<UInt8>
        public let offset: Int64
        /// Whether ``raw`` is not the text byte by byte.
        public let needsDecoding: Bool
        let rule: TextRepair.Rule

        /// The text, with references resolved where it is not a CDATA section.
        public var string: String {
            needsDecoding ? TextRepair.string(raw, rule) : String(decoding: raw, as: UTF8.self)
        }
    }

    /// Bytes that were passed over. Valid until the next call of ``ElementScanner/next()``.
    public struct Fragment {
        /// The bytes, at most ``ElementScanner/longestFragment`` of them.
        public let raw: UnsafeBufferPointer<UInt8>
        /// How many bytes were passed over.
        public let byteCount: Int64
        public let offset: Int64
        /// Why: `malformedTag`, `unmatchedEndTag` or `contentOutsideRoot`.
        public let reason: Repair
    }
}
