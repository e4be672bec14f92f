import HealthEngine
import HealthStorage

/// What a reader knows of the chunks of its file.
struct ChunkReading {
    let rule: RecordChunks
    /// The chunks of earlier exports.
    let known: ExportChunkTable
    /// The chunk that is being read; nil if none is, or if it can't be recorded.
    var open: OpenChunk?
    /// The offset from which on another chunk can begin.
    var end: Int64 = 0
    /// Whether samples of a type and origin are counted nowhere but in the number of records.
    var plainPairs: [TypeTable.TypeOriginPair: Bool] = [:]

    /// - Parameter rule: The sizes of chunks; nil to read every record and record no chunk.
    init(_ known: ExportChunkTable, _ rule: RecordChunks? = .standard) {
        self.known = known
        self.rule = rule ?? .standard
        if rule == nil { end = .max }
    }
}

/// The state of a reader at the beginning of a chunk. With it, a chunk is recognized that has only
/// plain records.
struct OpenChunk {
    var digest: ChunkDigest
    var firstSample: Int
    var tally: ReadingTally
    var repairs: [Repair: Int]
    var repeatedKeys: Int
    var zoneCounts: [String: Int]
    /// The number of elements kept as text that wait to be delivered.
    var elements: Int
}

extension ExportReader {
    /// The number of known chunks that are delivered together.
    private static let chunksPerDelivery = 64

    /// Passes the known chunks at the current position, between two elements at top level. Begins
    /// to record the first unknown one.
    func passKnownChunks() throws {
        guard scanner.offset >= chunks.end else { return }
        closeChunk()
        guard scanner.depth == 1, pushedBackTag == nil else { return }
        while let chunk = try scanner.nextChunk(chunks.rule) {
            guard let known = chunks.known.index(of: chunk.digest) else {
                chunks.end = scanner.offset + Int64(chunk.byteCount)
                chunks.open = openChunk(chunk.digest)
                return
            }
            scanner.skip(chunk)
            try pass(chunks.known[known], at: known)
        }
        // Without a boundary in reach, the next search begins after the searched text.
        chunks.end = scanner.offset + Int64(scanner.searchedByteCount(chunks.rule))
    }

    private func pass(_ chunk: ExportChunk, at index: Int) throws {
        tally.records += chunk.records
        tally.metadataEntries += chunk.metadataEntries
        for (element, count) in chunk.parts { tally.elements.add(element, count) }
        metadata.count(chunk.zoneCounts)
        pending.knownChunks.append(index)
        pending.knownRecords += chunk.records
        if pending.knownChunks.count >= ExportReader.chunksPerDelivery { try flush() }
    }

    private func openChunk(_ digest: ChunkDigest) -> OpenChunk {
        OpenChunk(
            digest: digest, firstSample: batch.samples.count, tally: tally,
            repairs: scanner.repairs, repeatedKeys: metadata.repeatedKeys,
            zoneCounts: metadata.zoneCounts, elements: pending.elements.count)
    }

    /// Ends the chunk that is being read, and records it if it has only plain records: known types
    /// and units, and nothing that was repaired, kept as text or counted otherwise.
    private func closeChunk() {
        guard let open = chunks.open else { return }
        chunks.open = nil
        let samples = open.firstSample..<batch.samples.count
        guard scanner.offset == chunks.end, scanner.depth == 1, pushedBackTag == nil,
            samples.count == tally.records - open.tally.records, !samples.isEmpty,
            samples.count <= chunks.rule.maximumRecords,
            let parts = tally.recordParts(since: open.tally),
            scanner.repairs == open.repairs, metadata.repeatedKeys == open.repeatedKeys,
            pending.elements.count == open.elements,
            arePlain(batch.samples[samples])
        else { return }
        pending.chunks.append(
            ChunkMark(
                open.digest, samples: samples,
                metadataEntries: tally.metadataEntries - open.tally.metadataEntries,
                parts: parts, zoneCounts: metadata.zoneCounts(since: open.zoneCounts)))
    }

    private func arePlain(_ samples: ArraySlice<Sample>) -> Bool {
        var last = TypeTable.TypeOriginPair(type: -1, origin: -1)
        for sample in samples where last.type != sample.type || last.origin != sample.origin {
            last = TypeTable.TypeOriginPair(type: Int(sample.type), origin: sample.origin)
            let isPlain: Bool
            if let known = chunks.plainPairs[last] {
                isPlain = known
            } else {
                isPlain = self.isPlain(code: sample.type, origin: sample.origin)
                if chunks.plainPairs.count >= ExportLimits.maximumTypeOriginPairs {
                    chunks.plainPairs.removeAll()
                }
                chunks.plainPairs[last] = isPlain
            }
            if !isPlain { return false }
        }
        return true
    }

    private func isPlain(code: Int32, origin: Int32) -> Bool {
        guard let entry = types.entries.first(where: { $0.code == code }) else { return false }
        return entry.isKnown && unknownUnit(of: entry, origin: origin) == nil
    }
}
