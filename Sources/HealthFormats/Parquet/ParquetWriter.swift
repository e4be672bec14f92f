/// A writer of Parquet files: one table of flat columns, row by row, in row groups of bounded size.
///
/// ```swift
/// let writer = try ParquetWriter([.init("day", .date), .init("steps", .double)]) { bytes += $0 }
/// try writer.append([.date(19_792), .double(8_214)])
/// try writer.append([.date(19_793), .null])
/// try writer.close()
/// ```
/// The file format is that of https://parquet.apache.org/docs/file-format/: data pages of version
/// 1, plain values or dictionaries, definition levels for nulls, statistics of each row group.
/// Memory: the values of one row group, see ``ParquetOptions``.
package final class ParquetWriter {
    private let columns: [ParquetColumn]
    private let metadata: [(key: String, value: String)]
    private let creator: String
    private let options: ParquetOptions
    private let sink: ([UInt8]) throws -> Void
    private var chunks: [ParquetChunk] = []

    private var offset: Int64 = 0
    private var groupRows = 0
    private var groupBytes = 0
    private var groups: [[UInt8]] = []
    private var isOpen = true
    /// The number of rows so far.
    package private(set) var rows = 0

    private static let magic = Array("PAR1".utf8)

    /// Creates a writer and passes the start of the file to the sink.
    ///
    /// - Parameters:
    ///   - columns: The columns, with different names.
    ///   - metadata: Facts about the file, which readers show as its key-value metadata.
    ///   - creator: The program that writes the file.
    ///   - options: Sizes and compression.
    ///   - sink: Receives the bytes of the file in order, at most a row group's column at a time.
    /// - Throws: ``ParquetError``, and errors of the sink.
    package init(
        _ columns: [ParquetColumn], metadata: [(key: String, value: String)] = [],
        creator: String = "OpenHealthKit", options: ParquetOptions = ParquetOptions(),
        to sink: @escaping ([UInt8]) throws -> Void
    ) throws {
        guard !columns.isEmpty, Set(columns.map(\.name)).count == columns.count,
            !columns.contains(where: \.name.isEmpty)
        else { throw ParquetError.invalidColumns }
        self.columns = columns
        self.metadata = metadata
        self.creator = creator
        self.options = options
        self.sink = sink
        let compressor = try ParquetCompressor(options.compression)
        let uncompressed = try ParquetCompressor(.none)
        chunks = columns.map {
            ParquetChunk($0, options, $0.encoding == .incompressible ? uncompressed : compressor)
        }
        try put(ParquetWriter.magic)
    }

    /// Appends a row.
    ///
    /// - Parameter row: A value for each column, of the column's type or null.
    /// - Throws: ``ParquetError``, and errors of the sink. Then the file is unusable.
    /// - Complexity: O(columns), and at the end of a row group O(its values).
    package func append(_ row: [ParquetValue]) throws {
        guard isOpen else { throw ParquetError.closed }
        guard row.count == columns.count else {
            throw ParquetError.rowLength(expected: columns.count, actual: row.count)
        }
        isOpen = false
        groupBytes += try ParquetWriter.append(row, to: &chunks)
        groupRows += 1
        rows += 1
        if groupRows >= options.rowsPerGroup || groupBytes >= options.bytesPerGroup {
            try finishGroup()
        }
        isOpen = true
    }

    /// Passes the rest of the file to the sink. Later rows are errors.
    ///
    /// - Throws: ``ParquetError``, and errors of the sink. Then the file is unusable.
    package func close() throws {
        guard isOpen else { throw ParquetError.closed }
        isOpen = false
        if groupRows > 0 { try finishGroup() }
        let footer = footer()
        try put(footer)
        try put(withUnsafeBytes(of: UInt32(footer.count).littleEndian) { Array($0) })
        try put(ParquetWriter.magic)
    }

    /// Appends a row to the chunks of its columns, which have the same number.
    ///
    /// - Returns: The number of bytes that it needs at most.
    private static func append(
        _ row: [ParquetValue], to chunks: inout [ParquetChunk]
    ) throws(ParquetError) -> Int {
        var size = 0
        for index in row.indices { size += try chunks[index].append(row[index]) }
        return size
    }

    private func put(_ bytes: [UInt8]) throws {
        try sink(bytes)
        offset += Int64(bytes.count)
    }

    private func finishGroup() throws {
        let start = offset
        var size = 0
        var entries: [[UInt8]] = []
        for index in chunks.indices {
            let chunk = try chunks[index].finish(at: offset)
            if !chunk.dictionary.isEmpty { try put(chunk.dictionary) }
            try put(chunk.pages)
            size += chunk.size
            entries.append(chunk.structure)
        }
        var group = CompactThrift()
        group.add(1, structures: entries)
        group.add(2, int64: Int64(size))
        group.add(3, int64: Int64(groupRows))
        group.add(5, int64: start)
        group.add(6, int64: offset - start)
        if let ordinal = Int16(exactly: groups.count) { group.add(7, int16: ordinal) }
        groups.append(group.structure)
        (groupRows, groupBytes) = (0, 0)
    }

    private func footer() -> [UInt8] {
        var footer = CompactThrift()
        footer.add(1, int32: 1)
        var root = CompactThrift()
        root.add(4, text: "schema")
        root.add(5, int32: Int32(clamping: columns.count))
        footer.add(2, structures: [root.structure] + columns.map(\.schemaElement))
        footer.add(3, int64: Int64(rows))
        footer.add(4, structures: groups)
        if !metadata.isEmpty {
            footer.add(
                5,
                structures: metadata.map { (key, value) in
                    var pair = CompactThrift()
                    pair.add(1, text: key)
                    pair.add(2, text: value)
                    return pair.structure
                })
        }
        footer.add(6, text: creator)
        // The order in which the limits of the statistics are meant: that of the type.
        var order = CompactThrift()
        order.add(1, structure: CompactThrift().structure)
        footer.add(7, structures: columns.map { _ in order.structure })
        return footer.structure
    }
}

extension ParquetColumn {
    /// The column in the footer's schema.
    fileprivate var schemaElement: [UInt8] {
        var element = CompactThrift()
        element.add(1, int32: kind.physicalType)
        // Optional: a value can be null.
        element.add(3, int32: 1)
        element.add(4, text: name)
        if let converted = kind.convertedType { element.add(6, int32: converted) }
        if let logical = kind.logicalType { element.add(10, structure: logical) }
        return element.structure
    }
}

extension ParquetColumn.Kind {
    /// The number of the older kind of logical type, for readers that don't know the newer.
    fileprivate var convertedType: Int32? {
        switch self {
        case .text: 0
        case .date: 6
        case .timestamp: 10
        case .boolean, .int32, .int64, .double: nil
        }
    }

    fileprivate var logicalType: [UInt8]? {
        let empty = CompactThrift().structure
        var type = CompactThrift()
        switch self {
        case .text: type.add(1, structure: empty)
        case .date: type.add(6, structure: empty)
        case .timestamp:
            var microseconds = CompactThrift()
            microseconds.add(2, structure: empty)
            var timestamp = CompactThrift()
            timestamp.add(1, flag: true)
            timestamp.add(2, structure: microseconds.structure)
            type.add(8, structure: timestamp.structure)
        case .boolean, .int32, .int64, .double: return nil
        }
        return type.structure
    }
}
