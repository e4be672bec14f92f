internal import CZlib

/// The bytes of a deflated zip entry, inflated on demand.
///
/// Memory use is constant: zlib's window and one buffer of compressed input. Size and CRC-32 are
/// compared with those in the zip's directory. A read that exceeds the size throws.
package final class InflateStream: ByteStream {
    private let file: RandomAccessFile
    private let name: String
    private let declaredByteCount: Int64
    private let compressedEnd: Int64
    private let compressedStart: Int64
    private var compressedPosition: Int64
    private let input: UnsafeMutableRawBufferPointer
    private let stream: UnsafeMutablePointer<z_stream>
    private var produced: Int64 = 0
    private var checksum: Checksum
    private var hasEnded = false

    /// Creates a stream over the compressed bytes in `range` of a zip.
    ///
    /// - Parameters:
    ///   - range: The position of the compressed bytes.
    ///   - name: The name of the entry in errors.
    ///   - byteCount: The inflated size according to the directory, in bytes.
    ///   - checksum: The CRC-32 of the inflated bytes according to the directory.
    ///   - inputByteCount: The maximum number of compressed bytes to read at a time.
    /// - Throws: ``ArchiveError`` with `unreadable` if zlib can't start.
    init(
        file: RandomAccessFile, range: Range<Int64>, name: String, byteCount: Int64,
        checksum: UInt32, inputByteCount: Int = 256 << 10
    ) throws(ArchiveError) {
        self.file = file
        self.name = name
        declaredByteCount = byteCount
        compressedStart = range.lowerBound
        compressedPosition = range.lowerBound
        compressedEnd = range.upperBound
        self.checksum = Checksum(expected: checksum)
        input = .allocate(byteCount: inputByteCount, alignment: 16)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Negative window bits: raw deflate, as zip stores it, without zlib's header.
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(stream, -15, ZLIB_VERSION, size) == Z_OK else {
            throw ArchiveError(.unreadable(reason: "zlib could not start"), in: name)
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// The number of compressed bytes that have been inflated.
    package var consumedByteCount: Int64 {
        compressedPosition - compressedStart - Int64(stream.pointee.avail_in)
    }

    /// Inflates the next bytes into `buffer`.
    ///
    /// - Parameter buffer: Receives the bytes, at most 1 GiB in one call.
    /// - Returns: The number of bytes written; 0 only at the end, after size and checksum were
    ///   verified, or if `buffer` is empty.
    /// - Throws: ``ArchiveError``: `unreadable`, `truncatedData`, `damagedData`, `sizeMismatch` or
    ///   `checksumMismatch`.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        guard !hasEnded, let output = buffer.baseAddress, buffer.count > 0 else { return 0 }
        let capacity = min(buffer.count, 1 << 30)
        stream.pointee.next_out = output.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(capacity)
        while stream.pointee.avail_out > 0, !hasEnded {
            if stream.pointee.avail_in == 0 { try refill() }
            let status = inflate(stream, Z_NO_FLUSH)
            switch status {
            case Z_OK: break
            case Z_STREAM_END: hasEnded = true
            case Z_BUF_ERROR where stream.pointee.avail_in == 0:
                if compressedPosition == compressedEnd { throw error(.truncatedData) }
            default: throw error(.damagedData)
            }
        }
        let count = capacity - Int(stream.pointee.avail_out)
        produced += Int64(count)
        checksum.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        if produced > declaredByteCount { throw error(.sizeMismatch) }
        if hasEnded {
            if produced != declaredByteCount { throw error(.sizeMismatch) }
            if !checksum.isValid { throw error(.checksumMismatch) }
        }
        return count
    }

    private func refill() throws(ArchiveError) {
        let wanted = Int(min(Int64(input.count), compressedEnd - compressedPosition))
        guard wanted > 0 else { return }
        let piece = UnsafeMutableRawBufferPointer(rebasing: input[..<wanted])
        let count = try file.read(into: piece, at: compressedPosition)
        guard count > 0 else { throw error(.truncatedData) }
        compressedPosition += Int64(count)
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(count)
    }

    private func error(_ code: ArchiveError.Code) -> ArchiveError {
        ArchiveError(code, in: name, at: produced)
    }
}

/// A running CRC-32 and its expected final value.
struct Checksum {
    let expected: UInt32
    private(set) var value: UInt32 = 0

    init(expected: UInt32 = 0) { self.expected = expected }

    var isValid: Bool { value == expected }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        value = UInt32(
            crc32_z(UInt(value), start.assumingMemoryBound(to: UInt8.self), bytes.count))
    }
}
