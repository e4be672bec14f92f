/// Finds and reads the central directory at the end of a zip file.
///
/// ```
/// [bytes before] entry… directory [ZIP64 end, ZIP64 locator] end [comment] [bytes after]
/// ```
/// Recorded offsets count from the start of the archive, which other bytes can precede. `shift` is
/// their number: the actual offset of the directory minus the recorded one.
struct ZipDirectory {
    private let file: RandomAccessFile
    private let bytes: [UInt8]
    private let start: Int64
    private let shift: Int64
    private let declaredEntryCount: UInt64

    private static let endSignature: UInt32 = 0x0605_4b50
    private static let maximumDirectorySize: Int64 = 64 << 20

    init(file: RandomAccessFile) throws(ArchiveError) {
        let tailLength = Int(min(file.byteCount, 65_557))
        let tailStart = file.byteCount - Int64(tailLength)
        guard let tail = try file.bytes(at: tailStart, count: tailLength), tailLength >= 22 else {
            throw ArchiveError(.noDirectory, in: file.path)
        }
        var found: Extent?
        // From the end backwards: the end record is after the entries, whose data can contain other
        // zips. A candidate whose directory isn't where its size says is skipped, for example one
        // in the archive's comment.
        for index in stride(from: tailLength - 22, through: 0, by: -1)
        where tail[index] == 0x50 && tail.littleEndian32(at: index) == ZipDirectory.endSignature {
            let end = Array(tail[index..<index + 22])
            if let extent = try ZipDirectory.extent(end, at: tailStart + Int64(index), in: file) {
                found = extent
                break
            }
        }
        guard let found else { throw ArchiveError(.noDirectory, in: file.path) }
        guard found.byteCount <= ZipDirectory.maximumDirectorySize else {
            throw ArchiveError(.directoryTooLarge, in: file.path, at: found.start)
        }
        guard let bytes = try file.bytes(at: found.start, count: Int(found.byteCount)) else {
            throw ArchiveError(.noDirectory, in: file.path, at: found.start)
        }
        self.file = file
        self.bytes = bytes
        start = found.start
        shift = found.shift
        declaredEntryCount = found.entries
    }

    private struct Extent {
        var start: Int64
        var byteCount: Int64
        var shift: Int64
        var entries: UInt64
    }

    /// Returns the directory's extent according to the end record `end` at offset `position`, or
    /// nil if no directory of that size precedes the record. Throws for an archive of several
    /// parts.
    private static func extent(
        _ end: [UInt8], at position: Int64, in file: RandomAccessFile
    ) throws(ArchiveError) -> Extent? {
        guard position + 22 + Int64(end.littleEndian16(at: 20)) <= file.byteCount else {
            return nil
        }
        var entries = UInt64(end.littleEndian16(at: 10))
        var byteCount = UInt64(end.littleEndian32(at: 12))
        var declaredStart = UInt64(end.littleEndian32(at: 16))
        var disk = UInt32(end.littleEndian16(at: 4))
        var directoryEnd = position
        let needsZip64 =
            entries == 0xFFFF || byteCount == 0xFFFF_FFFF || declaredStart == 0xFFFF_FFFF
        if needsZip64, let (record, place) = try zip64End(before: position, in: file) {
            disk = record.littleEndian32(at: 16)
            entries = record.littleEndian64(at: 32)
            byteCount = record.littleEndian64(at: 40)
            declaredStart = record.littleEndian64(at: 48)
            directoryEnd = place
        }
        guard byteCount <= UInt64(directoryEnd), declaredStart <= UInt64(directoryEnd) else {
            return nil
        }
        let start = directoryEnd - Int64(byteCount)
        if byteCount > 0 {
            guard let first = try file.bytes(at: start, count: 4),
                first.littleEndian32(at: 0) == 0x0201_4b50
            else { return nil }
        }
        guard disk == 0 || disk == 0xFFFF else {
            throw ArchiveError(.severalDisks, in: file.path, at: position)
        }
        return Extent(
            start: start, byteCount: Int64(byteCount), shift: start - Int64(declaredStart),
            entries: entries)
    }

    /// Returns the ZIP64 end record that the locator before `position` points to, and the offset of
    /// the record; nil if there is none.
    private static func zip64End(
        before position: Int64, in file: RandomAccessFile
    ) throws(ArchiveError) -> (record: [UInt8], place: Int64)? {
        guard let locator = try file.bytes(at: position - 20, count: 20),
            locator.littleEndian32(at: 0) == 0x0706_4b50
        else { return nil }
        let declaredOffset = locator.littleEndian64(at: 8)
        // With bytes before the archive the recorded offset is wrong. The record then directly
        // precedes the locator.
        for place in [Int64(exactly: declaredOffset), position - 20 - 56] {
            guard let place, place <= position - 20 - 56,
                let record = try file.bytes(at: place, count: 56),
                record.littleEndian32(at: 0) == 0x0606_4b50
            else { continue }
            return (record, place)
        }
        return nil
    }

    /// Returns the files in the directory, without folders and files that macOS adds, each with the
    /// limit of its data.
    ///
    /// - Throws: ``ArchiveError``: `damagedDirectory`, `directoryTooLarge`, `unsafeName`,
    ///   `duplicateName` or `overlappingEntries`.
    func entries() throws(ArchiveError) -> [ZipEntry] {
        var all: [ZipEntry] = []
        var names: Set<String> = []
        var index = 0
        while index + 46 <= bytes.count, bytes.littleEndian32(at: index) == 0x0201_4b50 {
            guard all.count < ZipArchive.maximumEntries else {
                throw ArchiveError(.directoryTooLarge, in: file.path, at: start)
            }
            let entry = try entry(at: index)
            guard ZipEntry.isSafe(entry.path) else {
                throw ArchiveError(
                    .unsafeName, in: "\(file.path)/\(entry.path)", at: entry.headerOffset)
            }
            guard names.insert(entry.path).inserted else {
                throw ArchiveError(
                    .duplicateName, in: "\(file.path)/\(entry.path)", at: entry.headerOffset)
            }
            all.append(entry)
            index += 46 + length(at: index)
        }
        // Writers without ZIP64 record the count modulo 65,536.
        guard index == bytes.count, all.count & 0xFFFF == Int(declaredEntryCount & 0xFFFF) else {
            throw ArchiveError(.damagedDirectory, in: file.path, at: start + Int64(index))
        }
        try limit(&all)
        return all.filter { !$0.path.hasSuffix("/") && !ZipEntry.isMacJunk($0.path) }
    }

    /// The total length in bytes of name, extra field and comment of the directory entry at
    /// `index`.
    private func length(at index: Int) -> Int {
        Int(bytes.littleEndian16(at: index + 28)) + Int(bytes.littleEndian16(at: index + 30))
            + Int(bytes.littleEndian16(at: index + 32))
    }

    private func entry(at index: Int) throws(ArchiveError) -> ZipEntry {
        let damaged = ArchiveError(.damagedDirectory, in: file.path, at: start + Int64(index))
        let nameEnd = index + 46 + Int(bytes.littleEndian16(at: index + 28))
        guard index + 46 + length(at: index) <= bytes.count else { throw damaged }
        let flags = bytes.littleEndian16(at: index + 8)
        var sizes = [
            UInt64(bytes.littleEndian32(at: index + 24)),
            UInt64(bytes.littleEndian32(at: index + 20)),
            UInt64(bytes.littleEndian32(at: index + 42)),
        ]
        try widen(&sizes, extra: nameEnd..<nameEnd + Int(bytes.littleEndian16(at: index + 30)))
        guard sizes[0] <= UInt64(Int64.max), sizes[1] <= UInt64(start),
            sizes[2] <= UInt64(start)
        else { throw damaged }
        let offset = Int64(sizes[2]) + shift
        guard offset >= 0, offset < start else { throw damaged }
        return ZipEntry(
            path: ZipEntry.text(of: bytes[index + 46..<nameEnd]), byteCount: Int64(sizes[0]),
            compressedByteCount: Int64(sizes[1]), method: Int(bytes.littleEndian16(at: index + 10)),
            isEncrypted: flags & 0x2041 != 0, checksum: bytes.littleEndian32(at: index + 16),
            headerOffset: offset, limit: start)
    }

    /// Replaces the sizes and the offset that are 0xFFFFFFFF, because they don't fit 32 bits, by
    /// those in the ZIP64 extra field, if there is one.
    private func widen(_ sizes: inout [UInt64], extra: Range<Int>) throws(ArchiveError) {
        var index = extra.lowerBound
        while index + 4 <= extra.upperBound {
            let end = index + 4 + Int(bytes.littleEndian16(at: index + 2))
            guard end <= extra.upperBound else { break }
            if bytes.littleEndian16(at: index) == 1 {
                var field = index + 4
                for position in sizes.indices where sizes[position] == 0xFFFF_FFFF {
                    guard field + 8 <= end else { break }
                    sizes[position] = bytes.littleEndian64(at: field)
                    field += 8
                }
                return
            }
            index = end
        }
    }

    /// Sets each entry's limit to the header of the entry that follows it in the file; that of the
    /// last one stays the start of the directory. Throws if an entry exceeds its limit.
    private func limit(_ entries: inout [ZipEntry]) throws(ArchiveError) {
        let order = entries.indices.sorted { entries[$0].headerOffset < entries[$1].headerOffset }
        for (index, following) in zip(order, order.dropFirst()) {
            entries[index].limit = entries[following].headerOffset
        }
        for entry in entries
        where entry.headerOffset + 30 > entry.limit - entry.compressedByteCount {
            throw ArchiveError(
                .overlappingEntries, in: "\(file.path)/\(entry.path)", at: entry.headerOffset)
        }
    }
}
