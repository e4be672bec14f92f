#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ElementScanner {
    /// Reads more bytes into the buffer and keeps those from ``position`` on. Returns whether bytes
    /// were added; if not, the stream is at its end.
    ///
    /// Incomplete markup is scanned again from its start. To keep this linear even for a stream
    /// that returns single bytes, reading goes on until the buffer holds twice the kept bytes.
    ///
    /// - Throws: ``ArchiveError``: `markupTooLong` if more than ``maximumMarkupLength`` bytes are
    ///   kept, and the stream's errors.
    mutating func refill() throws(ArchiveError) -> Bool {
        guard !isStreamAtEnd else { return false }
        let kept = limit - position
        guard kept <= ElementScanner.maximumMarkupLength else { throw error(.markupTooLong) }
        if position > 0 {
            buffer.update(from: buffer + position, count: kept)
            bufferOffset += Int64(position)
            position = 0
            limit = kept
        }
        let wanted = max(2 * kept, 1)
        if wanted > capacity { grow(to: wanted) }
        repeat {
            let room = UnsafeMutableRawBufferPointer(start: buffer + limit, count: capacity - limit)
            let count = try stream.read(into: room)
            if count == 0 {
                isStreamAtEnd = true
                break
            }
            limit += count
        } while limit < wanted
        (buffer + limit).update(repeating: 0, count: ElementScanner.padding)
        return limit > kept
    }

    private mutating func grow(to wanted: Int) {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted + ElementScanner.padding)
        larger.update(from: buffer, count: limit)
        buffer.deallocate()
        buffer = larger
        capacity = wanted
    }

    /// Reads the first bytes and skips a UTF-8 byte order mark. Throws `unsupportedEncoding` if the
    /// bytes look like UTF-16.
    mutating func begin() throws(ArchiveError) {
        hasBegun = true
        while limit - position < 4, try refill() {}
        if limit >= 2 {
            switch (buffer[0], buffer[1]) {
            case (0xFE, 0xFF), (0xFF, 0xFE), (0x3C, 0), (0, 0x3C):
                throw error(.unsupportedEncoding("UTF-16"))
            case (0xEF, 0xBB) where buffer[2] == 0xBF: position = 3
            default: break
            }
        }
        if limit < 3, buffer[0] == 0xEF, limit < 2 || buffer[1] == 0xBB { position = limit }
        documentStart = offset
    }

    /// The buffered bytes from ``position`` on.
    var remainingBytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(buffer + position), count: limit - position)
    }

    enum Comparison { case equal, different, undecided }

    /// Compares the bytes from ``position`` on with `text`. The result is `undecided` if the buffer
    /// ends before a difference.
    func compare(_ text: StaticString) -> Comparison {
        for index in 0..<text.utf8CodeUnitCount {
            if position + index >= limit { return .undecided }
            if buffer[position + index] != text.utf8Start[index] { return .different }
        }
        return .equal
    }

    /// Returns the index in the buffer of the first `text` that begins at or after `start`, or nil
    /// if there is none.
    func find(_ text: StaticString, from start: Int) -> Int? {
        // All search texts end with `>`. It is rare enough to be searched with `memchr`.
        let last = text.utf8CodeUnitCount - 1
        var search = start + last
        while search < limit,
            let found = memchr(buffer + search, Int32(text.utf8Start[last]), limit - search)
        {
            let index = found.assumingMemoryBound(to: UInt8.self) - buffer
            if memcmp(buffer + index - last, text.utf8Start, last) == 0 { return index - last }
            search = index + 1
        }
        return nil
    }

    /// Moves ``position`` past the first `terminator` that begins at least `prefix` bytes after it,
    /// reads more bytes as needed, and returns `passed`.
    ///
    /// If the stream ends before, moves ``position`` to the end and returns `cut` with the file
    /// offset at which the markup began. Bytes that are passed aren't kept, so the buffer doesn't
    /// grow.
    ///
    /// - Throws: The stream's errors.
    mutating func skipPast(_ terminator: StaticString, after prefix: Int) throws(ArchiveError)
        -> Step
    {
        let start = offset
        var search = position + prefix
        while true {
            if let found = find(terminator, from: search) {
                position = found + terminator.utf8CodeUnitCount
                return .passed
            }
            position = max(search, limit - terminator.utf8CodeUnitCount + 1)
            guard try refill() else {
                position = limit
                return .cut(start)
            }
            search = position
        }
    }
}
