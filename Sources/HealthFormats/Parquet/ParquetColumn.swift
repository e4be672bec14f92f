/// A column of a Parquet table.
package struct ParquetColumn: Sendable {
    /// The type of a column's values.
    package enum Kind: Sendable, CaseIterable {
        case boolean, int32, int64, double
        /// Text in UTF-8.
        case text
        /// A date without a time zone.
        case date
        /// An instant in UTC, in microseconds (`isAdjustedToUTC`).
        case timestamp
    }

    /// How values are written.
    package enum Encoding: Sendable {
        /// One after the other. For values that are nearly all different.
        case plain
        /// One after the other and never compressed. For random values, such as UUIDs: zlib would
        /// need as long for them as for all other columns.
        case incompressible
        /// As indices into a dictionary of the distinct values. After
        /// ``ParquetOptions/dictionaryBytes``, the rest of a row group is written plain.
        case dictionary
    }

    package let name: String
    package let kind: Kind
    package let encoding: Encoding

    /// Creates a column.
    ///
    /// - Parameters:
    ///   - name: The name, which isn't empty.
    ///   - kind: The type of the values. Every column can contain nulls.
    ///   - encoding: How values are written; nil for a dictionary of texts and dates, and for
    ///     other types plain.
    package init(_ name: String, _ kind: Kind, _ encoding: Encoding? = nil) {
        self.name = name
        self.kind = kind
        switch kind {
        case .boolean: self.encoding = .plain
        case .text, .date: self.encoding = encoding ?? .dictionary
        case .int32, .int64, .double, .timestamp: self.encoding = encoding ?? .plain
        }
    }
}

/// A value of a Parquet table.
package enum ParquetValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case int32(Int32)
    case int64(Int64)
    case double(Double)
    case text(String)
    /// A date as days since 1970-01-01.
    case date(Int32)
    /// An instant as microseconds since 1970-01-01 UTC.
    case timestamp(Int64)

    /// Returns a text, or null for nil.
    package static func text(orNull text: String?) -> ParquetValue { text.map(Self.text) ?? .null }

    /// Returns a number, or null for nil and for numbers that aren't finite.
    package static func double(orNull number: Double?) -> ParquetValue {
        number.flatMap { $0.isFinite ? .double($0) : nil } ?? .null
    }
}

/// The sizes and the compression of a Parquet file.
package struct ParquetOptions: Sendable {
    /// How pages are compressed.
    package enum Compression: Sendable, Hashable {
        case none
        /// Parquet's GZIP, with zlib's level 1 (fastest) to 9 (smallest).
        case gzip(level: Int32)
    }

    package var compression: Compression
    /// The maximum number of rows of a row group. The default is that of DuckDB.
    package var rowsPerGroup = 122_880
    /// The size of values, in bytes, above which a row group ends. It bounds the memory used.
    package var bytesPerGroup = 8 << 20
    /// The size of values, in bytes, above which a page ends.
    package var bytesPerPage = 1 << 20
    /// The maximum size of a dictionary, in bytes.
    package var dictionaryBytes = 1 << 19

    package init(_ compression: Compression = .none) { self.compression = compression }
}

/// Why a Parquet table can't be written. The sink's errors are thrown unchanged.
package enum ParquetError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A table without columns, or two columns with one name.
    case invalidColumns
    /// A row whose number of values isn't the number of columns.
    case rowLength(expected: Int, actual: Int)
    /// A value of another type than its column.
    case valueKind(column: String)
    /// A text of two gigabytes or more.
    case textTooLong(column: String)
    /// zlib failed, with its status.
    case compressionFailed(status: Int32)
    /// A row after ``ParquetWriter/close()``, or after an error.
    case closed

    package var description: String {
        switch self {
        case .invalidColumns: "A table needs columns with different names."
        case .rowLength(let expected, let actual):
            "A row has \(actual) values, but the table \(expected) columns."
        case .valueKind(let column): "The column \(column) contains a value of another type."
        case .textTooLong(let column): "A text of the column \(column) exceeds two gigabytes."
        case .compressionFailed(let status): "Compression failed with zlib status \(status)."
        case .closed: "The table is already closed."
        }
    }
}
