internal import CZlib

/// Inflates small data without zlib's header, up to a limit.
enum RawDeflate {
    /// Returns the inflated bytes; nil if the data is damaged, truncated, longer than its stream or
    /// larger than the limit when inflated.
    ///
    /// - Parameters:
    ///   - bytes: The deflated bytes.
    ///   - limit: The maximum number of inflated bytes.
    /// - Complexity: O(bytes + inflated bytes), in memory of this size.
    static func inflated(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, -15, ZLIB_VERSION, size) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var input = bytes
        var result: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        let (byteCount, capacity) = (input.count, buffer.count)
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(truncatingIfNeeded: byteCount)
            while true {
                let (status, count) = buffer.withUnsafeMutableBufferPointer { output in
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(truncatingIfNeeded: capacity)
                    let status = inflate(&stream, Z_NO_FLUSH)
                    return (status, capacity - Int(stream.avail_out))
                }
                result += buffer.prefix(count)
                guard result.count <= limit else { return nil }
                if status == Z_STREAM_END { return stream.avail_in == 0 ? result : nil }
                guard status == Z_OK, count > 0 else { return nil }
            }
        }
    }
}
