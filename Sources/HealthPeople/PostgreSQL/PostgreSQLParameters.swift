import CPostgreSQL

/// The parameters of a statement in PostgreSQL's binary format.
struct PostgreSQLParameters {
    private var types: [Oid] = []
    private var lengths: [Int32] = []
    /// Where each value begins in `storage`; nil for null.
    private var offsets: [Int?] = []
    /// The bytes of all values. The first byte belongs to none, so that an empty value has an
    /// address too: libpq takes a null pointer for NULL.
    private var storage: [UInt8] = [0]

    /// Encodes values.
    ///
    /// - Parameter values: The values, which ``SQLLimits`` allows.
    /// - Throws: ``SQLError`` with the SQLSTATE of a program limit if one is too long.
    init(_ values: [SQLValue]) throws(SQLError) {
        for value in values { try append(value) }
    }

    private mutating func append(_ value: SQLValue) throws(SQLError) {
        switch value {
        case .null:
            types.append(0)
            lengths.append(0)
            offsets.append(nil)
        case .integer(let value): try append(.int8, Self.bigEndian(UInt64(bitPattern: value)))
        case .real(let value): try append(.float8, Self.bigEndian(value.bitPattern))
        case .text(let value): try append(.text, value.utf8)
        case .bytes(let value): try append(.bytea, value)
        case .boolean(let value): try append(.boolean, CollectionOfOne(value ? 1 : 0))
        }
    }

    private mutating func append(
        _ type: PostgreSQLType, _ bytes: some Collection<UInt8>
    ) throws(SQLError) {
        guard let length = Int32(exactly: bytes.count) else {
            throw SQLError(.invalid(sqlState: "54000"))
        }
        types.append(type.rawValue)
        lengths.append(length)
        offsets.append(storage.count)
        storage.append(contentsOf: bytes)
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// Sends a statement with these parameters, and asks for a result in binary format.
    ///
    /// - Returns: Whether libpq accepted the statement.
    func send(_ sql: String, to connection: OpaquePointer) -> Bool {
        let formats = [Int32](repeating: 1, count: types.count)
        return storage.withUnsafeBytes { bytes in
            let base = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }
            return PQsendQueryParams(
                connection, sql, Int32(types.count), types, values, lengths, formats, 1) == 1
        }
    }
}
