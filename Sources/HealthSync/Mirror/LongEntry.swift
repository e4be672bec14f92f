/// Entries longer than a day, which the partial index `entry_long` contains.
///
/// A read of a range finds those that start more than a day before it with this index. All other
/// entries are found with the index by start, from a day before the range on. The limit is 24
/// hours, not a calendar day. It is part of the schema, so another one needs a migration.
enum LongEntry {
    /// The greatest duration of an entry that is not long, in seconds.
    static let limit: Double = 86_400

    /// The condition of the index. SQLite uses a partial index only if a query contains the index's
    /// condition as a term.
    static let condition = #""end" - start > \#(Int(limit))"#
}
