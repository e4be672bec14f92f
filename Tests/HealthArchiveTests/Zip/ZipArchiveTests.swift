import HealthTesting
import Testing

@testable import HealthArchive

@Suite("Zip archives")
struct ZipArchiveTests {
    private let folder: TemporaryFolder
    private let content = Array((0..<5000).map { "line \($0)\n" }.joined().utf8)

    init() throws { folder = try TemporaryFolder() }

    private func archive(_ zip: CraftedZip) throws -> ZipArchive {
        try ZipArchive(path: folder.write("test.zip", zip.bytes))
    }

    private func code(_ body: () throws -> Void) -> ArchiveError.Code? {
        do { try body() } catch { return (error as? ArchiveError)?.code }
        return nil
    }

    /// Returns the error of opening `zip`, or of reading its first entry.
    private func failure(_ zip: CraftedZip) -> ArchiveError.Code? {
        code {
            let archive = try archive(zip)
            _ = try MemoryStream.readAll(archive.open(try #require(archive.entries.first)))
        }
    }

    @Test(
        "stored and deflated entries are read, in any piece size", arguments: [1, 7, 4096, 1 << 20])
    func contents(piece: Int) throws {
        let archive = try archive(
            CraftedZip([
                .init("a/stored.xml", content, method: 0), .init("a/deflated.xml", content),
                .init("empty", [], method: 0), .init("none", []),
            ]))
        #expect(archive.entries.map(\.byteCount) == [48890, 48890, 0, 0])
        for (entry, expected) in zip(archive.entries, [content, content, [], []]) {
            let stream = try archive.open(entry)
            #expect(try MemoryStream.readAll(stream, piece: piece) == expected)
            #expect(stream.consumedByteCount == entry.compressedByteCount)
        }
    }

    @Test("ZIP64 fields, data descriptors, leading bytes and comments are supported")
    func layouts() throws {
        var large = CraftedZip.Entry("export.xml", content)
        large.isZip64 = true
        var later = CraftedZip.Entry("later.xml", content)
        later.hasDescriptor = true
        for isZip64 in [false, true] {
            for prefix in [[], Array("#!/bin/sh\n".utf8)] {
                var zip = CraftedZip([large, later])
                zip.isZip64 = isZip64
                zip.prefix = prefix
                zip.comment = Array("a comment with PK\u{5}\u{6} in it, and more text".utf8)
                let archive = try archive(zip)
                #expect(archive.entries.map(\.path) == ["export.xml", "later.xml"])
                for entry in archive.entries {
                    #expect(try MemoryStream.readAll(archive.open(entry)) == content)
                }
            }
        }
    }

    @Test("names are UTF-8 without the flag, else code page 437, and equal in either normal form")
    func names() throws {
        let archive = try archive(
            CraftedZip([
                .init("導出.xml", []), .init("exportacio\u{301}n.xml", []),
                .init(bytes: [0x8D, 0xE1, 0xFF], []),
            ]))
        #expect(archive.entries.map(\.path) == ["導出.xml", "exportación.xml", "ìß\u{A0}"])
    }

    @Test("folders and files that macOS adds are omitted")
    func junk() throws {
        let archive = try archive(
            CraftedZip([
                .init("a/", []), .init("__MACOSX/a/._export.xml", []), .init("a/.DS_Store", []),
                .init("a/._export.xml", []), .init("a/export.xml", []),
            ]))
        #expect(archive.entries.map(\.path) == ["a/export.xml"])
    }

    @Test(
        "an archive with a path outside its folder is rejected",
        arguments: [
            "../export.xml", "a/../../b", "/etc/passwd", "a\\b.xml", "..", "C:export.xml", "a/..",
            "a\u{0}b", "",
        ])
    func unsafeNames(name: String) {
        #expect(failure(CraftedZip([.init("export.xml", []), .init(name, [])])) == .unsafeName)
    }

    @Test(
        "harmless dots in names are allowed", arguments: ["a..b/c...xml", "./export.xml", "..."])
    func harmlessDots(name: String) {
        #expect(failure(CraftedZip([.init(name, [])])) == nil)
    }

    @Test("duplicate names are rejected, in any normal form")
    func duplicates() {
        #expect(
            failure(CraftedZip([.init("\u{E9}.xml", []), .init("e\u{301}.xml", [])]))
                == .duplicateName)
    }

    @Test("overlapping entries are rejected")
    func overlaps() {
        var second = CraftedZip.Entry("b", content)
        second.declaredOffset = 0
        #expect(failure(CraftedZip([.init("a", content), second])) == .overlappingEntries)
        second.declaredOffset = 20
        #expect(failure(CraftedZip([.init("a", content), second])) == .overlappingEntries)
        var first = CraftedZip.Entry("a", content)
        first.declaredCompressedByteCount = UInt64(first.data.count) + 1
        #expect(failure(CraftedZip([first, .init("b", content)])) == .overlappingEntries)
        #expect(failure(CraftedZip([first])) == .overlappingEntries)
    }

    @Test("encryption and unsupported compression methods are errors")
    func methods() {
        var entry = CraftedZip.Entry("a", content)
        entry.flags = 1
        #expect(failure(CraftedZip([entry])) == .encrypted)
        entry.flags = 0
        entry.method = 93
        #expect(failure(CraftedZip([entry])) == .unsupportedCompression(method: 93))
    }

    @Test("a compression bomb is rejected before inflation")
    func bomb() throws {
        var entry = CraftedZip.Entry("a", [UInt8](repeating: 0, count: 1 << 20))
        entry.byteCount = 1 << 32
        entry.isZip64 = true
        #expect(failure(CraftedZip([entry])) == .compressionBomb)
        // Small entries are accepted. None yields more bytes than it claims.
        entry.byteCount = 1 << 20
        #expect(failure(CraftedZip([entry])) == nil)
        entry.byteCount = 1000
        #expect(failure(CraftedZip([entry])) == .sizeMismatch)
        entry.byteCount = 1 << 21
        #expect(failure(CraftedZip([entry])) == .sizeMismatch)
    }

    @Test("an entry never yields more bytes than declared")
    func overfullEntry() throws {
        var entry = CraftedZip.Entry("a", content)
        entry.byteCount = 1000
        let archive = try archive(CraftedZip([entry]))
        let stream = try archive.open(archive.entries[0])
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 300, alignment: 1)
        defer { buffer.deallocate() }
        for _ in 0..<3 { #expect(try stream.read(into: buffer) == 300) }
        #expect(code { _ = try stream.read(into: buffer) } == .sizeMismatch)
    }

    @Test("damaged data are found, whatever the damage")
    func damage() {
        for method: UInt16 in [0, 8] {
            var entry = CraftedZip.Entry("a", content, method: method)
            entry.checksum ^= 1
            #expect(failure(CraftedZip([entry])) == .checksumMismatch)
        }
        var stored = CraftedZip.Entry("a", content, method: 0)
        stored.byteCount += 1
        #expect(failure(CraftedZip([stored])) == .sizeMismatch)
        var cut = CraftedZip.Entry("a", content)
        cut.data = Array(cut.data.dropLast(10))
        #expect(failure(CraftedZip([cut])) == .truncatedData)
        cut.data = []
        #expect(failure(CraftedZip([cut])) == .truncatedData)
        var junk = CraftedZip.Entry("a", content)
        junk.data[5] ^= 0xFF
        #expect(failure(CraftedZip([junk])) != nil)
        junk.data = [0xFF, 0xFF, 0xFF, 0xFF]
        #expect(failure(CraftedZip([junk])) == .damagedData)
    }

    @Test("missing, truncated and contradictory directories are different errors")
    func directories() throws {
        let zip = CraftedZip([.init("a", content), .init("b", content)])
        let whole = zip.bytes
        for length in [0, 1, 21, 100, whole.count - 1] {
            #expect(
                code { _ = try ZipArchive(path: folder.write("cut.zip", Array(whole[..<length]))) }
                    == .noDirectory, "\(length)")
        }
        var wrong = zip
        wrong.entryCount = 3
        #expect(failure(wrong) == .damagedDirectory)
        wrong = zip
        wrong.disk = 1
        #expect(failure(wrong) == .severalDisks)
        var headless = whole
        headless[0] = 0
        let archive = try ZipArchive(path: folder.write("headless.zip", headless))
        #expect(code { _ = try archive.open(archive.entries[0]) } == .damagedDirectory)
        #expect(try self.archive(CraftedZip([])).entries == [])
    }

    @Test("no change of a byte makes the reader trap, loop or give other data", arguments: 0..<8)
    func fuzz(batch: UInt64) throws {
        var large = CraftedZip.Entry("b/large.xml", content)
        large.isZip64 = true
        var zip = CraftedZip([.init("a.xml", content), large, .init("c", [1, 2, 3], method: 0)])
        zip.isZip64 = batch.isMultiple(of: 2)
        zip.comment = [1, 2, 3]
        let bytes = zip.bytes
        var random = SeededRandom(seed: batch)
        for round in 0..<150 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                // Mostly in the headers at the end.
                let start = Bool.random(using: &random) ? bytes.count - 300 : 0
                let place = Int.random(in: start..<bytes.count, using: &random)
                changed[place] =
                    [0, 0xFF, 0x7F, UInt8.random(in: 0...255, using: &random)]
                    .randomElement(using: &random) ?? 0
            }
            if round.isMultiple(of: 5) {
                changed.removeFirst(Int.random(in: 0...60, using: &random))
            }
            do {
                let archive = try ZipArchive(path: folder.write("fuzz.zip", changed))
                for entry in archive.entries {
                    let read = try MemoryStream.readAll(archive.open(entry))
                    #expect(
                        read == content || read == [1, 2, 3] || read.isEmpty,
                        "batch \(batch), round \(round)")
                }
            } catch is ArchiveError {}
        }
    }
}

@Suite("Zip writer")
struct ZipWriterTests {
    private let folder: TemporaryFolder
    private let modified = ZipTimestamp(
        year: 2024, month: 3, day: 10, hour: 12, minute: 30, second: 59)

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ entries: [(String, [UInt8], ExportArchive.Compression)])
        throws
        -> String
    {
        let path = folder.path + "/" + name
        let writer = try ZipWriter(path: path, modified: modified)
        for (name, bytes, compression) in entries {
            try writer.begin(name, compression: compression)
            for start in stride(from: 0, to: bytes.count, by: 1000) {
                let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1000, alignment: 1)
                defer { buffer.deallocate() }
                let piece = bytes[start..<min(start + 1000, bytes.count)]
                buffer.copyBytes(from: piece)
                try writer.write(UnsafeRawBufferPointer(rebasing: buffer[..<piece.count]))
            }
        }
        try writer.finish()
        return path
    }

    @Test("what is written is read again, and equal calls give equal bytes")
    func roundTrip() throws {
        let content = Array((0..<50_000).map { "line \($0)\n" }.joined().utf8)
        let entries: [(String, [UInt8], ExportArchive.Compression)] = [
            ("apple_health_export/書き出したデータ.xml", content, .deflated(level: 6)),
            ("apple_health_export/fast.xml", content, .deflated(level: 1)),
            ("stored.bin", content, .stored), ("empty", [], .deflated(level: 9)),
        ]
        let path = try write("one.zip", entries)
        let archive = try ZipArchive(path: path)
        #expect(archive.entries.map(\.path) == entries.map(\.0))
        for (entry, (_, bytes, _)) in zip(archive.entries, entries) {
            #expect(try MemoryStream.readAll(archive.open(entry)) == bytes)
        }
        let other = try write("two.zip", entries)
        let bytes = try MemoryStream.readAll(StoredStream(file: RandomAccessFile(path: path)))
        // Sequential readers need the sizes in the local headers too.
        for entry in archive.entries {
            let header = Array(bytes[Int(entry.headerOffset)...].prefix(30))
            #expect(header.littleEndian32(at: 14) == entry.checksum)
            #expect(Int64(header.littleEndian32(at: 18)) == entry.compressedByteCount)
            #expect(Int64(header.littleEndian32(at: 22)) == entry.byteCount)
        }
        #expect(
            try bytes == MemoryStream.readAll(StoredStream(file: RandomAccessFile(path: other))))
    }

    @Test("65,535 entries and more are counted in ZIP64", .inTestAll)
    func manyEntries() throws {
        let path = folder.path + "/many.zip"
        let writer = try ZipWriter(path: path, modified: modified)
        for number in 0..<65_540 { try writer.begin("\(number)", compression: .stored) }
        try writer.finish()
        #expect(try ZipArchive(path: path).entries.count == 65_540)
    }

    @Test(
        "unusable entry names are rejected",
        arguments: ["", "../a", "/a", "a\\b", "twice"])
    func names(name: String) throws {
        let writer = try ZipWriter(path: folder.path + "/a.zip", modified: modified)
        try writer.begin("twice")
        #expect {
            try writer.begin(name)
        } throws: {
            ($0 as? ArchiveError)?.code == .unusableName
        }
    }

    @Test("an unwritable path is an error with the system's reason")
    func unwritable() throws {
        #expect {
            _ = try ZipWriter(path: folder.path + "/none/a.zip", modified: modified)
        } throws: { error in
            guard case .unwritable = (error as? ArchiveError)?.code else { return false }
            return true
        }
        let full = try ZipWriter(path: "/dev/full", modified: modified)
        #expect(throws: ArchiveError.self) {
            try full.begin("a", compression: .stored)
        }
    }
}
