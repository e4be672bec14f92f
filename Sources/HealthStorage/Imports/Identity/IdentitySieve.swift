import HealthEngine

/// Tells of identities whether they may have come before, in memory that doesn't grow.
///
/// One bit for each hash of (type, start, key): whoever comes to a bit that is set is, or is not, met
/// for the second time, and has to be looked at. Of five million records some fifty thousand are
/// looked at for nothing; to go through all of them in order of identity takes longer.
struct IdentitySieve {
    enum Finding { case new, maybeSeen }

    private var words: [UInt64]
    private let mask: UInt64
    private var rows = 0
    private var findings = 0

    /// - Parameter byteCount: The size of the export. A record takes some 450 bytes, and gets a hundred
    ///   bits or more, up to 32 MB for all.
    init(byteCount: Int64) {
        var bits: UInt64 = 1 << 16
        while bits < 1 << 28, Int64(bits) < byteCount / 4 { bits *= 2 }
        words = Array(repeating: 0, count: Int(bits / 64))
        mask = bits - 1
    }

    /// Rows of one type and hour share a stretch of this many bits, so that records in order of
    /// time find it in the processor's cache.
    private static let stretch: UInt64 = 1 << 15

    /// Whether it tells identities apart: false for good once so many have come twice, or so many at
    /// all, that too many would be looked at.
    private(set) var isOfUse = true

    /// Notes a row's identity.
    mutating func insert(_ row: StoredRow) -> Finding {
        rows += 1
        let hour = UInt64(bitPattern: Int64(clamping: row.start / 4096))
        let place = ImportedIdentity.mix(hour ^ UInt64(UInt32(bitPattern: row.type)) << 40)
        // The sum makes one zero of the two.
        let inside = ImportedIdentity.mix(UInt64(bitPattern: row.key) ^ (row.start + 0).bitPattern)
        let hash =
            (place & ~(IdentitySieve.stretch - 1) | inside & (IdentitySieve.stretch - 1)) & mask
        let bit: UInt64 = 1 << (hash % 64)
        let word = Int(hash / 64)
        if words[word] & bit != 0 {
            findings += 1
            if findings * 8 > rows + 4096 { isOfUse = false }
            return .maybeSeen
        }
        words[word] |= bit
        return .new
    }
}
