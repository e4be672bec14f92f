import HealthStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Divides the text of an export into chunks of records, so that equal records give equal chunks
/// wherever they are in a file (content-defined chunking).
///
/// A chunk is a number of lines. It ends with a line that looks like the end of a record, chosen by
/// the record's hash. So an insertion or deletion changes only the chunks around it. What looks like a
/// record needn't be one: the caller checks that a chunk begins and ends between elements.
struct RecordChunks {
    /// The version of the rules by which the text of records becomes samples. Raise it with every
    /// change of them: then no chunk is known, and the next import reads every record again.
    static let readingRules: UInt64 = 1

    /// The shortest chunk in bytes.
    var minimumByteCount = 16 << 10
    /// The mean number of bytes from there to the end, a power of two. A long record ends a chunk
    /// with a higher probability than a short one.
    var meanByteCount = 64 << 10
    /// The longest chunk in bytes.
    var maximumByteCount = 256 << 10
    /// The most records of a chunk.
    var maximumRecords = 512

    /// Digests of different stores differ, so nobody can write a text that a store confuses with
    /// another one without knowing the store's identifier.
    var seed = ChunkDigest(high: 0, low: 0)

    static let standard = RecordChunks()

    struct Chunk {
        var byteCount: Int
        var digest: ChunkDigest
    }

    /// Returns the chunk at the start of `bytes`; nil if they don't begin with a line feed or if no
    /// chunk ends in them.
    func first(in bytes: UnsafeBufferPointer<UInt8>) -> Chunk? {
        guard let base = bytes.baseAddress, bytes.count > 1, bytes[0] == lineFeed else {
            return nil
        }
        let limit = min(bytes.count, maximumByteCount)
        var (start, recordStart, records) = (0, 0, 0)
        var digest = LineHash(seed)
        // The hash of the lines since the last record's end. An end tag alone is always the same.
        var record = LineHash(seed)
        var last: Chunk?
        while let found = memchr(base + start + 1, Int32(lineFeed), limit - start - 1) {
            let end = base.distance(to: UnsafePointer(found.assumingMemoryBound(to: UInt8.self)))
            let line = UnsafeBufferPointer(rebasing: bytes[start..<end])
            record.add(LineHash(of: line, seed))
            start = end
            guard RecordChunks.endsRecord(line) else { continue }
            records += 1
            digest.add(record)
            let chunk = Chunk(byteCount: end, digest: digest.value)
            let length = UInt64(end - recordStart)
            if end >= minimumByteCount, record.low & UInt64(meanByteCount - 1) < length {
                return chunk
            }
            if records == maximumRecords { return chunk }
            (last, recordStart, record) = (chunk, end, LineHash(seed))
        }
        // Without a boundary, a chunk ends with the last record that is within the limit.
        return bytes.count >= maximumByteCount ? last : nil
    }

    /// Returns whether a line, which begins with a line feed, is an empty record or an end tag.
    private static func endsRecord(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = withoutIndentation(line)
        if text.equals("</Record>") { return true }
        return text.count > 10 && text[text.count - 2] == UInt8(ascii: "/")
            && text[text.count - 1] == UInt8(ascii: ">") && beginsRecord(line)
    }

    /// Returns whether a line, which begins with a line feed, begins with a record's tag.
    fileprivate static func beginsRecord(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = withoutIndentation(line)
        return text.count > 8 && UnsafeBufferPointer(rebasing: text[..<8]).equals("<Record ")
    }

    private static func withoutIndentation(
        _ line: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8> {
        var start = 1
        while start < line.count, line[start] == UInt8(ascii: " ") { start += 1 }
        return UnsafeBufferPointer(rebasing: line[start...])
    }
}

private let lineFeed = UInt8(ascii: "\n")

/// A hash of lines, without the memory addresses of devices, which differ in every export
/// (ExportFormat §2.6). Two products of 64 bits for each 32 bytes, folded together with their
/// factors, as in wyhash's protected form: different lines have the same hash with a probability of
/// 2⁻⁶⁴.
private struct LineHash {
    private(set) var high: UInt64
    private(set) var low: UInt64

    var value: ChunkDigest { ChunkDigest(high: high, low: low) }

    init(_ seed: ChunkDigest) {
        high = 0x2D35_8DCC_AA6C_78A5 ^ seed.high
        low = 0x8BB8_4B93_962E_ACC9 ^ seed.low ^ RecordChunks.readingRules
    }

    init(of line: UnsafeBufferPointer<UInt8>, _ seed: ChunkDigest) {
        self.init(seed)
        guard let base = line.baseAddress else { return }
        let raw = UnsafeRawPointer(base)
        let address = LineHash.deviceAddress(in: line) ?? line.count..<line.count
        add(raw, address.lowerBound)
        if address.upperBound < line.count {
            add(raw + address.upperBound, line.count - address.upperBound)
        }
    }

    /// Adds the hash of a line.
    mutating func add(_ line: LineHash) {
        mix(line.high, line.low, line.low, line.high)
        // The order of lines counts.
        (high, low) = (low &+ line.high, high &+ line.low)
    }

    @inline(__always)
    private mutating func add(_ bytes: UnsafeRawPointer, _ count: Int) {
        var position = 0
        while position &+ 32 <= count {
            add(bytes + position)
            position &+= 32
        }
        if position < count {
            // The last bytes, padded with zeros.
            var rest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            withUnsafeMutableBytes(of: &rest) { rest in
                rest.copyMemory(
                    from: UnsafeRawBufferPointer(start: bytes + position, count: count - position))
            }
            mix(rest.0, rest.1, rest.2, rest.3)
        }
        low ^= UInt64(count)
        let both = LineHash.fold(high ^ 0x9E37_79B9_7F4A_7C15, low ^ 0xE703_7ED1_A0B4_28DB)
        (high, low) = (low, both)
    }

    /// Adds 32 bytes.
    @inline(__always)
    private mutating func add(_ bytes: UnsafeRawPointer) {
        mix(
            bytes.loadUnaligned(as: UInt64.self),
            bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
            bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
            bytes.loadUnaligned(fromByteOffset: 24, as: UInt64.self))
    }

    @inline(__always)
    private mutating func mix(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) {
        high = LineHash.fold(high ^ a, b ^ 0x4B33_A62E_D433_D4A3)
        low = LineHash.fold(low ^ c, d ^ 0x4D5A_2DA5_1DE1_AA47)
    }

    /// Folds a product. The factors are kept, because one of them can be 0.
    @inline(__always)
    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low ^ a ^ b
    }

    private static let prefix: StaticString = " device=\"&lt;&lt;HKDevice: 0"
    private static let suffix: StaticString = "&gt;,"

    /// Returns the digits of the address in ` device="&lt;&lt;HKDevice: 0x74703ff240&gt;,` in the
    /// line of a record's tag; nil if there are none, or if an attribute before them is in
    /// apostrophes, so that it may be a part of that one.
    private static func deviceAddress(in line: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard let base = line.baseAddress else { return nil }
        let length = prefix.utf8CodeUnitCount
        var search = length
        while search < line.count,
            let found = memchr(base + search, Int32(UInt8(ascii: "x")), line.count - search)
        {
            let start = base.distance(to: UnsafePointer(found.assumingMemoryBound(to: UInt8.self)))
            search = start + 1
            guard memcmp(base + start - length, prefix.utf8Start, length) == 0 else { continue }
            var end = search
            while end < line.count, isHexadecimal(line[end]) { end += 1 }
            guard line.count - end >= suffix.utf8CodeUnitCount,
                memcmp(base + end, suffix.utf8Start, suffix.utf8CodeUnitCount) == 0,
                RecordChunks.beginsRecord(line), !hasQuotedByApostrophe(line[..<start])
            else { return nil }
            return search..<end
        }
        return nil
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Returns whether an apostrophe in `bytes` may begin the value of an attribute.
    private static func hasQuotedByApostrophe(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let bytes = UnsafeBufferPointer(rebasing: bytes)
        guard let base = bytes.baseAddress else { return false }
        var search = 1
        while search < bytes.count,
            let found = memchr(base + search, Int32(UInt8(ascii: "'")), bytes.count - search)
        {
            let index = base.distance(to: UnsafePointer(found.assumingMemoryBound(to: UInt8.self)))
            if base[index - 1] == UInt8(ascii: "=") || base[index - 1] <= 0x20 { return true }
            search = index + 1
        }
        return false
    }
}
