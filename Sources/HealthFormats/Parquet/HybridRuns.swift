/// Parquet's hybrid of run-length encoding and bit packing, for definition levels and for indices
/// into dictionaries.
enum HybridRuns {
    /// Appends numbers: runs of eight or more equal ones as a count and a value, the others in
    /// groups of eight, each number in `width` bits with the lowest bit first.
    ///
    /// - Parameters:
    ///   - values: The numbers. Each fits in `width` bits.
    ///   - width: The number of bits, 1 to 32.
    ///   - bytes: The bytes to append to.
    /// - Complexity: O(values).
    static func append(_ values: [UInt32], width: Int, to bytes: inout [UInt8]) {
        var position = 0
        var pending = 0
        while position < values.count {
            var end = position + 1
            while end < values.count, values[end] == values[position] { end += 1 }
            // Only the last group may be incomplete, so equal numbers first fill the open group.
            let open = (position - pending) % 8
            let fill = open == 0 ? 0 : 8 - open
            if end - position - fill >= 8 {
                pack(values[pending..<position + fill], width, to: &bytes)
                run(of: values[position], count: end - position - fill, width, to: &bytes)
                pending = end
            }
            position = end
        }
        pack(values[pending...], width, to: &bytes)
    }

    /// Appends one run of equal numbers.
    static func run(of value: UInt32, count: Int, _ width: Int, to bytes: inout [UInt8]) {
        CompactThrift.append(UInt64(count) << 1, to: &bytes)
        for byte in 0..<(width + 7) / 8 {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(8 * byte)))
        }
    }

    private static func pack(_ values: ArraySlice<UInt32>, _ width: Int, to bytes: inout [UInt8]) {
        if values.isEmpty { return }
        let groups = (values.count + 7) / 8
        CompactThrift.append(UInt64(groups) << 1 | 1, to: &bytes)
        let end = bytes.count + groups * width
        var (buffer, bits) = (UInt64(0), 0)
        for value in values {
            buffer |= UInt64(value) << UInt64(bits)
            bits += width
            while bits >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: buffer))
                buffer >>= 8
                bits -= 8
            }
        }
        if bits > 0 { bytes.append(UInt8(truncatingIfNeeded: buffer)) }
        while bytes.count < end { bytes.append(0) }
    }

    /// Returns the number of bits of the indices below a count; at least 1.
    static func width(below count: Int) -> Int {
        max(1, Int.bitWidth - max(0, count - 1).leadingZeroBitCount)
    }
}
