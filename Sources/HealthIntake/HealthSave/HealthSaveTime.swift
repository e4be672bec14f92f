import HealthEngine
import HealthStorage

/// A time of a record, in ISO 8601.
struct HealthSaveTime {
    static let starts = ["startDate", "start", "date"]
    static let ends = ["endDate", "end", "endDate_iso"]

    /// The field that the time comes from.
    let field: String
    /// In reference seconds.
    let seconds: Double
    /// Whether the text is a date without a time. The time is its midnight.
    let isDay: Bool

    /// Reads the first of some fields that a record has; nil if it has none.
    ///
    /// - Throws: A time without an offset from UTC is invalid, unless the record states the offset
    ///   as `tzOffsetMinutes`.
    init?(_ record: JSONValue, _ fields: [String]) throws(UnreadableRecord) {
        guard let field = fields.first(where: { record[$0] != nil }) else { return nil }
        let text = record[field]?.string ?? ""
        // Without a colon, it can be a number of seconds from an unknown date.
        guard let date = IntakeDate.reading(text), date.isDay || text.contains(":") else {
            throw .invalid(.date, field: field)
        }
        var seconds = date.seconds
        if date.offset == nil {
            guard let offset = HealthSaveTime.offset(of: record) else {
                throw .invalid(.date, field: field)
            }
            seconds -= Double(offset)
        }
        self.field = field
        self.seconds = seconds
        isDay = date.isDay
    }

    /// The offset from UTC that a record states, in seconds; nil for none and an impossible one.
    static func offset(of record: JSONValue) -> Int? {
        guard let minutes = record["tzOffsetMinutes"]?.integer, (-1440...1440).contains(minutes)
        else { return nil }
        return minutes * 60
    }
}
