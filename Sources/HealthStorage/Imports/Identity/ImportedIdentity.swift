import HealthEngine

/// The identity of an imported sample: type, start, end and creation times, source, and the
/// occurrence number among equal records (Semantics §14.1). For a clinical record, also the
/// identifier of its FHIR resource, because many are received within a second.
///
/// ```
/// key   62 bits [ hash of end, created, source, content : 50 ][ occurrence : 12 ]
/// UUID 128 bits [ type : 16 ][ start : 32 ][ 8 : 4 ][ 0 : 1 ][ start : 11 ][ 2 : 2 ][ key : 62 ]
/// ```
/// The UUID (version 8) encodes the row's place in the index: type, start in milliseconds (43 bits)
/// and key. So it needs no index of its own. Times are hashed as numbers, so the offset from UTC
/// with which an export prints them doesn't matter.
struct ImportedIdentity: Hashable {
    static let occurrenceBits: Int64 = 12
    static let maximumOccurrence: Int64 = (1 << occurrenceBits) - 1
    /// The bound of starts, in milliseconds from the reference date. 43 bits hold the years 1861 to
    /// 2140.
    static let startLimit: Int64 = 1 << 42

    /// Returns the key of occurrence 0. The keys of further occurrences follow it.
    ///
    /// - Parameters:
    ///   - end: The end, in reference seconds.
    ///   - created: The creation time, in reference seconds; NaN if it is unknown.
    ///   - source: The number of the source.
    ///   - content: `SampleDetail.identityNumber`; 0 for most samples.
    static func key(
        end: Double, created: Double, source: UInt64, content: UInt64 = 0
    ) -> Int64 {
        var hash = mix(source ^ 0x9E37_79B9_7F4A_7C15)
        hash = mix(hash ^ UInt64(bitPattern: milliseconds(end)))
        hash = mix(hash ^ (created.isNaN ? .max : UInt64(bitPattern: milliseconds(created))))
        if content != 0 { hash = mix(hash ^ content) }
        return Int64(hash >> 14) << occurrenceBits
    }

    /// Returns a hash that represents a source, from the folded name under which it first appeared.
    static func sourceNumber(identity: String) -> UInt64 {
        mix(FNV1a.hash(of: identity))
    }

    static func base(_ key: Int64) -> Int64 { key & ~maximumOccurrence }
    static func occurrence(_ key: Int64) -> Int64 { key & maximumOccurrence }

    /// Returns a time in milliseconds, clamped to the range of `Int64`; the minimum for NaN.
    static func milliseconds(_ seconds: Double) -> Int64 {
        let value = (seconds * 1000).rounded()
        return Int64(exactly: value) ?? (value > 0 ? .max : .min)
    }

    /// Returns whether a start fits into the UUID. An importer quarantines samples whose start
    /// doesn't.
    static func canHold(start: Double) -> Bool {
        start.isFinite && abs(start * 1000) < Double(startLimit - 1)
    }

    /// Returns whether a sample can be stored as an imported one: its start fits into the UUID, and
    /// all its times are within the range of the store.
    static func canHold(_ sample: Sample) -> Bool {
        canHold(start: sample.start) && canHoldTimes(sample)
    }

    /// Returns whether a sample's times are within the range of the store: at most 10¹² seconds
    /// from the reference date. The creation time may be NaN.
    static func canHoldTimes(_ sample: Sample) -> Bool {
        abs(sample.start) <= timeLimit && abs(sample.end) <= timeLimit
            && (sample.created.isNaN || abs(sample.created) <= timeLimit)
    }

    private static let timeLimit: Double = 1e12

    static func mix(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension ImportedIdentity {
    /// Returns the UUID of an imported row, as two big-endian halves.
    static func uuid(type: Int32, start: Double, key: Int64) -> (UInt64, UInt64) {
        let time = UInt64(bitPattern: milliseconds(start) &+ startLimit) & ((1 << 43) - 1)
        let high =
            UInt64(UInt16(truncatingIfNeeded: type)) << 48 | (time >> 11) << 16
            | 0x8000 | (time & 0x7FF)
        let low = 0x8000_0000_0000_0000 | (UInt64(bitPattern: key) & ((1 << 62) - 1))
        return (high, low)
    }

    /// Returns the type, start and key that an imported sample's UUID encodes; nil for any other
    /// UUID. The start is rounded to milliseconds.
    static func place(high: UInt64, low: UInt64) -> (type: Int32, start: Double, key: Int64)? {
        guard high & 0xF800 == 0x8000, low >> 62 == 0b10 else { return nil }
        let time = ((high >> 16) & 0xFFFF_FFFF) << 11 | (high & 0x7FF)
        let start = Double(Int64(time) - startLimit) / 1000
        return (Int32(high >> 48), start, Int64(low & ((1 << 62) - 1)))
    }

    /// Returns a UUID as text, in upper case as on Apple's platforms: "0001A3F0-…".
    static func text(_ uuid: (UInt64, UInt64)) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, half) in [uuid.0, uuid.1].enumerated() {
            for nibble in 0..<16 {
                let position = index * 16 + nibble
                if [8, 12, 16, 20].contains(position) { text.append(UInt8(ascii: "-")) }
                text.append(digits[Int((half >> UInt64(60 - nibble * 4)) & 0xF)])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension SampleUUID {
    /// Creates the UUID of an imported row, which encodes its place in the index.
    init(ofImportedType type: Int32, start: Double, key: Int64) {
        let (high, low) = ImportedIdentity.uuid(type: type, start: start, key: key)
        self.init(high: high, low: low)
    }

    /// The type, start and key of the imported sample with this UUID; nil for any other UUID.
    var importedIdentity: (type: Int32, start: Double, key: Int64)? {
        ImportedIdentity.place(high: high, low: low)
    }

    /// Whether this is the UUID of an imported sample.
    package var isOfImport: Bool { importedIdentity != nil }

    /// The key of a sample saved with this UUID, by which it is ordered among samples of equal
    /// start.
    ///
    /// The key is derived from the UUID alone, so the order doesn't depend on the order in which
    /// samples were saved.
    var savedKey: Int64 { Int64((ImportedIdentity.mix(high) ^ low) & ((1 << 62) - 1)) }
}
