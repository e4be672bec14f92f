extension ElementScanner {
    /// Returns the chunk of records that begins at the current position, without consuming it.
    ///
    /// - Parameter rule: The sizes of chunks.
    /// - Returns: The chunk; nil if the position isn't at the end of a line or no chunk ends within
    ///   the longest one.
    /// - Throws: The stream's errors.
    mutating func nextChunk(_ rule: RecordChunks) throws(ArchiveError) -> RecordChunks.Chunk? {
        while true {
            if let chunk = rule.first(in: remainingBytes) { return chunk }
            let isAtLineEnd = position < limit && buffer[position] == UInt8(ascii: "\n")
            guard isAtLineEnd, limit - position < rule.maximumByteCount, try refill() else {
                return nil
            }
        }
    }

    /// The number of bytes in which ``nextChunk(_:)`` found no chunk, at least 1.
    func searchedByteCount(_ rule: RecordChunks) -> Int {
        guard position < limit, buffer[position] == UInt8(ascii: "\n") else { return 1 }
        return max(1, min(limit - position, rule.maximumByteCount))
    }

    /// Passes a chunk that ``nextChunk(_:)`` returned, without scanning it.
    mutating func skip(_ chunk: RecordChunks.Chunk) { position += chunk.byteCount }
}
