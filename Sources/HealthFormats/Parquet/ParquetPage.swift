/// The headers of pages, and the definition levels before their values.
enum ParquetPage {
    /// The numbers of encodings in Parquet's metadata.
    enum Encoding {
        static let plain: Int32 = 0
        static let runs: Int32 = 3
        static let dictionary: Int32 = 8
    }

    /// Returns the header of a data page (version 1).
    static func dataHeader(
        values: Int, encoding: Int32, size: Int, compressedSize: Int
    ) -> [UInt8] {
        var page = CompactThrift()
        page.add(1, int32: Int32(clamping: values))
        page.add(2, int32: encoding)
        page.add(3, int32: Encoding.runs)
        page.add(4, int32: Encoding.runs)
        return header(kind: 0, size, compressedSize) { $0.add(5, structure: page.structure) }
    }

    /// Returns the header of a dictionary page.
    static func dictionaryHeader(values: Int, size: Int, compressedSize: Int) -> [UInt8] {
        var page = CompactThrift()
        page.add(1, int32: Int32(clamping: values))
        page.add(2, int32: Encoding.plain)
        return header(kind: 2, size, compressedSize) { $0.add(7, structure: page.structure) }
    }

    private static func header(
        kind: Int32, _ size: Int, _ compressedSize: Int, _ content: (inout CompactThrift) -> Void
    ) -> [UInt8] {
        var header = CompactThrift()
        header.add(1, int32: kind)
        header.add(2, int32: Int32(clamping: size))
        header.add(3, int32: Int32(clamping: compressedSize))
        content(&header)
        return header.structure
    }
}

/// Which rows of a page have a value: one definition level a row.
struct DefinitionLevels {
    private(set) var rows = 0
    private(set) var nulls = 0
    /// The levels; empty as long as no row is null, or all rows are.
    private var levels: [UInt32] = []

    mutating func addValue() {
        if nulls > 0 {
            if levels.isEmpty { levels = Array(repeating: 0, count: rows) }
            levels.append(1)
        }
        rows += 1
    }

    mutating func addNull() {
        if nulls < rows {
            if levels.isEmpty { levels = Array(repeating: 1, count: rows) }
            levels.append(0)
        }
        nulls += 1
        rows += 1
    }

    /// Appends the levels with their length.
    func append(to bytes: inout [UInt8]) {
        var runs: [UInt8] = []
        if levels.isEmpty {
            HybridRuns.run(of: nulls > 0 ? 0 : 1, count: rows, 1, to: &runs)
        } else {
            HybridRuns.append(levels, width: 1, to: &runs)
        }
        withUnsafeBytes(of: UInt32(runs.count).littleEndian) { bytes += $0 }
        bytes += runs
    }
}
