import CZlib

/// Writes zips byte by byte, with an optional fault. It shares no code with the tested writer.
struct ZipBuilder {
    struct Entry {
        var name: [UInt8]
        var content: [UInt8]
        var isDeflated = true
    }

    /// The faults that a zip can have.
    enum Fault: CaseIterable {
        case checksum, smallerSize, largerSize, overlap, method, encrypted, localName, offset
        case manyEntries, truncated, noDirectory, comment, prefix, zip64, descriptor, hugeSize
        case directoryCount, stray
    }

    var entries: [Entry] = []
    var fault: Fault?

    func bytes(_ random: inout SeededRandom) -> [UInt8] {
        var zip: [UInt8] = fault == .prefix ? random.bytes(1 + random.below(3000)) : []
        var directory: [UInt8] = []
        var count = 0
        let corruptedIndex = random.below(max(1, entries.count))
        var offsets: [Int] = []
        for (index, entry) in entries.enumerated() {
            let fault = index == corruptedIndex ? fault : nil
            let packed = entry.isDeflated ? ZipBuilder.deflated(entry.content) : entry.content
            offsets.append(zip.count)
            let header = Header(entry, packed.count, fault, &random)
            zip += header.local + packed
            if fault == .descriptor { zip += header.descriptor }
            let at = fault == .overlap ? offsets[random.below(offsets.count)] : offsets[index]
            let moved = fault == .offset ? at + random.int(1...100_000) : at
            let copies = fault == .manyEntries ? 1 + random.below(3000) : 1
            for _ in 0..<copies { directory += header.central(moved) }
            count += copies
        }
        let start = zip.count
        if fault == .stray { zip += random.bytes(random.below(400)) }
        if fault != .noDirectory { zip += directory }
        if fault == .directoryCount { count += random.int(-1...60_000) }
        zip += ZipBuilder.end(count, directory.count, start, fault, &random)
        if fault == .truncated { zip.removeLast(random.below(zip.count)) }
        return zip
    }

    /// The fields of an entry that both its headers contain.
    private struct Header {
        var name: [UInt8]
        var method: Int
        var flags: Int
        var checksum: Int
        var packed: Int
        var size: Int
        var isZip64: Bool
        var localName: [UInt8]

        init(_ entry: Entry, _ packed: Int, _ fault: Fault?, _ random: inout SeededRandom) {
            name = entry.name
            localName = fault == .localName ? Array("other.xml".utf8) : entry.name
            method = fault == .method ? random.pick([12, 14, 93, 99, 65_535], or: 99) : 0
            if fault != .method { method = entry.isDeflated ? 8 : 0 }
            flags =
                fault == .encrypted ? 1 : fault == .descriptor ? 8 : random.percent(50) ? 0x800 : 0
            checksum = Int(ZipBuilder.checksum(entry.content))
            if fault == .checksum { checksum ^= 1 << random.below(32) }
            self.packed = packed
            size = entry.content.count
            isZip64 = fault == .zip64
            switch fault {
            case .smallerSize: size = random.below(size)
            case .largerSize: size += random.int(1...100_000)
            case .hugeSize:
                size = 0xFFFF_FFF0
                self.packed = random.percent(50) ? packed : 0xFFFF_FFF0
            default: break
            }
        }

        var local: [UInt8] {
            let isLater = flags & 8 != 0
            return word(0x0403_4B50, 4) + word(20, 2) + word(flags, 2) + word(method, 2)
                + word(0, 4) + word(isLater ? 0 : checksum, 4) + word(isLater ? 0 : packed, 4)
                + word(isLater ? 0 : size, 4) + word(localName.count, 2) + word(0, 2) + localName
        }

        var descriptor: [UInt8] {
            word(0x0807_4B50, 4) + word(checksum, 4) + word(packed, 4) + word(size, 4)
        }

        func central(_ offset: Int) -> [UInt8] {
            let extra =
                isZip64
                ? word(1, 2) + word(24, 2) + word(size, 8) + word(packed, 8) + word(offset, 8) : []
            let full = 0xFFFF_FFFF
            return word(0x0201_4B50, 4) + word(0x0314, 2) + word(20, 2) + word(flags, 2)
                + word(method, 2) + word(0, 4) + word(checksum, 4)
                + word(isZip64 ? full : packed, 4) + word(isZip64 ? full : size, 4)
                + word(name.count, 2) + word(extra.count, 2) + word(0, 2) + word(0, 2) + word(0, 2)
                + word(0o100_600 << 16, 4) + word(isZip64 ? full : offset, 4) + name + extra
        }
    }

    private static func end(
        _ count: Int, _ length: Int, _ start: Int, _ fault: Fault?, _ random: inout SeededRandom
    ) -> [UInt8] {
        // A comment that looks like an end record.
        let comment = fault == .comment ? word(0x0605_4B50, 4) + random.bytes(random.below(90)) : []
        return word(0x0605_4B50, 4) + word(0, 4) + word(count & 0xFFFF, 2) + word(count & 0xFFFF, 2)
            + word(length, 4) + word(start, 4) + word(comment.count, 2) + comment
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt {
        bytes.withUnsafeBufferPointer { UInt(crc32(0, $0.baseAddress, uInt($0.count))) }
    }

    /// Compresses to raw deflate.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return [] }
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(input.count))))
        let length = input.count
        let capacity = output.count
        return input.withUnsafeMutableBufferPointer { from in
            output.withUnsafeMutableBufferPointer { to in
                stream.next_in = from.baseAddress
                stream.avail_in = uInt(length)
                stream.next_out = to.baseAddress
                stream.avail_out = uInt(capacity)
                deflate(&stream, Z_FINISH)
                return Array(to.prefix(capacity - Int(stream.avail_out)))
            }
        }
    }
}

/// Returns a number as little-endian bytes.
private func word(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}
