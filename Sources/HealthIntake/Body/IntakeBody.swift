/// The body of a request, decoded from its transfer and content codings, as bytes that can be read
/// at any place.
///
/// A body can be larger than memory, so it is read in parts. Reading at any place matters because
/// some dialects name a metric after its data.
package struct IntakeBody: Sendable {
    /// The number of bytes.
    package let byteCount: Int
    private let read: @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]

    /// Creates a body.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes.
    ///   - read: Returns `count` bytes from `offset` on. Never called beyond the end.
    package init(
        byteCount: Int, read: @escaping @Sendable (_ offset: Int, _ count: Int) throws -> [UInt8]
    ) {
        self.byteCount = byteCount
        self.read = read
    }

    /// Creates a body from bytes in memory.
    package init(_ bytes: [UInt8]) {
        self.init(byteCount: bytes.count) { offset, count in
            Array(bytes[offset..<offset + count])
        }
    }

    /// Creates a body from the UTF-8 of a text.
    package init(_ text: String) { self.init(Array(text.utf8)) }

    /// Returns up to `limit` bytes from an offset; empty at the end.
    func bytes(at offset: Int, limit: Int) throws -> [UInt8] {
        let count = min(limit, byteCount - offset)
        return count > 0 ? try read(offset, count) : []
    }
}
