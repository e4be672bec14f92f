import GRDB
import HealthEngine

/// A row of `sample` as it stands in the file, with the text of its structured part.
struct StoredRow {
    var sequence: Int64
    var type: Int32
    var start: Double
    var key: Int64
    var end: Double
    var created: Double
    var origin: Int64
    /// 0 for none.
    var metadata: Int64
    var value: Double
    var detail: String?

    static let columns =
        "sequence, type, start_time, key, end_time, created, origin, metadata, value"

    /// Reads the columns above, in their order.
    init(_ row: borrowing RawStatement) {
        sequence = row.int(0)
        type = Int32(truncatingIfNeeded: row.int(1))
        start = row.double(2)
        key = row.int(3)
        end = row.double(4)
        created = row.doubleOrNaN(5)
        origin = row.int(6)
        metadata = row.int(7)
        value = row.doubleOrNaN(8)
    }

    init(
        sequence: Int64, type: Int32, start: Double, key: Int64, end: Double, created: Double,
        origin: Int64, metadata: Int64, value: Double, detail: String?
    ) {
        self.sequence = sequence
        self.type = type
        self.start = start
        self.key = key
        self.end = end
        self.created = created
        self.origin = origin
        self.metadata = metadata
        self.value = value
        self.detail = detail
    }

    /// Binds the columns above to parameters 1 to 9.
    func bind(to statement: borrowing RawStatement) {
        statement.bind(sequence, at: 1)
        statement.bind(type, at: 2)
        statement.bind(start, at: 3)
        statement.bind(key, at: 4)
        statement.bind(end, at: 5)
        statement.bind(orNull: created, at: 6)
        statement.bind(origin, at: 7)
        if metadata == 0 { statement.bindNull(at: 8) } else { statement.bind(metadata, at: 8) }
        statement.bind(orNull: value, at: 9)
    }
}

/// One bit a row: which rows of the store an import has met.
struct SequenceSet {
    private var words: [UInt64]
    private(set) var count = 0

    init(upTo last: Int64) { words = Array(repeating: 0, count: Int(last / 64) + 1) }

    func contains(_ sequence: Int64) -> Bool {
        let word = Int(sequence / 64)
        return word < words.count && words[word] & (1 << UInt64(sequence % 64)) != 0
    }

    mutating func insert(_ sequence: Int64) {
        let word = Int(sequence / 64)
        guard word < words.count, !contains(sequence) else { return }
        words[word] |= 1 << UInt64(sequence % 64)
        count += 1
    }
}

/// What an import needs to know of stored origins to compare contents.
final class OriginFacts {
    struct Fact {
        var source: Int64
        var version: String?
        var device: Int64
        var unit: String?
    }

    private let db: Database
    private var facts: [Int64: Fact] = [:]
    private var conversions: [String: UnitConversion?] = [:]
    private var canonicalUnits: [Int32: HealthUnit?] = [:]

    init(_ db: Database) { self.db = db }

    func forget() { facts.removeAll() }

    func fact(_ origin: Int64) throws -> Fact {
        if let fact = facts[origin] { return fact }
        let row = try Row.fetchOne(
            db,
            sql: "SELECT source, version, device, unit.symbol AS unit FROM origin "
                + "LEFT JOIN unit ON unit.id = origin.unit WHERE origin.id = ?", arguments: [origin]
        )
        let fact = Fact(
            source: row?["source"] ?? 0, version: row?["version"], device: row?["device"] ?? 0,
            unit: row?["unit"])
        facts[origin] = fact
        return fact
    }

    /// A value in its type's canonical unit, or as it stands where there is no such thing.
    func canonical(_ value: Double, origin: Int64, type: Int32) throws -> Double {
        if value.isNaN { return value }
        guard let unit = try fact(origin).unit else { return value }
        let name = "\(type) \(unit)"
        if conversions[name] == nil {
            if canonicalUnits[type] == nil {
                let symbol = Catalogue.type(code: type)?.canonicalUnit
                canonicalUnits[type] = .some(symbol.flatMap { try? HealthUnit($0) })
            }
            let target = canonicalUnits[type] ?? nil
            let conversion = target.flatMap { target in
                try? HealthUnit(unit).conversion(to: target)
            }
            conversions[name] = .some(conversion)
        }
        return (conversions[name] ?? nil)?(value) ?? value
    }

    /// Whether two rows hold the same content: values in canonical units to a relative 1e-9, and
    /// everything else to the letter. The unit itself is only a way of writing the value.
    func sameContent(_ a: StoredRow, _ b: StoredRow) throws -> Bool {
        guard a.end == b.end, a.created == b.created || (a.created.isNaN && b.created.isNaN),
            a.metadata == b.metadata, a.detail == b.detail
        else { return false }
        if a.origin == b.origin {
            if a.value == b.value || (a.value.isNaN && b.value.isNaN) { return true }
        } else {
            let (first, second) = (try fact(a.origin), try fact(b.origin))
            guard first.source == second.source, first.version == second.version,
                first.device == second.device
            else { return false }
            if a.value.isNaN && b.value.isNaN { return first.unit == second.unit }
        }
        let x = try canonical(a.value, origin: a.origin, type: a.type)
        let y = try canonical(b.value, origin: b.origin, type: b.type)
        return abs(x - y) <= 1e-9 * max(abs(x), abs(y))
    }
}
