import GRDB

/// What a person chooses for the pages of a store. It is kept in the store, so that it is the same in all
/// browsers and part of a backup.
package enum Preference: String, CaseIterable, Sendable {
    /// The cards of the summary, as a JSON array of names.
    case summaryCards
    /// The goal of sleep a night, in minutes.
    case sleepGoal
    /// The units of pages: "metric" or "imperial".
    case units
    /// The first day of the week on pages: "1" for Sunday to "7" for Saturday.
    case firstWeekday
    /// The clock of pages: "24" or "12" hours.
    case clock
    /// How pages write numbers and dates, as a language tag such as "en-GB".
    case notation

    fileprivate var key: String { "preference." + rawValue }
}

extension SampleStore {
    /// The maximum length of a preference in bytes of UTF-8.
    package static let maximumPreferenceLength = 8_192

    /// Returns a preference.
    ///
    /// - Parameter preference: Which one.
    /// - Returns: The value; nil if the person hasn't chosen any.
    /// - Throws: ``StoreError`` if the file can't be read.
    package func value(of preference: Preference) throws -> String? {
        try read { db in
            try String.readOne(
                db, sql: "SELECT CAST(value AS TEXT) FROM store WHERE key = ?",
                arguments: [preference.key])
        }
    }

    /// Sets a preference.
    ///
    /// - Parameters:
    ///   - preference: Which one.
    ///   - value: The value; nil to remove it.
    /// - Throws: ``StoreError`` of code `invalidArgument` for a value of more than
    ///   ``maximumPreferenceLength`` bytes, or another if the file can't be written.
    package func set(_ preference: Preference, to value: String?) throws {
        guard value?.utf8.count ?? 0 <= Self.maximumPreferenceLength else {
            throw StoreError(.preferenceTooLong)
        }
        try write { db in
            if let value {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO store (key, value) VALUES (?, ?)",
                    arguments: [preference.key, value])
            } else {
                try db.execute(
                    sql: "DELETE FROM store WHERE key = ?", arguments: [preference.key])
            }
        }
    }
}
