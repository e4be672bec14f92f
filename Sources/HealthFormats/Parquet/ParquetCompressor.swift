import CZlib

/// Compresses pages. One zlib stream is used for all pages of a file.
final class ParquetCompressor {
    let compression: ParquetOptions.Compression
    private var stream = z_stream()
    private var isReady = false

    init(_ compression: ParquetOptions.Compression) throws(ParquetError) {
        self.compression = compression
        guard case .gzip(let level) = compression else { return }
        // 31: the largest window, with the header and checksum of gzip.
        let status = deflateInit2_(
            &stream, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .compressionFailed(status: status) }
        isReady = true
    }

    deinit { if isReady { deflateEnd(&stream) } }

    /// The number of the codec in Parquet's metadata.
    var codec: Int32 {
        switch compression {
        case .none: 0
        case .gzip: 2
        }
    }

    /// Returns a page's bytes as they are written.
    func compressed(_ bytes: [UInt8]) throws(ParquetError) -> [UInt8] {
        guard isReady else { return bytes }
        var status = deflateReset(&stream)
        guard status == Z_OK else { throw .compressionFailed(status: status) }
        // An upper bound of the size, so one call finishes the page.
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        let output = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            status = bytes.withUnsafeBufferPointer { input in
                // zlib doesn't write to its input.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH)
            }
            count = output.count - Int(stream.avail_out)
        }
        guard status == Z_STREAM_END else { throw .compressionFailed(status: status) }
        return output
    }
}
