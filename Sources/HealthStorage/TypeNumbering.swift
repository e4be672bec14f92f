import GRDB
import HealthEngine

/// The numbers that types have in a store, or will have when they are met, for a reader that runs
/// beside the thread that writes.
///
/// ```swift
/// var numbering = try writer.typeNumbering()
/// let (code, isNew) = numbering.number(of: "HKQuantityTypeIdentifierStepCount")
/// ```
/// It holds as long as nobody else registers types in the store, and ``SnapshotWriter/type(identifier:)``
/// is called for every new one, in this order: then it gives the same numbers.
public struct TypeNumbering: Sendable {
    private var codes: [String: Int32]
    private var highest: Int32

    init(_ db: Database) throws {
        let rows = try CheckedRow.readAll(db, sql: "SELECT identifier, code FROM type")
        codes = Dictionary(
            try rows.map { (try $0["identifier"], try $0["code"]) },
            uniquingKeysWith: { first, _ in first })
        highest = codes.values.max() ?? 0
        try Interning.checkHighest(highest)
    }

    /// The number of a type, and whether it is new to the store.
    public mutating func number(of identifier: String) -> (code: Int32, isNew: Bool) {
        if let code = codes[identifier] { return (code, false) }
        let code = Interning.code(ofNew: identifier, highest: highest)
        codes[identifier] = code
        highest = max(highest, code)
        return (code, true)
    }
}

extension SnapshotWriter {
    /// The numbers of types as they are now.
    public func typeNumbering() throws -> TypeNumbering { try TypeNumbering(db) }
}
