import GRDB
public import HealthEngine

/// One type of a store with how much of it there is.
public struct TypeSummary: Hashable, Sendable {
    public var type: SampleType
    /// Live samples.
    public var samples: Int
    /// The first start and the latest end, in reference seconds; an undetermined end doesn't count.
    public var first: Double
    public var last: Double
}

extension SampleStore {
    /// When the first and the last sample of some types begin, in reference seconds; nil if there is
    /// none.
    ///
    /// - Complexity: O(types · log n).
    public func starts(of types: [SampleType]) throws -> ClosedRange<Double>? {
        try read { db in
            let ends = try RawStatement(
                db,
                "SELECT (SELECT min(start_time) FROM sample WHERE type = ?1) "
                    + "AS start_time, (SELECT max(start_time) FROM sample WHERE type = ?1) "
                    + "AS end_time")
            var range: ClosedRange<Double>?
            for type in types {
                ends.reset()
                ends.bind(type.code, at: 1)
                guard try ends.step(), !ends.isNull(0) else { continue }
                let (first, last) = (ends.double(0), ends.double(1))
                range =
                    min(range?.lowerBound ?? first, first)...max(range?.upperBound ?? last, last)
            }
            return range
        }
    }

    /// Every type of which something is visible, by identifier.
    ///
    /// - Complexity: O(samples) for counting them in the index; the samples themselves are read only
    ///   of types that are visible in part.
    public func types(visibility: Visibility = .everything) throws -> [TypeSummary] {
        try read { db in
            let known = try SampleStore.knownTypes(db)
            let counts = try CheckedRow.readAll(
                db, sql: "SELECT type, count(*) AS samples FROM sample GROUP BY type")
            return try counts.compactMap { row -> TypeSummary? in
                guard let type = known[try row["type"]] else { return nil }
                let grant = visibility[type.code]
                guard grant == .all else { return try SampleStore.summary(of: type, grant, db) }
                guard let extent = try SampleStore.extent(ofType: type.code, db) else { return nil }
                return TypeSummary(
                    type: type, samples: try row["samples"], first: extent.first, last: extent.last)
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

    /// The type of a name: Apple's Swift name or the whole identifier, also one that only this store
    /// knows.
    ///
    /// - Throws: ``StoreError`` of code `unknownType`.
    public func type(named name: String) throws -> SampleType {
        if let type = Catalogue.type(named: name) { return type }
        let stored = try read { db in try SampleStore.knownTypes(db) }
        if let type = stored.values.first(where: { $0.identifier == name }) { return type }
        throw StoreError(
            .unknownType,
            "No type is called “\(name)”. `openhealth types` lists what the store holds.")
    }

    /// All types the store has numbered, by number.
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
