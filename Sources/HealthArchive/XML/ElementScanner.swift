#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Reads XML as a stream of tags and texts, fast, with flat memory, and as far as it can be read.
///
///     var scanner = ElementScanner(reading: try source.open(), name: source.name)
///     while let event = try scanner.next() {
///         guard case .start(let tag) = event, tag.name.equals("Record") else { continue }
///         for attribute in tag.attributes where attribute.name.equals("value") {
///             print(attribute.string)
///         }
///     }
///     scanner.ending   // .complete
///
/// On every file that libxml2 accepts it gives the same elements, attributes and texts, with these
/// exceptions: the document type is passed over, so attributes get no defaults and no types from
/// it; an entity, notation or external declaration, and an encoding other than UTF-8, are refused;
/// so is what exceeds the limits below. Texts are trimmed, and blank ones left out.
///
/// Files that libxml2 refuses are read too: see ``Repair``. A tag that is none costs itself and
/// the rest of its line; a file cut short ends, it does not fail (``ending``). Start and end events
/// always match, except for elements still open where the file ends.
///
/// - Complexity: O(bytes). One buffer of 1 MiB, or twice the longest tag.
public struct ElementScanner: ~Copyable {
    /// The longest tag or text, in bytes; a longer one throws `markupTooLong`.
    public static let longestMarkup = 16 << 20
    /// The longest document type, in bytes; a longer one throws `documentTypeTooLong`.
    public static let longestDocumentType = 1 << 20
    /// The most attributes of a tag; more throw `tooManyAttributes`.
    public static let mostAttributes = 4096
    /// The most elements open at a time; more throw `nestedTooDeeply`.
    public static let deepestNesting = 1024
    /// How much of what was passed over is kept in ``Fragment/raw``.
    public static let longestFragment = 64 << 10

    /// How a file ended.
    public enum Ending: Hashable, Sendable {
        /// With the end of its root element.
        case complete
        /// Within a tag that begins at `offset`, or at `offset` with elements still open.
        case truncated(offset: Int64)
        /// Without any element.
        case noElement
    }

    /// How the file ended; nil until ``next()`` has returned nil.
    public internal(set) var ending: Ending?
    /// What was repaired so far.
    public internal(set) var repairs: [Repair: Int] = [:]
    /// The number in the document type's comment `HealthKit Export Version: 14`.
    public internal(set) var exportVersion: Int?
    /// How many elements are open.
    public internal(set) var depth = 0

    let stream: any ByteStream
    let name: String

    // [0 passed | position … limit read, not yet passed | padding of zeros]
    var buffer: UnsafeMutablePointer<UInt8>
    var capacity: Int
    var position = 0
    var limit = 0
    /// The place in the file of the buffer's first byte.
    var bufferOffset: Int64 = 0
    var isStreamAtEnd = false

    var hasBegun = false
    var documentStart: Int64 = 0
    var hasRoot = false
    let attributes: UnsafeMutablePointer<Attribute>
    let classes: UnsafeMutablePointer<UInt8>
    /// The names of the open elements, one after the other, and where each ends.
    let openNames: UnsafeMutablePointer<UInt8>
    let openEnds: UnsafeMutablePointer<Int>
    var inspected = InspectedValues()
    let fragment: UnsafeMutablePointer<UInt8>
    var fragmentCount = 0

    /// The scanner may look this far beyond the bytes it has.
    static let padding = 16
    static let openNamesByteCount = 64 << 10

    /// - Parameters:
    ///   - stream: the file's bytes from its first one.
    ///   - name: what errors call the file.
    public init(reading stream: any ByteStream, name: String) {
        self.init(reading: stream, name: name, bufferByteCount: 1 << 20)
    }

    init(reading stream: any ByteStream, name: String, bufferByteCount: Int) {
        self.stream = stream
        self.name = name
        capacity = bufferByteCount
        buffer = .allocate(capacity: bufferByteCount + ElementScanner.padding)
        buffer.initialize(repeating: 0, count: ElementScanner.padding)
        attributes = .allocate(capacity: ElementScanner.mostAttributes)
        classes = ByteClass.table()
        openNames = .allocate(capacity: ElementScanner.openNamesByteCount)
        openEnds = .allocate(capacity: ElementScanner.deepestNesting)
        fragment = .allocate(capacity: ElementScanner.longestFragment)
    }

    deinit {
        buffer.deallocate()
        attributes.deallocate()
        classes.deallocate()
        openNames.deallocate()
        openEnds.deallocate()
        fragment.deallocate()
    }

    /// The place in the file up to which it has been read, in bytes of the xml.
    public var offset: Int64 { bufferOffset + Int64(position) }

    /// The next tag, text, or piece that had to be passed over; nil at the end of the file.
    ///
    /// What the event points to is valid until the next call. Throws what the stream throws, and
    /// `unsupportedEncoding`, `refusedDeclaration`, `markupTooLong`, `documentTypeTooLong`,
    /// `tooManyAttributes`, `nestedTooDeeply`, with the byte where it begins. After an error the
    /// scanner is at no defined place.
    public mutating func next() throws(ArchiveError) -> Event? {
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

    /// What came of looking at the bytes at ``position``.
    enum Step {
        /// Something to give to the caller.
        case event(Event)
        /// Something that concerns nobody; ``position`` is behind it.
        case passed
        /// More bytes are needed; ``position`` is where it begins.
        case incomplete
        /// It began at this place in the file, and the file ended before it.
        case cut(Int64)
        /// It is no markup; ``position`` is where it begins.
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

    /// A text up to the next `<`, without the white space around it.
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
            let kept = UnsafeBufferPointer(rebasing: raw.prefix(ElementScanner.longestFragment))
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

/// What a byte may be in XML.
enum ByteClass {
    static let space: UInt8 = 1
    static let name: UInt8 = 2
    static let nameStart: UInt8 = 4
    static let notASCII: UInt8 = 8

    /// The classes of all bytes. The caller deallocates it.
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
