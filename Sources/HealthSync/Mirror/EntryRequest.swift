public import Foundation
import GRDB

extension Mirror {
    /// The entries of a type that a span overlaps, newest first.
    ///
    /// ```swift
    /// let week = try await mirror.entries(of: HKQuantityType(.bodyMass), from: monday, to: nextMonday)
    /// ```
    /// - Complexity: O(log *n* + *k*) for *k* entries of *n*.
    public func entries(
        of type: HKSampleType, from: Date? = nil, to: Date? = nil, limit: Int? = nil
    ) async throws -> [Entry] {
        var request = EntryRequest(of: type, from: from, to: to)
        request.limit = limit
        return try await entries(request)
    }

    /// The entries that a request describes.
    ///
    /// - Complexity: O(log *n* + *k*) for one type; with several, a limit saves no work.
    public func entries(_ request: EntryRequest) async throws -> [Entry] {
        try await read { db in try request.entries(db) }
    }

    /// The entry of a sample's UUID; nil if none is kept.
    public func entry(_ id: UUID) async throws -> Entry? {
        try await read { db in try self.entry(id, db) }
    }

    /// How many entries a request describes; its limit doesn't count.
    public func count(_ request: EntryRequest) async throws -> Int {
        try await read { db in try request.count(db) }
    }

    /// The identifiers of the types that have entries, sorted.
    public func types() async throws -> [String] {
        try await read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT identifier FROM type
                    WHERE EXISTS (SELECT 1 FROM entry WHERE entry.type = type.id)
                    ORDER BY identifier
                    """)
        }
    }
}

extension EntryRequest {
    /// Entries that last longer are found through an index of their own.
    private static let long: TimeInterval = 86_400

    func entries(_ db: Database) throws -> [Entry] {
        if let limit, limit <= 0 { return [] }
        var reading = EntryReading(db)
        var found: [Entry] = []
        for condition in conditions {
            var sql = condition
            sql.append(
                order == .newestFirst
                    ? " ORDER BY start DESC, uuid" : " ORDER BY start, uuid")
            if let limit { sql.append(" LIMIT ?", [limit]) }
            let entries = try reading.all(sql.text, sql.arguments)
            found = found.isEmpty ? entries : merged(found, entries)
        }
        return limit.map { Array(found.prefix($0)) } ?? found
    }

    func count(_ db: Database) throws -> Int {
        try conditions.reduce(0) { sum, condition in
            try sum
                + (Int.fetchOne(
                    db.cachedStatement(sql: "SELECT count(*) FROM entry \(condition.text)"),
                    arguments: condition.arguments) ?? 0)
        }
    }

    private func merged(_ first: [Entry], _ second: [Entry]) -> [Entry] {
        guard !second.isEmpty else { return first }
        return (first + second).sorted { one, other in
            guard one.start == other.start else {
                return (one.start < other.start) == (order == .oldestFirst)
            }
            return one.id.uuidString < other.id.uuidString
        }
    }

    /// One condition for what the index by start finds, and one for entries so long that it doesn't.
    private var conditions: [Condition] {
        var shared = Condition()
        if !types.isEmpty {
            let marks = repeatElement("?", count: types.count).joined(separator: ", ")
            shared.and(
                "type IN (SELECT id FROM type WHERE identifier IN (\(marks)))", types.sorted())
        }
        if let to { shared.and("start < ?", [to.timeIntervalSinceReferenceDate]) }
        if states.count < Entry.State.allCases.count {
            let stored = states.map { String($0.stored) }.sorted().joined(separator: ", ")
            shared.and("state IN (\(stored))")
        }
        if let tag {
            shared.and(
                """
                uuid IN (SELECT uuid FROM attachment
                    WHERE kind = 'tag' AND is_attached = 1 AND name = ?)
                """, [tag])
        }
        guard let from = from?.timeIntervalSinceReferenceDate else { return [shared] }
        var near = shared
        if rule == .starting {
            near.and("start >= ?", [from])
            return [near]
        }
        near.and(#"start >= ? AND "end" >= ?"#, [from - Self.long, from])
        var far = shared
        far.and(
            #"start < ? AND "end" >= ? AND "end" - start > 86400"#, [from - Self.long, from])
        return [near, far]
    }
}

/// A WHERE clause and what its marks stand for.
private struct Condition {
    var text = ""
    var arguments = StatementArguments()

    mutating func and(_ condition: String, _ values: [any DatabaseValueConvertible] = []) {
        append(text.isEmpty ? "WHERE " : " AND ")
        append(condition, values)
    }

    mutating func append(_ sql: String, _ values: [any DatabaseValueConvertible] = []) {
        text += sql
        arguments += StatementArguments(values)
    }
}
