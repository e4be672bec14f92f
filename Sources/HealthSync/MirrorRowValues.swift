import GRDB

// GRDB's subscripts trap on a value that isn't of the type asked for. A damaged file may hold one.
extension Row {
    /// A column that is never empty.
    ///
    /// - Throws: ``MirrorError/corrupt(_:)`` for anything else, with the column's name.
    func value<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value {
        guard let value: Value = try optional(index) else { throw damage(index) }
        return value
    }

    /// A column that may be empty.
    ///
    /// - Throws: ``MirrorError/corrupt(_:)`` for a value of another type, with the column's name.
    func optional<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value? {
        let stored: DatabaseValue = self[index]
        if stored.isNull { return nil }
        guard let value = Value.fromDatabaseValue(stored) else { throw damage(index) }
        return value
    }

    private func damage(_ index: Int) -> MirrorError {
        .corrupt("column " + Array(columnNames)[index])
    }
}

extension PositionKey {
    /// From a row of lane, type and filter.
    init(_ row: Row) throws {
        self.init(lane: try row.value(0), type: try row.value(1), filter: try row.value(2))
    }
}
