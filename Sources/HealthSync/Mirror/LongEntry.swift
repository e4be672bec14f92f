/// The definition of a long entry, one longer than a day. The partial index `entry_long` contains
/// these entries.
///
/// A query of a range uses that index for long entries that start more than a day before the range.
/// It finds all other entries with the index by start, beginning a day before the range. The limit
/// is 24 hours, not a calendar day. It is part of the schema, so another limit needs a migration.
enum LongEntry {
    /// The greatest duration of an entry that is not long, in seconds.
    static let limit: Double = 86_400

    /// The condition of the index. SQLite uses a partial index only if a query contains the index's
    /// condition as a term.
    static let condition = #""end" - start > \#(Int(limit))"#
}
