#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ElementScanner {
    /// Reads more bytes, keeping those from ``position`` on. Returns false at the end of the
    /// stream.
    ///
    /// Incomplete markup is scanned again from its start. To keep this linear even for a stream
    /// that returns single bytes, at least twice the kept bytes are read.
    mutating func refill() throws(ArchiveError) -> Bool {
        guard !isStreamAtEnd else { return false }
        let kept = limit - position
        guard kept <= ElementScanner.longestMarkup else { throw error(.markupTooLong) }
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

    /// Reads the first bytes and detects the encoding.
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

    /// The bytes from ``position`` on.
    var unpassed: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: UnsafePointer(buffer + position), count: limit - position)
    }

    enum Comparison { case equal, different, undecided }

    /// Compares the bytes from ``position`` on with `text`.
    func compare(_ text: StaticString) -> Comparison {
        for index in 0..<text.utf8CodeUnitCount {
            if position + index >= limit { return .undecided }
            if buffer[position + index] != text.utf8Start[index] { return .different }
        }
        return .equal
    }

    /// Returns the index of `text` at or after `start`, or nil if it isn't in the buffer.
    func find(_ text: StaticString, from start: Int) -> Int? {
        // All search texts end with `>`, which is rare enough for `memchr`.
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

    /// Skips everything up to and including `terminator`, which begins at least `prefix` bytes
    /// after ``position``. The buffer does not grow. If the stream ends first, the markup is
    /// truncated.
    mutating func pass(_ terminator: StaticString, after prefix: Int) throws(ArchiveError) -> Step {
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
