import GRDB
public import HealthEngine

/// The number and time range of a type's samples.
public struct TypeSummary: Hashable, Sendable {
    /// The type.
    public var type: SampleType
    /// The number of samples.
    public var samples: Int
    /// The earliest start, in seconds since the reference date.
    public var first: Double
    /// The latest end, in seconds since the reference date. An undetermined end counts as the
    /// start.
    public var last: Double
}

extension SampleStore {
    private enum StartColumn: Int32, StatementField {
        case first, last

        // Named so that ``ColumnRule`` checks the results as times.
        var sql: String {
            switch self {
            case .first:
                "(SELECT min(start_time) FROM sample WHERE type = \(SingleField.value)) AS start_time"
            case .last:
                "(SELECT max(start_time) FROM sample WHERE type = \(SingleField.value)) AS end_time"
            }
        }
    }

    /// Returns the first and last start of samples of some types.
    ///
    /// - Parameter types: The types.
    /// - Returns: The range in seconds since the reference date; nil without samples.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(types · log n).
    package func starts(of types: [SampleType]) throws -> ClosedRange<Double>? {
        try read { db in
            let ends = try StoreStatement<SingleField, StartColumn>(
                kept: db, "SELECT \(StartColumn.columns)")
            var range: ClosedRange<Double>?
            for type in types {
                ends.reset()
                try ends.bind(type.code, to: .value)
                guard try ends.step(), !ends.isNull(.first) else { continue }
                let (first, last) = (ends.double(.first), ends.double(.last))
                range =
                    min(range?.lowerBound ?? first, first)...max(range?.upperBound ?? last, last)
            }
            return range
        }
    }

    /// Returns the types with visible samples, in order of identifier.
    ///
    /// - Parameter visibility: What the caller may read. Counts and times cover only visible
    ///   samples.
    /// - Returns: One summary for each type.
    /// - Throws: ``StoreError`` if the file can't be read.
    /// - Complexity: O(segments + samples outside them) to count. Of a fully visible type, only rows
    ///   of its last day and longer samples are read; of a partly visible type, all rows.
    public func types(visibility: Visibility = .everything) throws -> [TypeSummary] {
        try read { db in
            let known = try SampleStore.knownTypes(db)
            return try SampleCount.all(db).compactMap { code, samples -> TypeSummary? in
                guard let type = known[code] else { return nil }
                let grant = visibility[type.code].withoutObjects
                guard grant == .all else { return try SampleStore.summary(of: type, grant, db) }
                guard let extent = try SampleStore.extent(ofType: type.code, db) else { return nil }
                return TypeSummary(
                    type: type, samples: samples, first: extent.first, last: extent.last)
            }
            .sorted { $0.type.identifier < $1.type.identifier }
        }
    }

    private static func summary(
        of type: SampleType, _ grant: Visibility.Grant, _ db: Database
    ) throws -> TypeSummary? {
        if grant.isHidden { return nil }
        let request: SQLRequest<Row> = """
            SELECT count(*) AS samples, min(start_time) AS first,
                   max(CASE WHEN end_time < \(Sample.undeterminedEnd)
                       THEN end_time ELSE start_time END) AS last
            FROM sample JOIN origin ON origin.id = sample.origin
            WHERE sample.type = \(type.code) AND \(grant.condition)
            """
        guard let row = try CheckedRow.readOne(db, request), try row["samples"] > 0 else {
            return nil
        }
        return TypeSummary(
            type: type, samples: try row["samples"], first: try row["first"], last: try row["last"])
    }

    /// Returns the type with a name.
    ///
    /// - Parameter name: Apple's Swift name or an identifier, also that of a stored type that the
    ///   catalogue lacks.
    /// - Returns: The type.
    /// - Throws: ``StoreError`` of code `unknownType` if there is none, or another if the file
    ///   can't be read.
    public func type(named name: String) throws -> SampleType {
        if let type = Catalogue.type(named: name) { return type }
        let stored = try read { db in try SampleStore.knownTypes(db) }
        if let type = stored.values.first(where: { $0.identifier == name }) { return type }
        throw StoreError(.unknownType(name))
    }

    /// Returns all types of the store, by code.
    static func knownTypes(_ db: Database) throws -> [Int32: SampleType] {
        var types: [Int32: SampleType] = [:]
        for row in try CheckedRow.readAll(db, sql: "SELECT code, identifier, kind FROM type") {
            let (number, identifier): (Int64, String) = (try row["code"], try row["identifier"])
            guard let code = Int32(exactly: number) else { continue }
            let kind: UInt8 = try row["kind"]
            types[code] =
                Catalogue.type(identifier: identifier)
                ?? SampleType(
                    code: code, identifier: identifier, name: identifier,
                    kind: SampleType.Kind(rawValue: kind) ?? .other)
        }
        return types
    }
}
