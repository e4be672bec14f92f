import CZlib

/// A zip written field by field, so that each can be invalid.
struct CraftedZip {
    struct Entry {
        var name: [UInt8]
        var method: UInt16 = 8
        var flags: UInt16 = 0
        var checksum: UInt32
        var byteCount: UInt64
        /// The data as stored in the file.
        var data: [UInt8]
        /// The offset in the central directory, if it differs from the actual one.
        var declaredOffset: UInt64?
        var declaredCompressedByteCount: UInt64?
        /// Whether sizes and offset are in a ZIP64 extra field, regardless of their values.
        var isZip64 = false
        /// Whether a data descriptor after the data has the sizes instead of the local header.
        var hasDescriptor = false

        init(_ name: String, _ content: [UInt8], method: UInt16 = 8) {
            self.init(bytes: Array(name.utf8), content, method: method)
        }

        init(_ name: String, _ content: String) { self.init(name, Array(content.utf8)) }

        init(bytes: [UInt8], _ content: [UInt8], method: UInt16 = 8) {
            name = bytes
            self.method = method
            checksum = UInt32(crc32_z(0, content, content.count))
            byteCount = UInt64(content.count)
            data = method == 8 ? CraftedZip.deflate(content) : content
        }
    }

    var entries: [Entry]
    var prefix: [UInt8] = []
    var comment: [UInt8] = []
    var suffix: [UInt8] = []
    var isZip64 = false
    var entryCount: UInt64?
    var disk: UInt16 = 0

    init(_ entries: [Entry]) { self.entries = entries }

    var bytes: [UInt8] {
        var result: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            let offset = entry.declaredOffset ?? UInt64(result.count)
            result += header(of: entry)
            directory += directoryEntry(of: entry, offset: offset)
        }
        let count = entryCount ?? UInt64(entries.count)
        let start = UInt64(result.count)
        let size = UInt64(directory.count)
        result += directory
        if isZip64 {
            let place = UInt64(result.count)
            result += little(0x0606_4b50, 4) + little(44, 8) + little(45, 2) + little(45, 2)
            result += little(0, 8) + little(count, 8) + little(count, 8) + little(size, 8)
            result += little(start, 8)
            result += little(0x0706_4b50, 4) + little(0, 4) + little(place, 8) + little(1, 4)
        }
        let short: UInt64 = isZip64 ? 0xFFFF : count & 0xFFFF
        result += little(0x0605_4b50, 4) + little(UInt64(disk), 2) + little(UInt64(disk), 2)
        result += little(short, 2) + little(short, 2)
        result += little(isZip64 ? 0xFFFF_FFFF : size, 4)
        result += little(isZip64 ? 0xFFFF_FFFF : start, 4)
        result += little(UInt64(comment.count), 2) + comment
        return prefix + result + suffix
    }

    private func header(of entry: Entry) -> [UInt8] {
        let isLater = entry.hasDescriptor
        var bytes = little(0x0403_4b50, 4) + little(20, 2)
        bytes += little(UInt64(entry.flags | (isLater ? 8 : 0)), 2)
        bytes += little(UInt64(entry.method), 2) + little(0, 4)
        bytes += little(isLater ? 0 : UInt64(entry.checksum), 4)
        bytes += little(isLater ? 0 : UInt64(entry.data.count), 4)
        bytes += little(isLater ? 0 : entry.byteCount & 0xFFFF_FFFF, 4)
        bytes += little(UInt64(entry.name.count), 2) + little(0, 2) + entry.name + entry.data
        guard isLater else { return bytes }
        return bytes + little(0x0807_4b50, 4) + little(UInt64(entry.checksum), 4)
            + little(UInt64(entry.data.count), 4) + little(entry.byteCount, 4)
    }

    private func directoryEntry(of entry: Entry, offset: UInt64) -> [UInt8] {
        let size = entry.declaredCompressedByteCount ?? UInt64(entry.data.count)
        var extra: [UInt8] = little(0x5455, 2) + little(1, 2) + [0]
        if entry.isZip64 {
            extra += little(1, 2) + little(24, 2)
            extra += little(entry.byteCount, 8) + little(size, 8) + little(offset, 8)
        }
        func short(_ value: UInt64) -> [UInt8] { little(entry.isZip64 ? 0xFFFF_FFFF : value, 4) }
        var bytes = little(0x0201_4b50, 4) + little(20, 2) + little(20, 2)
        bytes += little(UInt64(entry.flags | (entry.hasDescriptor ? 8 : 0)), 2)
        bytes += little(UInt64(entry.method), 2) + little(0, 4) + little(UInt64(entry.checksum), 4)
        bytes += short(size) + short(entry.byteCount)
        bytes += little(UInt64(entry.name.count), 2) + little(UInt64(extra.count), 2)
        bytes += little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) + short(offset)
        return bytes + entry.name + extra
    }

    private func little(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }

    /// Compresses bytes with raw deflate, in one call.
    static func deflate(_ content: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        var content = content
        var output = [UInt8](repeating: 0, count: content.count + content.count / 100 + 64)
        var count = 0
        withUnsafeMutablePointer(to: &stream) { stream in
            let size = Int32(MemoryLayout<z_stream>.size)
            deflateInit2_(stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
            content.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    stream.pointee.next_in = input.baseAddress
                    stream.pointee.avail_in = UInt32(input.count)
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    CZlib.deflate(stream, Z_FINISH)
                    count = output.count - Int(stream.pointee.avail_out)
                }
            }
            deflateEnd(stream)
        }
        return Array(output[..<count])
    }
}
