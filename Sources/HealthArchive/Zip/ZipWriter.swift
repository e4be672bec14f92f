internal import CZlib
import HealthStorage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes a zip archive entry by entry. Memory grows with the number of entries, but not with their
/// data.
///
/// ```swift
/// let modified = ZipTimestamp(year: 2024, month: 3, day: 10)
/// let writer = try ZipWriter(path: "\(folder)/export.zip", modified: modified)
/// try writer.begin("apple_health_export/export.xml")
/// try writer.write("<HealthData/>")   // as often as needed
/// try writer.finish()
/// ```
/// Equal calls produce equal bytes with the same version of zlib: the only timestamp is a
/// parameter. ZIP64 is used only where a size, an offset or the number of entries requires it. A
/// new file is readable by its owner only; an existing file keeps its permissions. Without
/// ``finish()`` the file has no directory and is not a valid archive.
package final class ZipWriter {
    private let path: String
    private let descriptor: Int32
    private let modified: ZipTimestamp
    private let pending: UnsafeMutableRawBufferPointer
    private var position: Int64 = 0
    private var current: Entry?
    private var written: [Entry] = []
    private var names: Set<String> = []
    private var stream: UnsafeMutablePointer<z_stream>?

    private struct Entry {
        var name: [UInt8]
        var method: UInt16
        var offset: Int64
        var checksum = Checksum()
        var byteCount: Int64 = 0
        var compressedByteCount: Int64 = 0
    }

    /// Creates the file at `path`, or truncates an existing one.
    ///
    /// - Parameters:
    ///   - path: The file to write.
    ///   - modified: The modification time of all entries.
    /// - Throws: ``ArchiveError`` with `unwritable` if the file can't be opened for writing, for
    ///   example a FIFO without a reader.
    package init(path: String, modified: ZipTimestamp) throws(ArchiveError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0o600)
        self.path = path
        self.modified = modified
        pending = .allocate(byteCount: 256 << 10, alignment: 16)
        guard descriptor >= 0 else { throw systemError() }
    }

    deinit {
        if let stream {
            deflateEnd(stream)
            stream.deallocate()
        }
        if descriptor >= 0 { close(descriptor) }
        pending.deallocate()
    }

    /// Ends the current entry and begins the next one.
    ///
    /// - Parameters:
    ///   - name: The relative path of the entry, with `/` as separator.
    ///   - compression: How to store the entry's data.
    /// - Throws: ``ArchiveError``: `unusableName` if the name is empty, unsafe, used before or
    ///   longer than 65,535 bytes, or `unwritable`.
    package func begin(
        _ name: String, compression: ExportArchive.Compression = .deflated(level: 6)
    ) throws(ArchiveError) {
        try endEntry()
        let bytes = Array(name.utf8)
        guard ZipEntry.isSafe(name), bytes.count <= 0xFFFF, names.insert(name).inserted else {
            throw ArchiveError(.unusableName, in: "\(path)/\(name)")
        }
        var entry = Entry(name: bytes, method: 0, offset: position)
        if case .deflated(let level) = compression {
            entry.method = 8
            let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
            stream.initialize(to: z_stream())
            self.stream = stream
            let size = Int32(MemoryLayout<z_stream>.size)
            let bounded = Int32(min(max(level, 1), 9))
            guard
                deflateInit2_(
                    stream, bounded, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
                    == Z_OK
            else {
                throw ArchiveError(.unwritable(reason: .library("zlib could not start")), in: path)
            }
        }
        try append(localHeader(of: entry))
        current = entry
    }

    /// Appends bytes to the current entry.
    ///
    /// - Parameter bytes: The uncompressed bytes.
    /// - Throws: ``ArchiveError``: `unusableName` if no entry has begun, or `unwritable`.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        guard current != nil else { throw ArchiveError(.unusableName, in: path) }
        current?.checksum.add(bytes)
        current?.byteCount += Int64(bytes.count)
        var rest = bytes
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
            if stream == nil {
                try emit(piece)
            } else {
                try deflate(piece, flush: Z_NO_FLUSH)
            }
        }
    }

    /// Appends the UTF-8 bytes of `text` to the current entry.
    ///
    /// - Parameter text: The text to write.
    /// - Throws: ``ArchiveError``: `unusableName` if no entry has begun, or `unwritable`.
    package func write(_ text: String) throws(ArchiveError) {
        let bytes = Array(text.utf8)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { buffer.deallocate() }
        buffer.copyBytes(from: bytes)
        try write(UnsafeRawBufferPointer(buffer))
    }

    /// Ends the last entry, writes the directory, and synchronizes the file to disk. Call this
    /// once.
    ///
    /// - Throws: ``ArchiveError`` with `unwritable`.
    /// - Complexity: O(*n*), where *n* is the number of entries, after compressing data of the last
    ///   entry that zlib still buffers.
    package func finish() throws(ArchiveError) {
        try endEntry()
        let start = position
        for entry in written { try append(directoryEntry(of: entry)) }
        try append(directoryEnd(start: start))
        guard fsync(descriptor) == 0 else { throw systemError() }
    }

    private func endEntry() throws(ArchiveError) {
        guard current != nil else { return }
        if let stream {
            try deflate(UnsafeRawBufferPointer(start: nil, count: 0), flush: Z_FINISH)
            deflateEnd(stream)
            stream.deallocate()
            self.stream = nil
        }
        guard let entry = current else { return }
        current = nil
        written.append(entry)
        // Sizes and checksum are known only now, so the header is written again.
        try put(localHeader(of: entry), at: entry.offset)
    }

    private func deflate(_ bytes: UnsafeRawBufferPointer, flush: Int32) throws(ArchiveError) {
        guard let stream else { return }
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(bytes.count)
        repeat {
            stream.pointee.next_out = pending.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(pending.count)
            guard CZlib.deflate(stream, flush) != Z_STREAM_ERROR else {
                throw ArchiveError(.unwritable(reason: .library("zlib failed")), in: path)
            }
            let count = pending.count - Int(stream.pointee.avail_out)
            try emit(UnsafeRawBufferPointer(rebasing: pending[..<count]))
        } while stream.pointee.avail_out == 0
    }

    private func emit(_ bytes: UnsafeRawBufferPointer) throws(ArchiveError) {
        try put(bytes, at: position)
        position += Int64(bytes.count)
        current?.compressedByteCount += Int64(bytes.count)
    }

    private func append(_ bytes: [UInt8]) throws(ArchiveError) {
        try put(bytes, at: position)
        position += Int64(bytes.count)
    }

    private func put(_ bytes: [UInt8], at offset: Int64) throws(ArchiveError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { buffer.deallocate() }
        buffer.copyBytes(from: bytes)
        try put(UnsafeRawBufferPointer(buffer), at: offset)
    }

    private func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(ArchiveError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(
                descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count < 0 {
                if errno == EINTR { continue }
                throw systemError()
            }
            done += count
        }
    }

    private func systemError() -> ArchiveError {
        ArchiveError(.unwritable(reason: FileFault(errorNumber: errno)), in: path)
    }
}

extension ZipWriter {
    private static let maximum32BitValue: Int64 = 0xFFFF_FFFE

    /// Returns the local header, which precedes an entry's data. It always has 16 bytes for ZIP64
    /// sizes, because the sizes are known only after the data. If they fit 32 bits, these bytes are
    /// an extra field that readers skip.
    private func localHeader(of entry: Entry) -> [UInt8] {
        let isLarge = max(entry.byteCount, entry.compressedByteCount) > ZipWriter.maximum32BitValue
        var header = LittleEndianBytes()
        header.append(0x0403_4b50 as UInt32)
        appendShared(entry, isLarge: isLarge, to: &header)
        header.append(UInt16(entry.name.count))
        header.append(20 as UInt16)
        header.bytes += entry.name
        header.append((isLarge ? 0x0001 : 0xD935) as UInt16)
        header.append(16 as UInt16)
        header.append(isLarge ? UInt64(entry.byteCount) : 0)
        header.append(isLarge ? UInt64(entry.compressedByteCount) : 0)
        return header.bytes
    }

    /// Appends the fields that a local header and a directory entry share, from "version needed" to
    /// the sizes.
    private func appendShared(_ entry: Entry, isLarge: Bool, to header: inout LittleEndianBytes) {
        header.append((isLarge ? 45 : 20) as UInt16)
        header.append((entry.name.contains { $0 >= 128 } ? 0x800 : 0) as UInt16)
        header.append(entry.method)
        header.append(modified.time)
        header.append(modified.date)
        header.append(entry.checksum.value)
        header.append(isLarge ? UInt32.max : UInt32(entry.compressedByteCount))
        header.append(isLarge ? UInt32.max : UInt32(entry.byteCount))
    }

    private func directoryEntry(of entry: Entry) -> [UInt8] {
        let isLarge = max(entry.byteCount, entry.compressedByteCount) > ZipWriter.maximum32BitValue
        let isFar = entry.offset > ZipWriter.maximum32BitValue
        var extra = LittleEndianBytes()
        if isLarge {
            extra.append(UInt64(entry.byteCount))
            extra.append(UInt64(entry.compressedByteCount))
        }
        if isFar { extra.append(UInt64(entry.offset)) }
        var header = LittleEndianBytes()
        header.append(0x0201_4b50 as UInt32)
        header.append(0x032D as UInt16)  // Made on Unix, by version 4.5 of the format.
        appendShared(entry, isLarge: isLarge, to: &header)
        header.append(UInt16(entry.name.count))
        header.append(UInt16(extra.bytes.isEmpty ? 0 : extra.bytes.count + 4))
        header.bytes += [UInt8](repeating: 0, count: 6)  // Comment, disk, internal attributes: 0.
        header.append(0o100644 << 16 as UInt32)
        header.append(isFar ? UInt32.max : UInt32(entry.offset))
        header.bytes += entry.name
        if !extra.bytes.isEmpty {
            header.append(1 as UInt16)
            header.append(UInt16(extra.bytes.count))
            header.bytes += extra.bytes
        }
        return header.bytes
    }

    private func directoryEnd(start: Int64) -> [UInt8] {
        let byteCount = position - start
        let needsZip64 =
            written.count >= 0xFFFF || max(start, byteCount) > ZipWriter.maximum32BitValue
        var end = LittleEndianBytes()
        if needsZip64 {
            end.append(0x0606_4b50 as UInt32)
            end.append(44 as UInt64)
            end.append(0x032D as UInt16)
            end.append(45 as UInt16)
            end.append(0 as UInt64)  // This disk and the directory's disk.
            end.append(UInt64(written.count))
            end.append(UInt64(written.count))
            end.append(UInt64(byteCount))
            end.append(UInt64(start))
            end.append(0x0706_4b50 as UInt32)
            end.append(0 as UInt32)
            end.append(UInt64(position))
            end.append(1 as UInt32)
        }
        let count = UInt16(min(written.count, 0xFFFF))
        end.append(0x0605_4b50 as UInt32)
        end.append(0 as UInt32)
        end.append(count)
        end.append(count)
        end.append(UInt32(min(byteCount, Int64(UInt32.max))))
        end.append(UInt32(min(start, Int64(UInt32.max))))
        end.append(0 as UInt16)
        return end.bytes
    }
}

/// A modification time in a zip: without a time zone, in steps of two seconds, from 1980 to 2107.
package struct ZipTimestamp: Hashable, Sendable {
    let date: UInt16
    let time: UInt16

    /// Creates a timestamp. A component outside its range is clamped, and odd seconds are rounded
    /// down.
    ///
    /// - Parameters:
    ///   - year: The year, 1980 to 2107.
    ///   - month: The month, 1 to 12.
    ///   - day: The day, 1 to 31.
    ///   - hour: The hour, 0 to 23.
    ///   - minute: The minute, 0 to 59.
    ///   - second: The second, 0 to 59.
    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0) {
        func part(_ value: Int, in range: ClosedRange<Int>) -> Int {
            min(max(value, range.lowerBound), range.upperBound)
        }
        let years = part(year, in: 1980...2107) - 1980
        date = UInt16(years << 9 | part(month, in: 1...12) << 5 | part(day, in: 1...31))
        let halves = part(second, in: 0...59) / 2
        time = UInt16(part(hour, in: 0...23) << 11 | part(minute, in: 0...59) << 5 | halves)
    }
}

private struct LittleEndianBytes {
    var bytes: [UInt8] = []

    mutating func append<Value: FixedWidthInteger>(_ value: Value) {
        for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
        }
    }
}
