/// Reads another stream ahead on its own thread, so that inflating and parsing overlap.
///
/// Returns the same bytes, and throws the same kind of error. The other stream is read in chunks of
/// 256 KiB, so the bytes returned before an error can differ from those of a direct reader. Memory
/// use is constant: at most five chunks.
final class ReadAheadStream: ByteStream {
    private struct Piece: Sendable {
        var bytes: [UInt8]
        var consumedByteCount: Int64
    }

    private static let pieceByteCount = 256 << 10
    private static let maximumPieces = 3

    private let pieces = BoundedQueue<Piece, ArchiveError>(capacity: ReadAheadStream.maximumPieces)
    private var piece = Piece(bytes: [], consumedByteCount: 0)
    private var position = 0

    /// Starts the thread, which begins to read at once.
    ///
    /// - Parameter open: Opens the stream to read. It is called on the new thread, and only that
    ///   thread uses the stream.
    init(_ open: @escaping @Sendable () throws(ArchiveError) -> any ByteStream) {
        pieces.start("inflating") { pieces throws(ArchiveError) in
            let stream = try open()
            var isWanted = true
            while isWanted, let piece = try ReadAheadStream.piece(of: stream) {
                isWanted = pieces.put(piece)
            }
        }
    }

    deinit { pieces.stop() }

    var consumedByteCount: Int64 { piece.consumedByteCount }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        if position == piece.bytes.count {
            guard let next = try pieces.take() else { return 0 }
            piece = next
            position = 0
        }
        let count = min(buffer.count, piece.bytes.count - position)
        buffer.copyBytes(from: piece.bytes[position..<position + count])
        position += count
        return count
    }

    /// Returns the next chunk of a stream, or nil at the end.
    private static func piece(of stream: any ByteStream) throws(ArchiveError) -> Piece? {
        var failure: ArchiveError?
        let bytes = [UInt8](unsafeUninitializedCapacity: pieceByteCount) { buffer, count in
            do throws(ArchiveError) {
                count = try stream.read(into: UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        if bytes.isEmpty { return nil }
        return Piece(bytes: bytes, consumedByteCount: stream.consumedByteCount)
    }
}
