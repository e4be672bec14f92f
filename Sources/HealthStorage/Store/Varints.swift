// Varints (LEB128): seven bits a byte, the lowest first; the highest bit says that more follow.
extension [UInt8] {
    /// Appends a number as a varint.
    mutating func append(varint number: UInt64) {
        var remaining = number
        while remaining >= 0x80 {
            append(UInt8(truncatingIfNeeded: remaining) | 0x80)
            remaining >>= 7
        }
        append(UInt8(remaining))
    }

    /// Appends the bits of a double in eight bytes, the lowest first.
    mutating func append(bitsOf value: Double) {
        Swift.withUnsafeBytes(of: value.bitPattern.littleEndian) { append(contentsOf: $0) }
    }
}

/// Reads varints, doubles and bytes from a blob.
struct VarintReader {
    private let bytes: [UInt8]
    /// The place of the blob for errors, such as "route.points".
    private let place: String
    private var position = 0

    init(_ bytes: [UInt8], at place: String) {
        self.bytes = bytes
        self.place = place
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The number of bytes that haven't been read.
    var remaining: Int { bytes.count - position }

    /// The error for bytes that aren't in the expected encoding.
    var damage: StoreError { StoreError.damaged(place) }

    mutating func byte() throws(StoreError) -> UInt8 {
        guard position < bytes.count else { throw damage }
        position += 1
        return bytes[position - 1]
    }

    mutating func number() throws(StoreError) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while shift < 64 {
            let byte = try byte()
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        throw damage
    }

    mutating func double() throws(StoreError) -> Double {
        guard remaining >= 8 else { throw damage }
        var bits: UInt64 = 0
        for shift in 0..<8 { bits |= UInt64(try byte()) << UInt64(shift * 8) }
        return Double(bitPattern: bits)
    }

    /// Returns the number of items that follow, each of which takes at least one byte. So a damaged
    /// count can't cause a huge allocation.
    mutating func count() throws(StoreError) -> Int {
        let count = try number()
        guard count <= UInt64(remaining) else { throw damage }
        return Int(count)
    }

    mutating func text() throws(StoreError) -> String {
        let count = try count()
        defer { position += count }
        return String(decoding: bytes[position..<position + count], as: UTF8.self)
    }
}
