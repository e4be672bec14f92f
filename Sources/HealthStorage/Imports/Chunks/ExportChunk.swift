import HealthEngine

/// The 128-bit digest of a chunk's text.
package struct ChunkDigest: Hashable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// A piece of an export's text with complete records at top level and nothing else, and what an
/// import of it would give.
///
/// A later export repeats most of the text of an earlier one. Its known chunks are neither parsed
/// nor compared with rows: an import takes their counts, and marks their rows as seen.
package struct ExportChunk: Hashable, Sendable {
    struct TypeCount: Hashable, Sendable {
        var type: Int32
        var samples: Int
        /// Whether a sample lasts half a day or longer.
        var isLong: Bool
    }

    struct OriginTotal: Hashable, Sendable {
        var origin: Int64
        var count: SnapshotWriter.OriginCount
    }

    var id: Int64
    /// The number of `MetadataEntry` elements.
    package internal(set) var metadataEntries = 0
    /// The number of other elements in records, by name.
    package internal(set) var parts: [String: Int] = [:]
    /// The number of records by the text of their `HKTimeZone`.
    package internal(set) var zoneCounts: [String: Int] = [:]
    var types: [TypeCount] = []
    var origins: [OriginTotal] = []
    /// The sequence numbers of the rows.
    var runs: [ClosedRange<Int64>] = []

    /// The number of records.
    package var records: Int { types.reduce(0) { $0 + $1.samples } }
}

/// A chunk that was read, within a batch: what the reader knows of it.
package struct ChunkMark: Sendable {
    package var digest: ChunkDigest
    /// The indices of its samples in the batch.
    package var samples: Range<Int>
    package var metadataEntries: Int
    package var parts: [String: Int]
    package var zoneCounts: [String: Int]

    package init(
        _ digest: ChunkDigest, samples: Range<Int>, metadataEntries: Int, parts: [String: Int],
        zoneCounts: [String: Int]
    ) {
        self.digest = digest
        self.samples = samples
        self.metadataEntries = metadataEntries
        self.parts = parts
        self.zoneCounts = zoneCounts
    }
}

/// The chunks of the store whose rows are unchanged, by the digest of their text.
///
/// Memory: some 300 bytes for each chunk, which has about 200 records.
package struct ExportChunkTable: Sendable {
    private(set) var chunks: [ExportChunk] = []
    private var indices: [ChunkDigest: Int] = [:]

    /// Creates an empty table.
    package init() {}

    mutating func append(_ chunk: ExportChunk, _ digest: ChunkDigest) {
        if indices[digest] != nil { return }
        indices[digest] = chunks.count
        chunks.append(chunk)
    }

    package var isEmpty: Bool { chunks.isEmpty }

    /// The index of the chunk with this digest; nil for an unknown one.
    package func index(of digest: ChunkDigest) -> Int? { indices[digest] }

    package subscript(index: Int) -> ExportChunk { chunks[index] }
}
