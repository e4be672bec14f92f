public import Foundation
import GRDB

/// A filter, order and limit for reading entries.
///
/// ```swift
/// var request = EntryRequest(of: HKQuantityType(.bodyMass))
/// request.from = yearAgo
/// request.order = .oldestFirst
/// ```
public struct EntryRequest: Hashable, Sendable {
    /// How entries relate to the requested span.
    public enum Rule: Hashable, Sendable {
        /// `end >= from && start < to`, as in HealthKit's `predicateForSamples` without options. An
        /// entry that ends at `from` is included; one that starts at `to` is not.
        case overlapping
        /// `start >= from && start < to`. Each entry is in exactly one of two adjacent spans.
        case starting
    }

    /// The order by start. In both orders, entries with equal starts follow by ascending UUID.
    public enum Order: Hashable, Sendable {
        case newestFirst
        case oldestFirst
    }

    /// The identifiers of the types whose entries are requested; empty for all types.
    public var types: Set<String>
    /// The start of the span, inclusive; nil for no limit. Under the rule ``Rule/overlapping``, an
    /// entry that ends at it is included.
    public var from: Date?
    /// The end of the span; nil for no limit. Entries that start at it or later are not included.
    public var to: Date?
    /// Whether entries must overlap the span (the default) or start in it.
    public var rule: Rule = .overlapping
    /// The states of entries to include; all by default, so also entries that are not visible.
    public var states: Set<MirrorEntry.State> = Set(MirrorEntry.State.allCases)
    /// The name of a tag that must be attached to the entries; nil for no condition.
    public var tag: String?
    /// The order of the entries by start; newest first by default.
    public var order: Order = .newestFirst
    /// The maximum number of entries, the first ones in ``order``; nil for all. For 0 or less, no
    /// entry is returned.
    public var limit: Int?

    /// Creates a request for all entries of all types.
    public init() { types = [] }

    /// Creates a request for the entries that overlap a span.
    ///
    /// - Parameters:
    ///   - types: The types; all types if there are none.
    ///   - from: The start of the span; nil for no limit. An entry that ends at it is included.
    ///   - to: The end of the span, exclusive; nil for no limit.
    public init(of types: HKSampleType..., from: Date? = nil, to: Date? = nil) {
        self.types = Set(types.map(\.identifier))
        self.from = from
        self.to = to
    }
}

extension Mirror {
    /// Returns the entries of a type that overlap a span, the latest start first.
    ///
    /// ```swift
    /// let week = try await mirror.entries(
    ///     of: HKQuantityType(.bodyMass), from: monday, to: nextMonday)
    /// ```
    /// - Parameters:
    ///   - type: The type.
    ///   - from: The start of the span; nil for no limit. An entry that ends at it is included.
    ///   - to: The end of the span, exclusive; nil for no limit.
    ///   - limit: The maximum number of entries; nil for all.
    /// - Returns: The entries, in any state.
    /// - Throws: ``MirrorError``.
    /// - Complexity: O(log *n* + *k* log *k*) for *n* entries. *k* counts the type's entries that
    ///   start in the span or up to a day before it, and earlier entries longer than a day. The
    ///   limit reduces the result, not the work.
    public func entries(
        of type: HKSampleType, from: Date? = nil, to: Date? = nil, limit: Int? = nil
    ) async throws -> [MirrorEntry] {
        var request = EntryRequest(of: type, from: from, to: to)
        request.limit = limit
        return try await entries(request)
    }

    /// Returns the entries that match a request.
    ///
    /// - Parameter request: The filter, order and limit.
    /// - Returns: The entries in the requested order.
    /// - Throws: ``MirrorError``.
    /// - Complexity: O(log *n* + *k* log *k*), as for ``entries(of:from:to:limit:)``. A request for
    ///   all types reads all entries.
    public func entries(_ request: EntryRequest) async throws -> [MirrorEntry] {
        try await read { db in try request.entries(db) }
    }

    /// Returns the entry of a sample, in any ``MirrorEntry/State``.
    ///
    /// - Parameter id: The sample's UUID.
    /// - Returns: The entry; nil if there is none.
    /// - Throws: ``MirrorError``.
    public func entry(_ id: UUID) async throws -> MirrorEntry? {
        try await read { db in try self.entry(id, db) }
    }

    /// Returns the number of entries that match a request.
    ///
    /// - Parameter request: The filter. Its order and limit are ignored.
    /// - Returns: The number of all matching entries.
    /// - Throws: ``MirrorError``.
    /// - Complexity: O(log *n* + *k*), with *n* and *k* as for ``entries(_:)``.
    public func count(_ request: EntryRequest) async throws -> Int {
        try await read { db in try request.count(db) }
    }

    /// Returns the identifiers of the types that have entries in any state, sorted.
    ///
    /// - Returns: The identifiers.
    /// - Throws: ``MirrorError``.
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
    func entries(_ db: Database) throws -> [MirrorEntry] {
        if let limit, limit <= 0 { return [] }
        var reading = EntryReader(db)
        var found: [MirrorEntry] = []
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

    private func merged(_ first: [MirrorEntry], _ second: [MirrorEntry]) -> [MirrorEntry] {
        guard !second.isEmpty else { return first }
        return (first + second).sorted { one, other in
            guard one.start == other.start else {
                return (one.start < other.start) == (order == .oldestFirst)
            }
            return one.id.uuidString < other.id.uuidString
        }
    }

    /// The WHERE clauses that together select the requested entries. No entry meets two of them.
    ///
    /// The first clause uses the index by start. A second clause uses the index of long entries
    /// (``LongEntry``), and selects those that start more than a day before the span. It is needed
    /// only if overlapping entries are requested and the span has a start.
    private var conditions: [Condition] {
        var shared = Condition()
        if !types.isEmpty {
            let marks = repeatElement("?", count: types.count).joined(separator: ", ")
            shared.and(
                "type IN (SELECT id FROM type WHERE identifier IN (\(marks)))", types.sorted())
        }
        if let to { shared.and("start < ?", [to.timeIntervalSinceReferenceDate]) }
        if states.count < MirrorEntry.State.allCases.count {
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
        var shortEntries = shared
        if rule == .starting {
            shortEntries.and("start >= ?", [from])
            return [shortEntries]
        }
        shortEntries.and(#"start >= ? AND "end" >= ?"#, [from - LongEntry.limit, from])
        var longEntries = shared
        longEntries.and(
            #"start < ? AND "end" >= ? AND \#(LongEntry.condition)"#,
            [from - LongEntry.limit, from])
        return [shortEntries, longEntries]
    }
}

/// A WHERE clause and its arguments.
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
