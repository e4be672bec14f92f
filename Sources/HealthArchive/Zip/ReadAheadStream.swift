/// Reads another stream ahead on its own thread, so that inflating and parsing overlap.
///
/// Returns the same bytes, and throws the same kind of error. The other stream is read in chunks of
/// 256 KiB, so the bytes returned before an error can differ from those of a direct reader. Memory
/// use is constant: at most five chunks.
final class ReadAheadStream: ByteStream {
    private struct Chunk: Sendable {
        var bytes: [UInt8]
        var consumedByteCount: Int64
    }

    private static let chunkByteCount = 256 << 10
    private static let maximumChunks = 3

    private let chunks = BoundedQueue<Chunk, ArchiveError>(capacity: ReadAheadStream.maximumChunks)
    private var chunk = Chunk(bytes: [], consumedByteCount: 0)
    private var position = 0

    /// Starts the thread, which begins to read at once.
    ///
    /// - Parameter open: Opens the stream to read. It is called on the new thread, and only that
    ///   thread uses the stream.
    init(_ open: @escaping @Sendable () throws(ArchiveError) -> any ByteStream) {
        chunks.start("inflating") { chunks throws(ArchiveError) in
            let stream = try open()
            var isWanted = true
            while isWanted, let chunk = try ReadAheadStream.chunk(of: stream) {
                isWanted = chunks.put(chunk)
            }
        }
    }

    deinit { chunks.stop() }

    var consumedByteCount: Int64 { chunk.consumedByteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        if position == chunk.bytes.count {
            guard let next = try chunks.take() else { return 0 }
            chunk = next
            position = 0
        }
        let count = min(buffer.count, chunk.bytes.count - position)
        buffer.copyBytes(from: chunk.bytes[position..<position + count])
        position += count
        return count
    }

    /// Returns the next chunk of a stream, or nil at the end.
    private static func chunk(of stream: any ByteStream) throws(ArchiveError) -> Chunk? {
        var failure: ArchiveError?
        let bytes = [UInt8](unsafeUninitializedCapacity: chunkByteCount) { buffer, count in
            do throws(ArchiveError) {
                count = try stream.read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        if bytes.isEmpty { return nil }
        return Chunk(bytes: bytes, consumedByteCount: stream.consumedByteCount)
    }
}
