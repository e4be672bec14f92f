import HealthEngine

/// What makes two records of different exports the same object: type, start, end and creation
/// instants, source, and an occurrence number among otherwise equal ones.
///
/// ```
/// key   62 bits  [ hash of end, created, source : 50 ][ occurrence : 12 ]
/// UUID 128 bits  [ type : 16 ][ start ms : 32 of 43 ][ 8 : 4 ][ … : 12 ][ variant : 2 ][ key : 62 ]
/// ```
/// The UUID (version 8) thus names the row's place in the index (type, start, key), and needs no
/// index of its own. Text never enters: the same sample printed with another offset is the same.
struct ImportedIdentity: Hashable {
    static let occurrenceBits: Int64 = 12
    static let maximumOccurrence: Int64 = (1 << occurrenceBits) - 1
    /// Starts are held as milliseconds in 43 bits: 1861 to 2140.
    static let startLimit: Int64 = 1 << 42

    /// The key of occurrence 0; the others follow it.
    static func key(end: Double, created: Double, source: UInt64) -> Int64 {
        var hash = mix(source ^ 0x9E37_79B9_7F4A_7C15)
        hash = mix(hash ^ UInt64(bitPattern: milliseconds(end)))
        hash = mix(hash ^ (created.isNaN ? .max : UInt64(bitPattern: milliseconds(created))))
        return Int64(hash >> 14) << occurrenceBits
    }

    /// A number for a source that lasts as long as the name it was first met under.
    static func sourceNumber(identity: String) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in identity.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return mix(hash)
    }

    static func base(_ key: Int64) -> Int64 { key & ~maximumOccurrence }
    static func occurrence(_ key: Int64) -> Int64 { key & maximumOccurrence }

    /// What no `Int64` holds becomes the nearest one that does; NaN the least.
    static func milliseconds(_ seconds: Double) -> Int64 {
        let value = (seconds * 1000).rounded()
        return Int64(exactly: value) ?? (value > 0 ? .max : .min)
    }

    /// Whether a start fits the UUID; an importer quarantines what doesn't.
    static func canHold(start: Double) -> Bool {
        start.isFinite && abs(start * 1000) < Double(startLimit - 1)
    }

    /// Whether a sample's times fit a row: a start for the UUID, the others of some calendar.
    static func canHold(_ sample: Sample) -> Bool {
        canHold(start: sample.start) && canHoldTimes(sample)
    }

    /// Whether a sample's times are of some calendar.
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
    /// The UUID of an imported row, as two big-endian halves.
    static func uuid(type: Int32, start: Double, key: Int64) -> (UInt64, UInt64) {
        let time = UInt64(bitPattern: milliseconds(start) &+ startLimit) & ((1 << 43) - 1)
        let high =
            UInt64(UInt16(truncatingIfNeeded: type)) << 48 | (time >> 11) << 16
            | 0x8000 | (time & 0x7FF)
        let low = 0x8000_0000_0000_0000 | (UInt64(bitPattern: key) & ((1 << 62) - 1))
        return (high, low)
    }

    /// The place an imported UUID names, or nil if it is of another kind.
    static func place(high: UInt64, low: UInt64) -> (type: Int32, start: Double, key: Int64)? {
        guard high & 0xF800 == 0x8000, low >> 62 == 0b10 else { return nil }
        let time = ((high >> 16) & 0xFFFF_FFFF) << 11 | (high & 0x7FF)
        let start = Double(Int64(time) - startLimit) / 1000
        return (Int32(high >> 48), start, Int64(low & ((1 << 62) - 1)))
    }

    /// "0001A3F0-…", in upper case as Apple prints UUIDs.
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
