/// Eight bytes looked at in one step.
///
/// Each test leaves the high bit of a byte set where the byte passes. A borrow may set the bit of
/// a byte above one that passes, never below: the lowest set bit is right, and so is "none".
enum ByteWord {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    static func load(_ pointer: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(pointer).loadUnaligned(as: UInt64.self))
    }

    /// The bytes equal to the one that `pattern` repeats.
    @inline(__always)
    static func equal(_ word: UInt64, _ pattern: UInt64) -> UInt64 {
        let difference = word ^ pattern
        return (difference &- ones) & ~difference & highs
    }

    /// The bytes that may not stand for themselves: control characters, `&`, `<`, and all that
    /// is not ASCII.
    @inline(__always)
    static func special(_ word: UInt64) -> UInt64 {
        ((word &- ones &* 0x20) & ~word & highs) | (word & highs)
            | equal(word, ones &* UInt64(UInt8(ascii: "&")))
            | equal(word, ones &* UInt64(UInt8(ascii: "<")))
    }

    /// How many bytes from `index` on surely stand for themselves: a multiple of eight, or up to
    /// the first special one within eight; 0 close to the end.
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
