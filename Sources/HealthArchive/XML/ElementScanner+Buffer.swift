#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ElementScanner {
    /// Reads more, keeping the bytes from ``position`` on; false at the end of the stream.
    ///
    /// What is incomplete is looked at again from its start. So that this stays linear also where
    /// a stream gives single bytes, the bytes kept at least double before it is.
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

    /// Reads the first bytes and judges the encoding by them.
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

    /// Whether the bytes from ``position`` on begin with `text`.
    func compare(_ text: StaticString) -> Comparison {
        for index in 0..<text.utf8CodeUnitCount {
            if position + index >= limit { return .undecided }
            if buffer[position + index] != text.utf8Start[index] { return .different }
        }
        return .equal
    }

    /// Where `text` begins, at `start` or later, or nil where it is not in the buffer.
    func find(_ text: StaticString, from start: Int) -> Int? {
        // All that is looked for ends with `>`, rare enough to jump from one to the next.
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

    /// Passes over everything up to and with `terminator`, which begins `prefix` bytes after
    /// ``position`` at the earliest. However long that is, the buffer does not grow. Nothing left
    /// to read means that the markup was cut short.
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
