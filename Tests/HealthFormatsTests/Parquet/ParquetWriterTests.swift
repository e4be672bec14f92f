import Foundation
import HealthTesting
import Testing

@testable import HealthFormats

@Suite struct ParquetWriterTests {
    @Test(
        "random tables are the same for DuckDB, pyarrow and polars",
        .inTestAll, .comparedWithParquetReaders)
    func readers() throws {
        let python = try #require(Python.withParquetTools)
        let folder = try TemporaryFolder()
        let count = TestTier.count(quick: 40, all: 200, torture: 3_000)
        let seeds = TestTier.seeds(count, from: 1)
        for seed in seeds {
            let table = RandomTable(seed: seed)
            let path = URL(fileURLWithPath: folder.path + "/\(seed).parquet")
            try Data(table.parquet()).write(to: path)
            try Data(table.expected.utf8).write(
                to: path.deletingPathExtension().appendingPathExtension("txt"))
        }
        let script = ProjectFiles.tests
            .appendingPathComponent("HealthFormatsTests/Parquet/ReadParquet.py")
        let read = try Python.run(script: script, [folder.path], by: python)
        #expect(read == String(count), "seeds from \(seeds.first ?? 0)")
    }

    @Test("runs and groups decode to the numbers that were encoded, in every width")
    func hybridRuns() {
        let seed = TestTier.seed(1)
        var random = SeededRandom(seed: seed)
        for width in 1...20 {
            for length in [0, 1, 7, 8, 9, 16, 63, 500] {
                var values: [UInt32] = []
                while values.count < length {
                    let value = UInt32.random(in: 0..<UInt32(1) << width, using: &random)
                    let times =
                        Bool.random(using: &random) ? 1 : Int.random(in: 1...40, using: &random)
                    values += Array(repeating: value, count: times)
                }
                values = Array(values.prefix(length))
                var bytes: [UInt8] = []
                HybridRuns.append(values, width: width, to: &bytes)
                let decoded = Self.decode(bytes, width: width)
                #expect(Array(decoded.prefix(length)) == values, "seed \(seed), width \(width)")
                #expect(decoded.count < length + 8)
            }
        }
    }

    /// Decodes bit by bit, as the format's specification describes it.
    private static func decode(_ bytes: [UInt8], width: Int) -> [UInt32] {
        var values: [UInt32] = []
        var place = 0
        func number() -> Int {
            var (result, shift) = (0, 0)
            while true {
                let byte = Int(bytes[place])
                place += 1
                result += (byte & 0x7F) << shift
                if byte < 0x80 { return result }
                shift += 7
            }
        }
        while place < bytes.count {
            let header = number()
            if header & 1 == 0 {
                var value: UInt32 = 0
                for byte in 0..<(width + 7) / 8 {
                    value |= UInt32(bytes[place + byte]) << (8 * byte)
                }
                place += (width + 7) / 8
                values += Array(repeating: value, count: header >> 1)
            } else {
                for index in 0..<(header >> 1) * 8 {
                    var value: UInt32 = 0
                    for bit in 0..<width {
                        let position = index * width + bit
                        let byte = bytes[place + position / 8]
                        value |= UInt32(byte >> (position % 8) & 1) << bit
                    }
                    values.append(value)
                }
                place += (header >> 1) * width
            }
        }
        return values
    }

    @Test("fields have the codes of Thrift's compact protocol")
    func thrift() {
        var inner = CompactThrift()
        inner.add(1, flag: true)
        var outer = CompactThrift()
        outer.add(1, int32: -1)
        outer.add(3, int64: 300)
        outer.add(20, text: "é")
        outer.add(21, structure: inner.structure)
        outer.add(22, int32s: [1, 2])
        #expect(
            outer.structure == [
                0x15, 1, 0x26, 0xD8, 4, 8, 40, 2, 0xC3, 0xA9, 0x1C, 0x11, 0, 0x19, 0x25, 2, 4, 0,
            ])
    }

    @Test("a row group ends at its number of rows and at its size, so memory doesn't grow")
    func groups() throws {
        var options = ParquetOptions()
        options.rowsPerGroup = 10
        options.bytesPerGroup = 1_000
        for (text, expected) in [("a", 10), (String(repeating: "b", count: 300), 4)] {
            var sizes: [Int] = []
            let writer = try ParquetWriter([.init("text", .text, .plain)], options: options) {
                sizes.append($0.count)
            }
            for _ in 0..<expected { try writer.append([.text(text)]) }
            // The start of the file, and the column of the first row group.
            #expect(sizes.count == 2)
            try writer.append([.text(text)])
            #expect(sizes.count == 2)
            try writer.close()
            #expect(writer.rows == expected + 1)
        }
    }

    @Test("rows that don't fit the columns, and rows after the end, are errors")
    func errors() throws {
        #expect(throws: ParquetError.invalidColumns) { try ParquetWriter([]) { _ in } }
        #expect(throws: ParquetError.invalidColumns) {
            try ParquetWriter([.init("a", .int32), .init("a", .text)]) { _ in }
        }
        func writer() throws -> ParquetWriter {
            try ParquetWriter([.init("a", .int32)]) { _ in }
        }
        #expect(throws: ParquetError.rowLength(expected: 1, actual: 2)) {
            try writer().append([.int32(1), .null])
        }
        let broken = try writer()
        #expect(throws: ParquetError.valueKind(column: "a")) { try broken.append([.text("1")]) }
        #expect(throws: ParquetError.closed) { try broken.append([.int32(1)]) }
        let closed = try writer()
        try closed.close()
        #expect(throws: ParquetError.closed) { try closed.append([.int32(1)]) }
        #expect(throws: ParquetError.closed) { try closed.close() }
    }
}
