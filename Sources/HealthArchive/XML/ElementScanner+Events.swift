extension ElementScanner {
    /// The events that ``next()`` returns.
    package enum Event {
        /// `<Record …>` or `<Record …/>`. The second form has ``Tag/isEmpty`` set and no end event.
        case start(Tag)
        /// The end of an element: `</Record>`, or an implied one.
        case end(EndTag)
        /// Text or a CDATA section within an element.
        case text(Text)
        /// Bytes that were skipped: malformed markup, an unmatched end tag, or text outside the
        /// root element.
        case skipped(Fragment)
    }

    /// A start tag. Valid until the next call of ``ElementScanner/next()``.
    package struct Tag {
        /// The element's name, as raw bytes.
        package let name: UnsafeBufferPointer<UInt8>
        /// The attributes, in document order.
        package let attributes: UnsafeBufferPointer<Attribute>
        /// The tag from `<` to `>`, as raw bytes.
        package let raw: UnsafeBufferPointer<UInt8>
        /// The byte offset in the file of the tag's `<`.
        package let offset: Int64
        /// The number of enclosing elements.
        package let depth: Int
        /// Whether the element ends with this tag.
        package let isEmpty: Bool

        /// The element's name as text, with invalid UTF-8 replaced by U+FFFD.
        package var nameString: String { TextRepair.string(name, .verbatim) }
    }

    /// An attribute of a ``Tag``, valid as long as the tag.
    package struct Attribute {
        let nameStart: UnsafePointer<UInt8>
        let valueStart: UnsafePointer<UInt8>
        let nameCount: Int32
        let valueCount: Int32
        /// A hash of the name: equal names have equal keys.
        let key: UInt32
        let isNameRegular: Bool
        let isNameASCII: Bool
        /// Whether ``value`` differs from the attribute's text, because it contains a reference
        /// that is resolved, a tab, a line break, a forbidden character or invalid UTF-8. If false,
        /// the bytes are valid UTF-8.
        package internal(set) var needsDecoding: Bool

        /// The name, as raw bytes.
        @inline(__always)
        package var name: UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(start: nameStart, count: Int(nameCount))
        }

        /// The bytes between the quotes. They equal the text only if ``needsDecoding`` is false.
        @inline(__always)
        package var value: UnsafeBufferPointer<UInt8> {
            UnsafeBufferPointer(start: valueStart, count: Int(valueCount))
        }

        /// The name as text, with invalid UTF-8 replaced by U+FFFD and forbidden characters
        /// removed.
        package var nameString: String { TextRepair.string(name, .verbatim) }

        /// The value as text: references resolved, each tab and line break replaced by a space,
        /// forbidden characters removed, invalid UTF-8 replaced by U+FFFD. References without a
        /// meaning are kept as written.
        package var string: String {
            needsDecoding
                ? TextRepair.string(value, .attribute) : String(decoding: value, as: UTF8.self)
        }
    }

    /// The end of an element. Valid until the next call of ``ElementScanner/next()``.
    package struct EndTag {
        /// The element's name, as raw bytes.
        package let name: UnsafeBufferPointer<UInt8>
        /// The byte offset in the file of the end tag's `<`; for an implied end, of the outer
        /// element's end tag.
        package let offset: Int64
        /// The number of enclosing elements.
        package let depth: Int
        /// Whether the element has no end tag of its own and ends with an outer element.
        package let isImplied: Bool

        /// The element's name as text, with invalid UTF-8 replaced by U+FFFD.
        package var nameString: String { TextRepair.string(name, .verbatim) }
    }

    /// Text within an element, up to the next `<`; or the content of a CDATA section. Valid until
    /// the next call of ``ElementScanner/next()``.
    package struct Text {
        /// The bytes without surrounding white space; for a CDATA section, all bytes.
        package let raw: UnsafeBufferPointer<UInt8>
        /// The byte offset of ``raw`` in the file.
        package let offset: Int64
        /// Whether ``raw`` differs from the text in ``string``.
        package let needsDecoding: Bool
        let rule: TextRepair.Rule

        /// The text: references resolved except in a CDATA section, line ends replaced by line
        /// feeds, forbidden characters removed, invalid UTF-8 replaced by U+FFFD.
        package var string: String {
            needsDecoding ? TextRepair.string(raw, rule) : String(decoding: raw, as: UTF8.self)
        }
    }

    /// Skipped bytes. Valid until the next call of ``ElementScanner/next()``.
    package struct Fragment {
        /// The first skipped bytes, at most ``ElementScanner/maximumFragmentLength`` of them.
        package let raw: UnsafeBufferPointer<UInt8>
        /// The number of skipped bytes.
        package let byteCount: Int64
        /// The byte offset of the skipped bytes in the file.
        package let offset: Int64
        /// Why the bytes were skipped: `malformedTag`, `unmatchedEndTag` or `contentOutsideRoot`.
        package let reason: Repair
    }
}
