import HealthEngine

/// A fixed-size Bloom filter of sample identities, with one hash function. A set bit means a
/// possible duplicate, which the caller must verify.
///
/// Of five million records, about fifty thousand are false positives. Checking these is faster than
/// sorting all records by identity.
struct IdentityBloomFilter {
    enum LookupResult { case new, possibleDuplicate }

    private var words: [UInt64]
    private let mask: UInt64
    private var rows = 0
    private var possibleDuplicates = 0

    /// Creates a filter.
    ///
    /// - Parameter byteCount: The size of the export in bytes. A record has about 450 bytes and
    ///   gets at least a hundred bits, until the filter has its maximum size of 32 MB.
    init(byteCount: Int64) {
        var bits: UInt64 = 1 << 16
        while bits < 1 << 28, Int64(bits) < byteCount / 4 { bits *= 2 }
        words = Array(repeating: 0, count: Int(bits / 64))
        mask = bits - 1
    }

    /// The number of bits for the rows of one type in an interval of 4,096 seconds. They are in one
    /// block, so that records in order of time mostly hit the processor's cache.
    private static let blockSize: UInt64 = 1 << 15

    /// Whether the filter is selective enough. Once more than about one row in eight is a possible
    /// duplicate, it stays false.
    private(set) var isEffective = true

    /// Adds a row's identity, and returns whether it is new or a possible duplicate.
    mutating func insert(_ row: StoredRow) -> LookupResult {
        rows += 1
        let hour = UInt64(bitPattern: Int64(clamping: row.start / 4096))
        let block = ImportedIdentity.mix(hour ^ UInt64(UInt32(bitPattern: row.type)) << 40)
        // Adding 0 turns -0 into 0.
        let inside = ImportedIdentity.mix(UInt64(bitPattern: row.key) ^ (row.start + 0).bitPattern)
        let blockMask = IdentityBloomFilter.blockSize - 1
        let hash = (block & ~blockMask | inside & blockMask) & mask
        let bit: UInt64 = 1 << (hash % 64)
        let word = Int(hash / 64)
        if words[word] & bit != 0 {
            possibleDuplicates += 1
            if possibleDuplicates * 8 > rows + 4096 { isEffective = false }
            return .possibleDuplicate
        }
        words[word] |= bit
        return .new
    }
}
