/// Tests on eight bytes at a time (SIMD within a register).
///
/// A test sets the high bit of each byte that passes. A borrow can also set the bit of a byte above
/// one that passes, but never of one below. The lowest set bit, and the fact that none is set, are
/// therefore exact.
enum ByteWord {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    static func load(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
    }

    /// Marks the bytes equal to the one that `pattern` repeats.
    @inline(__always)
    static func equal(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
        let difference = word ^ pattern
        return (difference &- ones) & ~difference & highs
    }

    /// Marks the bytes that may need decoding: control characters, `&`, `<` and non-ASCII bytes.
    @inline(__always)
    static func special(_ word: UInt64) -> UInt64 {
        ((word &- ones &* 0x20) & ~word & highs) | (word & highs)
            | equal(word, ones &* UInt64(UInt8(ascii: "&")))
            | equal(word, ones &* UInt64(UInt8(ascii: "<")))
    }

    /// Returns a lower bound of the number of plain bytes from `index` on: up to the first byte
    /// that ``special(_:)`` marks, or as many words of eight bytes as fit.
    @inline(__always)
    static func plainCount(in bytes: UnsafeBufferPointer<UInt8>, from index: Int) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        var position = index
        while position + 8 <= bytes.count {
            let found = special(load(start + position))
            if found != 0 { return position - index + found.trailingZeroBitCount >> 3 }
            position += 8
        }
        return position - index
    }
}
