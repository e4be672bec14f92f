/// Samples longer than a day, which the partial index `sample_long` contains.
///
/// A read of a range scans the index by start from a day before the range on, and finds longer
/// samples with `sample_long`. With only the index by start, one long sample would widen the range
/// that every read scans. A day here is 24 hours, not a calendar day.
///
/// The index is part of the schema, so another limit needs a migration.
enum LongSample {
    /// The greatest duration of a sample that is not long, in seconds.
    static let limit: Double = 86_400

    /// The condition of the index. SQLite uses a partial index only if a query implies the index's
    /// condition, so the queries contain this text.
    static let condition = "end_time - start_time > \(Int(limit))"
}
