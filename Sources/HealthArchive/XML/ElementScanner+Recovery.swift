#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ElementScanner {
    /// Skips malformed bytes: from ``position`` to the next line that, after white space, begins
    /// with markup, or to the end of the file. Returns them as a fragment.
    ///
    /// The bytes are processed in pieces, so the buffer does not grow.
    mutating func resynchronise() throws(ArchiveError) -> Event {
        let start = offset
        fragmentCount = 0
        var isLineStart = false
        keep(1)
        while true {
            if isLineStart {
                while classes[Int(buffer[position])] & ByteClass.space != 0 { keep(1) }
            } else if let found = memchr(buffer + position, 0x0A, limit - position) {
                keep(found.assumingMemoryBound(to: UInt8.self) + 1 - (buffer + position))
                isLineStart = true
                continue
            } else {
                keep(limit - position)
            }
            // The byte after `<` decides whether it begins markup.
            if position + 1 >= limit {
                if try refill() { continue }
                keep(limit - position)
                break
            }
            if buffer[position] == UInt8(ascii: "<"), isMarkup(buffer[position + 1]) { break }
            isLineStart = false
        }
        count(.malformedTag)
        return .skipped(
            Fragment(
                raw: UnsafeBufferPointer(start: fragment, count: fragmentCount),
                byteCount: offset - start, offset: start, reason: .malformedTag))
    }

    private func isMarkup(_ second: UInt8) -> Bool {
        classes[Int(second)] & ByteClass.nameStart != 0 || second == UInt8(ascii: "/")
            || second == UInt8(ascii: "!") || second == UInt8(ascii: "?")
    }

    /// Advances ``position`` by `count` bytes, and appends them to the fragment up to
    /// ``maximumFragmentLength``.
    private mutating func keep(_ count: Int) {
        let kept = min(count, ElementScanner.maximumFragmentLength - fragmentCount)
        (fragment + fragmentCount).update(from: buffer + position, count: kept)
        fragmentCount += kept
        position += count
    }
}
