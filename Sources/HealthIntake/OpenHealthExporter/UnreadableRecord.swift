import HealthStorage

/// Why a record doesn't become a sample, a total or a deletion.
enum UnreadableRecord: Error, Hashable {
    /// The record is invalid. The field is that of the reason; nil for the record as a whole.
    case invalid(IntakeRejection.Reason, field: String?)
    /// The record isn't understood, by the name of a metric, kind or type. Never a value.
    case unknown(String)

    /// The same reason for a record that contains the one with the reason.
    ///
    /// - Parameter field: The field of the containing record.
    func within(_ field: String) -> UnreadableRecord {
        switch self {
        case .invalid(let reason, let inner):
            .invalid(reason, field: inner.map { "\(field).\($0)" } ?? field)
        case .unknown: self
        }
    }
}

extension IntakePages {
    /// Keeps the current record as rejected or as unknown.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - reason: Why it can't be read.
    ///   - id: The sender's identifier of the record; nil if it has none.
    mutating func keep(_ record: JSONValue, _ reason: UnreadableRecord, id: String?) {
        switch reason {
        case .invalid(let reason, let field): reject(reason, field: field, id: id, record)
        case .unknown(let name): keepUnknown(name, record)
        }
    }
}
