internal import CZlib

/// Decodes gzip data (RFC 1952) that arrives in parts, such as the body of a request.
///
/// Several members can follow each other. Memory use is constant: zlib's window and one buffer.
/// The length and CRC-32 at the end of each member are verified.
package final class GzipDecoder {
    /// Why data can't be decoded.
    package enum Fault: Error, Hashable, Sendable {
        /// The data is not gzip, is damaged, or has other bytes after its end.
        case damaged
        /// The data ends inside a member.
        case truncated
        /// zlib could not start.
        case unavailable
    }

    private static let outputByteCount = 256 << 10
    /// zlib's window bits for gzip only: 15 plus 16.
    private static let windowBits: Int32 = 31

    private let stream: UnsafeMutablePointer<z_stream>
    private var output = [UInt8](repeating: 0, count: GzipDecoder.outputByteCount)
    /// Whether the data so far ends with a complete member.
    private var isComplete = false

    /// Creates a decoder.
    ///
    /// - Throws: ``Fault/unavailable``.
    package init() throws(Fault) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, GzipDecoder.windowBits, ZLIB_VERSION, size) == Z_OK else {
            throw .unavailable
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Decodes the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: The next bytes of the data.
    ///   - sink: Receives the decoded bytes in parts of at most 256 KB. An error that it throws
    ///     ends the decoding.
    /// - Throws: ``Fault/damaged``, and errors of `sink`. The decoder must not be used afterwards.
    package func decode(
        _ bytes: UnsafeRawBufferPointer, _ sink: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
        stream.pointee.avail_in = UInt32(bytes.count)
        var isFull = false
        // A full buffer can leave decoded bytes inside zlib.
        while stream.pointee.avail_in > 0 || isFull {
            if isComplete {
                guard stream.pointee.avail_in > 0 else { break }
                guard inflateReset(stream) == Z_OK else { throw Fault.damaged }
                isComplete = false
            }
            let count = try inflateOnce()
            isFull = count == output.count
            if count > 0 { try sink(output[..<count]) }
        }
    }

    /// Verifies that the data is complete.
    ///
    /// - Throws: ``Fault/truncated``.
    package func finish() throws(Fault) { if !isComplete { throw .truncated } }

    private func inflateOnce() throws(Fault) -> Int {
        let capacity = output.count
        let status = output.withUnsafeMutableBufferPointer { buffer in
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = UInt32(capacity)
            return inflate(stream, Z_NO_FLUSH)
        }
        switch status {
        case Z_OK: break
        case Z_STREAM_END: isComplete = true
        // No progress was possible: all input is used and nothing is left to write.
        case Z_BUF_ERROR where stream.pointee.avail_in == 0: break
        default: throw .damaged
        }
        return capacity - Int(stream.pointee.avail_out)
    }
}
