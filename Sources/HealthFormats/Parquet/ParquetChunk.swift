/// The values of one column in the current row group, as finished pages and an open one.
struct ParquetChunk {
    private let column: ParquetColumn
    private let options: ParquetOptions
    private let compressor: ParquetCompressor

    /// The finished data pages with their headers.
    private var pages: [UInt8] = []
    /// The size of the finished pages before compression, with their headers.
    private var pagesSize = 0
    private var rows = 0
    private var hasPlainPages = false
    private var hasDictionaryPages = false
    private var statistics: ParquetStatistics

    // The open page. Plain values are numbers in `words`, or texts in `texts`.
    private var levels = DefinitionLevels()
    private var words: [UInt64] = []
    private var texts: [UInt8] = []
    private var indices: [UInt32] = []

    private var dictionary = ParquetDictionary()
    private var usesDictionary: Bool

    init(_ column: ParquetColumn, _ options: ParquetOptions, _ compressor: ParquetCompressor) {
        self.column = column
        self.options = options
        self.compressor = compressor
        statistics = ParquetStatistics(column.kind)
        usesDictionary = column.encoding == .dictionary
    }

    /// Appends a value.
    ///
    /// - Returns: The number of bytes that it needs at most.
    mutating func append(_ value: ParquetValue) throws(ParquetError) -> Int {
        let size: Int
        switch (value, column.kind) {
        case (.null, _):
            levels.addNull()
            statistics.nulls += 1
            size = 1
        case (.boolean(let flag), .boolean): size = try append(whole: flag ? 1 : 0)
        case (.int32(let number), .int32): size = try append(whole: Int64(number))
        case (.date(let day), .date): size = try append(whole: Int64(day))
        case (.int64(let number), .int64), (.timestamp(let number), .timestamp):
            size = try append(whole: number)
        case (.double(let number), .double):
            statistics.add(number)
            size = try append(word: number.bitPattern)
        case (.text(let text), .text): size = try append(text)
        default: throw .valueKind(column: column.name)
        }
        rows += 1
        if levels.rows >= 1 << 20 { try finishPage() }
        return size
    }

    private mutating func append(whole number: Int64) throws(ParquetError) -> Int {
        statistics.add(number)
        return try append(word: UInt64(bitPattern: number))
    }

    private mutating func append(word: UInt64) throws(ParquetError) -> Int {
        if usesDictionary {
            if let index = dictionary.index(of: word, limit: options.dictionaryBytes) {
                try append(index: index)
                return 8
            }
            try leaveDictionary()
        }
        words.append(word)
        levels.addValue()
        if words.count * 8 >= options.bytesPerPage { try finishPage() }
        return 8
    }

    private mutating func append(_ text: String) throws(ParquetError) -> Int {
        if usesDictionary {
            if let index = dictionary.index(of: text, limit: options.dictionaryBytes) {
                try append(index: index)
                return 8
            }
            try leaveDictionary()
        }
        let size = text.utf8.count
        guard size < Int(Int32.max) - options.bytesPerPage - 4_096 else {
            throw .textTooLong(column: column.name)
        }
        ParquetChunk.append(text, to: &texts)
        levels.addValue()
        if texts.count >= options.bytesPerPage { try finishPage() }
        return size + 4
    }

    private mutating func append(index: UInt32) throws(ParquetError) {
        indices.append(index)
        levels.addValue()
        if indices.count * 4 >= options.bytesPerPage { try finishPage() }
    }

    /// Finishes the page of indices; the values that follow are written plain.
    private mutating func leaveDictionary() throws(ParquetError) {
        if levels.rows > 0 { try finishPage() }
        usesDictionary = false
    }

    static func append(_ text: String, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: text.utf8.count).littleEndian) {
            bytes += $0
        }
        bytes += text.utf8
    }
}

// MARK: - Pages

extension ParquetChunk {
    private mutating func finishPage() throws(ParquetError) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(texts.count + words.count * 8 + indices.count * 2 + 64)
        levels.append(to: &bytes)
        let isIndexed = !indices.isEmpty
        if isIndexed {
            let width = HybridRuns.width(below: dictionary.count)
            bytes.append(UInt8(width))
            HybridRuns.append(indices, width: width, to: &bytes)
            hasDictionaryPages = true
        } else {
            ParquetChunk.append(words, column.kind, to: &bytes)
            bytes += texts
            if levels.nulls < levels.rows { hasPlainPages = true }
        }
        let compressed = try compressor.compressed(bytes)
        let header = ParquetPage.dataHeader(
            values: levels.rows,
            encoding: isIndexed ? ParquetPage.Encoding.dictionary : ParquetPage.Encoding.plain,
            size: bytes.count, compressedSize: compressed.count)
        pages += header
        pages += compressed
        pagesSize += header.count + bytes.count
        levels = DefinitionLevels()
        words.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        indices.removeAll(keepingCapacity: true)
    }

    /// Appends numbers in the width of their type.
    static func append(
        _ words: [UInt64], _ kind: ParquetColumn.Kind, to bytes: inout [UInt8]
    ) {
        switch kind {
        case .boolean:
            for start in stride(from: 0, to: words.count, by: 8) {
                var byte: UInt8 = 0
                for (bit, word) in words[start..<min(start + 8, words.count)].enumerated() {
                    byte |= UInt8(truncatingIfNeeded: word) << UInt8(bit)
                }
                bytes.append(byte)
            }
        case .int32, .date:
            for word in words {
                withUnsafeBytes(of: UInt32(truncatingIfNeeded: word).littleEndian) { bytes += $0 }
            }
        case .int64, .double, .timestamp:
            for word in words { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
        case .text: break
        }
    }

    /// The chunk of a finished row group.
    struct Finished {
        /// The page of the dictionary; empty for none.
        var dictionary: [UInt8]
        /// The data pages, which follow it.
        var pages: [UInt8]
        /// The size of the pages before compression, with their headers.
        var size: Int
        /// The entry of the footer.
        var structure: [UInt8]
    }

    /// Finishes the chunk and prepares for the next row group.
    ///
    /// - Parameter offset: The position of the chunk in the file.
    /// - Returns: The chunk.
    mutating func finish(at offset: Int64) throws(ParquetError) -> Finished {
        if levels.rows > 0 { try finishPage() }
        var first: [UInt8] = []
        var size = pagesSize
        if hasDictionaryPages {
            let bytes = dictionary.bytes(column.kind)
            let compressed = try compressor.compressed(bytes)
            first = ParquetPage.dictionaryHeader(
                values: dictionary.count, size: bytes.count, compressedSize: compressed.count)
            size += first.count + bytes.count
            first += compressed
        }
        if !hasPlainPages { statistics.texts = dictionary.textLimits }
        let finished = Finished(
            dictionary: first, pages: pages, size: size,
            structure: footerEntry(at: offset, dictionarySize: first.count, size))
        reset()
        return finished
    }

    private func footerEntry(at offset: Int64, dictionarySize: Int, _ size: Int) -> [UInt8] {
        var content = CompactThrift()
        content.add(1, int32: column.kind.physicalType)
        var encodings = [ParquetPage.Encoding.runs, ParquetPage.Encoding.plain]
        if hasDictionaryPages { encodings.append(ParquetPage.Encoding.dictionary) }
        content.add(2, int32s: encodings)
        content.add(3, texts: [column.name])
        content.add(4, int32: compressor.codec)
        content.add(5, int64: Int64(rows))
        content.add(6, int64: Int64(size))
        content.add(7, int64: Int64(dictionarySize + pages.count))
        content.add(9, int64: offset + Int64(dictionarySize))
        if dictionarySize > 0 { content.add(11, int64: offset) }
        content.add(12, structure: statistics.structure)
        var chunk = CompactThrift()
        chunk.add(2, int64: offset)
        chunk.add(3, structure: content.structure)
        return chunk.structure
    }

    private mutating func reset() {
        // Not kept: the writer has the bytes, and a copy would double the memory.
        pages = []
        (pagesSize, rows) = (0, 0)
        (hasPlainPages, hasDictionaryPages) = (false, false)
        statistics = ParquetStatistics(column.kind)
        dictionary = ParquetDictionary()
        usesDictionary = column.encoding == .dictionary
    }
}

extension ParquetColumn.Kind {
    /// The number of the physical type in Parquet's metadata.
    var physicalType: Int32 {
        switch self {
        case .boolean: 0
        case .int32, .date: 1
        case .int64, .timestamp: 2
        case .double: 5
        case .text: 6
        }
    }
}
