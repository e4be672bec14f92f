import CPostgreSQL

/// Decodes a result in PostgreSQL's binary format.
struct PostgreSQLDecoding {
    private let result: OpaquePointer
    private let types: [PostgreSQLType]

    /// Begins to decode a result.
    ///
    /// - Parameter result: A result, which must outlive this value.
    /// - Throws: ``SQLError`` with the code ``SQLError/Code/unsupportedType(column:type:)``, also
    ///   if there are no rows.
    init(_ result: OpaquePointer) throws(SQLError) {
        self.result = result
        var types: [PostgreSQLType] = []
        for column in 0..<PQnfields(result) {
            let identifier = PQftype(result, column)
            guard let type = PostgreSQLType(rawValue: identifier) else {
                throw SQLError(.unsupportedType(column: Int(column), type: identifier))
            }
            types.append(type)
        }
        self.types = types
    }

    /// Returns the rows and the number of affected rows.
    func decode() throws(SQLError) -> SQLResult {
        var rows: [SQLRow] = []
        rows.reserveCapacity(Int(PQntuples(result)))
        for row in 0..<PQntuples(result) {
            var values: [SQLValue] = []
            values.reserveCapacity(types.count)
            for (column, type) in types.enumerated() {
                values.append(try value(row, Int32(column), type))
            }
            rows.append(SQLRow(values))
        }
        return SQLResult(rows: rows, affectedRows: Self.affectedRows(result))
    }

    private static func affectedRows(_ result: OpaquePointer) -> Int {
        PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    }

    private func value(
        _ row: Int32, _ column: Int32, _ type: PostgreSQLType
    ) throws(SQLError) -> SQLValue {
        if PQgetisnull(result, row, column) == 1 { return .null }
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
        guard let value = Self.value(bytes, type) else {
            throw SQLError(
                .unexpectedValue(column: Int(column)),
                detail: "Column \(column) isn't in the format of its type.")
        }
        return value
    }

    private static func value(_ bytes: UnsafeRawBufferPointer, _ type: PostgreSQLType) -> SQLValue?
    {
        switch type {
        case .boolean: bytes.count == 1 ? .boolean(bytes[0] != 0) : nil
        case .bytea: .bytes(Array(bytes))
        case .name, .text, .bpchar, .varchar:
            // A database without an encoding can contain other bytes.
            String(validating: bytes, as: UTF8.self).map { .text($0) }
        case .int2: integer(bytes, as: Int16.self).map { .integer(Int64($0)) }
        case .int4: integer(bytes, as: Int32.self).map { .integer(Int64($0)) }
        case .int8: integer(bytes, as: Int64.self).map { .integer($0) }
        case .oid: integer(bytes, as: UInt32.self).map { .integer(Int64($0)) }
        case .float4:
            integer(bytes, as: UInt32.self).map { .real(Double(Float(bitPattern: $0))) }
        case .float8: integer(bytes, as: UInt64.self).map { .real(Double(bitPattern: $0)) }
        case .timestamptz: integer(bytes, as: Int64.self).map { .real(seconds($0)) }
        case .void: .null
        }
    }

    private static func integer<Integer: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: UnsafeRawBufferPointer, as type: Integer.Type
    ) -> Integer? {
        guard bytes.count == MemoryLayout<Integer>.size else { return nil }
        return Integer(bigEndian: bytes.loadUnaligned(as: type))
    }

    /// Converts microseconds since 2000-01-01 to seconds since 2001-01-01 UTC. The least and the
    /// greatest number are -infinity and infinity.
    private static func seconds(_ microseconds: Int64) -> Double {
        switch microseconds {
        case .min: return -.infinity
        case .max: return .infinity
        default:
            let (value, overflow) = microseconds.subtractingReportingOverflow(
                366 * 86_400 * 1_000_000)
            return overflow ? -.infinity : Double(value) / 1_000_000
        }
    }
}
