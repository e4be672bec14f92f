/// A 64-bit FNV-1a hash.
///
/// ```swift
/// FNV1a.hash(of: "a")     // 0xaf63dc4c8601ec8c
/// ```
/// Unlike the standard library's `Hasher`, it gives the same value in every process and on every
/// machine, so files can store it. Collisions are easy to construct, so equal hashes do not prove
/// that data is equal.
package struct FNV1a: Sendable {
    @usableFromInline var state: UInt64

    /// Creates the hash of no bytes.
    @inlinable package init() { state = 0xCBF2_9CE4_8422_2325 }

    /// The hash of the bytes that were added.
    @inlinable package var value: UInt64 { state }

    /// Adds a byte.
    @inlinable @inline(__always)
    package mutating func add(_ byte: UInt8) {
        state = (state ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    // Bytes have concrete types: other modules would call a generic function without
    // specialization, which made imports a tenth slower.

    /// Adds bytes in order.
    ///
    /// - Complexity: O(number of bytes).
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { add(byte) }
    }

    /// Adds bytes in order.
    ///
    /// - Complexity: O(number of bytes).
    package mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { add(byte) }
    }

    /// Adds the UTF-8 of a text.
    ///
    /// - Complexity: O(number of bytes).
    package mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
    }

    /// Adds the eight bytes of a number, the lowest first.
    package mutating func add(word: UInt64) {
        var rest = word
        for _ in 0..<8 {
            add(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Adds a text in UTF-8, then the byte 0xFF, which never occurs in UTF-8. So "ab" and "c" give
    /// another hash than "a" and "bc".
    package mutating func add(delimited text: String) {
        add(text)
        add(0xFF)
    }

    /// Returns the hash of bytes.
    ///
    /// - Complexity: O(number of bytes).
    package static func hash(of bytes: [UInt8]) -> UInt64 {
        var hash = FNV1a()
        hash.add(bytes)
        return hash.value
    }

    /// Returns the hash of a text's UTF-8.
    ///
    /// - Complexity: O(number of bytes).
    package static func hash(of text: String) -> UInt64 {
        var hash = FNV1a()
        hash.add(text)
        return hash.value
    }
}
