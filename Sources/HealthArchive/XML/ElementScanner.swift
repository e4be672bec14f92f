#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A streaming XML scanner with bounded memory that tolerates malformed input.
///
/// ```swift
/// let source = try ExportLocator.locate("\(folder)/export.zip")
/// var scanner = ElementScanner(reading: try source.open(), name: source.name)
/// while let event = try scanner.next() {
///     guard case .start(let tag) = event, tag.name.equals("Record") else { continue }
///     for attribute in tag.attributes where attribute.name.equals("value") {
///         print(attribute.string)
///     }
/// }
/// scanner.ending   // .complete
/// ```
/// For a file that libxml2 accepts, the elements, attributes and texts are the same, with these
/// exceptions. The document type is not applied: attributes get no defaults or types from it.
/// Entity, notation and external declarations are rejected, and so are encodings other than UTF-8
/// and US-ASCII, and input over the limits below. Texts outside CDATA sections are trimmed, and
/// blank ones are omitted. A comment, processing instruction or CDATA section divides a text into
/// several events.
///
/// Files that libxml2 rejects are read too: see ``Repair``. A malformed tag is skipped up to the
/// next line that begins with markup. A truncated file ends without an error (``ending``). A start
/// event has an end event, except for empty tags and for elements that are open at the end of the
/// file.
///
/// - Complexity: O(*n*) in the number of bytes. The buffer takes 1 MiB, or up to twice the longest
///   tag, text or document type.
package struct ElementScanner: ~Copyable {
    /// The limit on a tag or text in bytes. One that is still incomplete when more bytes than this
    /// are buffered throws `markupTooLong`. A tag or text of up to twice this length can therefore
    /// pass.
    package static let maximumMarkupLength = 16 << 20
    /// The maximum length of the document type in bytes. A longer one throws `documentTypeTooLong`.
    package static let maximumDocumentTypeLength = 1 << 20
    /// The maximum number of attributes in a tag. More throw `tooManyAttributes`.
    package static let maximumAttributes = 4096
    /// The maximum number of open elements. One more throws `nestedTooDeeply`.
    package static let maximumDepth = 1024
    /// The maximum number of skipped bytes kept in ``Fragment/raw``.
    package static let maximumFragmentLength = 64 << 10

    /// How a file ended.
    package enum Ending: Hashable, Sendable {
        /// With at least one element, and with all elements ended.
        case complete
        /// Within the markup that begins at `offset`, or at `offset` with elements still open.
        case truncated(offset: Int64)
        /// Without any element.
        case noElement
    }

    /// How the file ended; nil until ``next()`` has returned nil.
    package internal(set) var ending: Ending?
    /// The repairs made so far, counted by kind.
    package internal(set) var repairs: [Repair: Int] = [:]
    /// The number in the document type's comment `HealthKit Export Version: 14`; nil if there is
    /// none or it hasn't been read yet.
    package internal(set) var exportVersion: Int?
    /// The number of open elements.
    package internal(set) var depth = 0

    let stream: any ByteStream
    let name: String

    // The parts of `buffer`: [0 consumed | position … limit: read, not yet consumed | padding of
    // zeros]
    var buffer: UnsafeMutablePointer<UInt8>
    var capacity: Int
    var position = 0
    var limit = 0
    /// The file offset of the buffer's first byte.
    var bufferOffset: Int64 = 0
    var isStreamAtEnd = false

    var hasBegun = false
    var documentStart: Int64 = 0
    var hasRoot = false
    let attributes: UnsafeMutablePointer<Attribute>
    let classes: UnsafeMutablePointer<UInt8>
    /// The names of the open elements, concatenated. The end of each is in `openEnds`, by depth.
    let openNames: UnsafeMutablePointer<UInt8>
    let openEnds: UnsafeMutablePointer<Int>
    var inspected = InspectedValueCache()
    let fragment: UnsafeMutablePointer<UInt8>
    var fragmentCount = 0

    /// The number of zero bytes after ``limit``, so that the scanner may read past the data.
    static let padding = 16
    static let openNamesByteCount = 64 << 10

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - stream: The file's bytes from the first one.
    ///   - name: The file's name in errors.
    package init(reading stream: any ByteStream, name: String) {
        self.init(reading: stream, name: name, bufferByteCount: 1 << 20)
    }

    init(reading stream: any ByteStream, name: String, bufferByteCount: Int) {
        self.stream = stream
        self.name = name
        capacity = bufferByteCount
        buffer = .allocate(capacity: bufferByteCount + ElementScanner.padding)
        buffer.initialize(repeating: 0, count: ElementScanner.padding)
        attributes = .allocate(capacity: ElementScanner.maximumAttributes)
        classes = ByteClass.table()
        openNames = .allocate(capacity: ElementScanner.openNamesByteCount)
        openEnds = .allocate(capacity: ElementScanner.maximumDepth)
        fragment = .allocate(capacity: ElementScanner.maximumFragmentLength)
    }

    deinit {
        buffer.deallocate()
        attributes.deallocate()
        classes.deallocate()
        openNames.deallocate()
        openEnds.deallocate()
        fragment.deallocate()
    }

    /// The number of bytes of the XML consumed so far.
    package var offset: Int64 { bufferOffset + Int64(position) }

    /// Returns the next tag, text or skipped fragment.
    ///
    /// The event's pointers are valid until the next call. After an error the scanner's position is
    /// undefined.
    ///
    /// - Returns: The event, or nil at the end of the file.
    /// - Throws: The stream's errors, and ``ArchiveError`` with the offset: `unsupportedEncoding`,
    ///   `refusedDeclaration`, `markupTooLong`, `documentTypeTooLong`, `tooManyAttributes` or
    ///   `nestedTooDeeply`.
    package mutating func next() throws(ArchiveError) -> Event? {
        guard ending == nil else { return nil }
        if !hasBegun { try begin() }
        while true {
            while classes[Int(buffer[position])] & ByteClass.space != 0 { position += 1 }
            guard position < limit else {
                if try refill() { continue }
                finish()
                return nil
            }
            let step =
                buffer[position] == UInt8(ascii: "<") ? try scanMarkup() : try scanText()
            switch step {
            case .event(let event): return event
            case .passed: continue
            case .incomplete:
                if try refill() { continue }
                ending = .truncated(offset: offset)
                return nil
            case .cut(let start):
                ending = .truncated(offset: start)
                return nil
            case .malformed: return try resynchronise()
            }
        }
    }

    /// The result of scanning the bytes at ``position``.
    enum Step {
        /// An event for the caller.
        case event(Event)
        /// No event. Scanning continues at ``position``: after markup that has no event, or at the
        /// same markup after more bytes were read.
        case passed
        /// More bytes are needed; ``position`` is at the start of the markup.
        case incomplete
        /// The markup began at this file offset, and the file ended within it.
        case cut(Int64)
        /// Malformed markup; ``position`` is at its first byte.
        case malformed
    }

    @inline(__always)
    private mutating func scanMarkup() throws(ArchiveError) -> Step {
        let second = buffer[position + 1]
        if classes[Int(second)] & ByteClass.nameStart != 0 { return try scanStartTag() }
        guard position + 1 < limit else { return .incomplete }
        switch second {
        case UInt8(ascii: "/"): return scanEndTag()
        case UInt8(ascii: "!"): return try scanDeclaration()
        case UInt8(ascii: "?"): return try scanInstruction()
        default: return .malformed
        }
    }

    /// Scans text up to the next `<` or the end of the file, without surrounding white space.
    private mutating func scanText() throws(ArchiveError) -> Step {
        var end = limit
        if let found = memchr(buffer + position, 0x3C, limit - position) {
            end = found.assumingMemoryBound(to: UInt8.self) - buffer
        } else if !isStreamAtEnd {
            _ = try refill()
            return .passed
        }
        let start = position
        position = end
        while classes[Int(buffer[end - 1])] & ByteClass.space != 0 { end -= 1 }
        return textEvent(from: start, to: end, rule: .characterData)
    }

    mutating func textEvent(from start: Int, to end: Int, rule: TextRepair.Rule) -> Step {
        let raw = UnsafeBufferPointer(start: UnsafePointer(buffer + start), count: end - start)
        let offset = bufferOffset + Int64(start)
        guard depth > 0 else {
            count(.contentOutsideRoot)
            let kept = UnsafeBufferPointer(
                rebasing: raw.prefix(ElementScanner.maximumFragmentLength))
            return .event(
                .skipped(
                    Fragment(
                        raw: kept, byteCount: Int64(raw.count), offset: offset,
                        reason: .contentOutsideRoot)))
        }
        let isChanged = TextRepair.decode(raw, rule, to: nil, counting: &repairs).isChanged
        return .event(
            .text(Text(raw: raw, offset: offset, needsDecoding: isChanged, rule: rule)))
    }

    private mutating func finish() {
        if depth > 0 {
            ending = .truncated(offset: offset)
        } else {
            ending = hasRoot ? .complete : .noElement
        }
    }

    mutating func count(_ repair: Repair) { repairs[repair, default: 0] += 1 }

    func error(_ code: ArchiveError.Code) -> ArchiveError {
        ArchiveError(code, in: name, at: offset)
    }
}

/// The classes of a byte in XML, as bit flags.
enum ByteClass {
    static let space: UInt8 = 1
    static let name: UInt8 = 2
    static let nameStart: UInt8 = 4
    static let notASCII: UInt8 = 8

    /// Returns a table of the classes of all 256 bytes. The caller deallocates it.
    static func table() -> UnsafeMutablePointer<UInt8> {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        table.initialize(repeating: 0, count: 256)
        for byte in " \t\r\n".utf8 { table[Int(byte)] = space }
        for byte in "-.0123456789".utf8 { table[Int(byte)] = name }
        for byte in "_:".utf8 { table[Int(byte)] = name | nameStart }
        for byte in UInt8(ascii: "a")...UInt8(ascii: "z") {
            table[Int(byte)] = name | nameStart
            table[Int(byte - 0x20)] = name | nameStart
        }
        for byte in 128..<256 { table[byte] = name | nameStart | notASCII }
        return table
    }
}
