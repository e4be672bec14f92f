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
    /// Every type that has samples, by identifier.
    ///
    /// - Complexity: O(types × log samples) and a count of the index.
    public func types(visibility: Visibility = .everything) throws -> [TypeSummary] {
        try read { db in
            let known = try SampleStore.knownTypes(db)
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT type, count(*) AS samples, min(start_time) AS first,
                           max(CASE WHEN end_time < ? THEN end_time ELSE start_time END) AS last
                    FROM sample GROUP BY type
                    """, arguments: [Sample.undeterminedEnd])
            return rows.compactMap { row -> TypeSummary? in
                let code: Int32 = row["type"]
                guard let type = known[code], visibility[code] != .none else { return nil }
                return TypeSummary(
                    type: type, samples: row["samples"], first: row["first"], last: row["last"])
            }
            .sorted { $0.type.identifier < $1.type.identifier }
        }
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
        for row in try Row.fetchAll(db, sql: "SELECT code, identifier, kind FROM type") {
            let (code, identifier): (Int32, String) = (row["code"], row["identifier"])
            types[code] =
                Catalogue.type(identifier: identifier)
                ?? SampleType(
                    code: code, identifier: identifier, name: identifier,
                    kind: SampleType.Kind(rawValue: row["kind"]) ?? .other)
        }
        return types
    }
}
