import GRDB
import HealthEngine

/// What an import needs to know of stored origins to compare contents.
final class OriginFacts {
    struct Fact {
        var source: Int64
        var version: String?
        var device: Int64
        /// 0 for none.
        var unit: Int64
        var unitSymbol: String?
    }

    private struct TypedUnit: Hashable {
        var type: Int32
        var unit: Int64
    }

    private let find: RawStatement
    private var facts: [Int64: Fact] = [:]
    private var conversions: [TypedUnit: UnitConversion?] = [:]

    init(_ db: Database) throws {
        find = try RawStatement(
            db,
            "SELECT source, version, device, unit, unit.symbol FROM origin "
                + "LEFT JOIN unit ON unit.id = origin.unit WHERE origin.id = ?")
    }

    func forget(_ origin: Int64) { facts[origin] = nil }

    func fact(_ origin: Int64) throws -> Fact {
        if let fact = facts[origin] { return fact }
        find.bind(origin, at: 1)
        defer { find.reset() }
        let isKnown = try find.step()
        let fact =
            isKnown
            ? Fact(
                source: find.int(0), version: find.text(1), device: find.int(2),
                unit: find.int(3), unitSymbol: find.text(4))
            : Fact(source: 0, version: nil, device: 0, unit: 0, unitSymbol: nil)
        facts[origin] = fact
        return fact
    }

    /// A value in its type's canonical unit, or as it stands where there is no such thing.
    func canonical(_ value: Double, origin: Int64, type: Int32) throws -> Double {
        if value.isNaN { return value }
        let fact = try fact(origin)
        guard let symbol = fact.unitSymbol else { return value }
        let place = TypedUnit(type: type, unit: fact.unit)
        let conversion: UnitConversion?
        if let known = conversions[place] {
            conversion = known
        } else {
            conversion = OriginFacts.conversion(from: symbol, ofType: type)
            conversions[place] = .some(conversion)
        }
        return conversion?(value) ?? value
    }

    private static func conversion(from symbol: String, ofType type: Int32) -> UnitConversion? {
        guard let canonical = Catalogue.type(code: type)?.canonicalUnit,
            let target = try? HealthUnit(canonical), let unit = try? HealthUnit(symbol)
        else { return nil }
        return try? unit.conversion(to: target)
    }

    /// Whether two rows hold the same content: values in canonical units to a relative 1e-9, and
    /// everything else to the letter. The unit itself is only a way of writing the value.
    func sameContent(_ a: StoredRow, _ b: StoredRow) throws -> Bool {
        guard a.end == b.end, a.created == b.created || (a.created.isNaN && b.created.isNaN),
            a.metadata == b.metadata, OriginFacts.sameDetail(a.detail, b.detail)
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
        return abs(x - y) <= OriginFacts.tolerance * max(abs(x), abs(y))
    }

    /// How far values of equal content may lie apart, as a part of the greater one.
    static let tolerance = 1e-9

    /// Whether two structured parts say the same. A later version may write the same content in
    /// another text (a field more), so that texts are only the quick answer.
    static func sameDetail(_ a: String?, _ b: String?) -> Bool {
        if a == b { return true }
        guard let a, let b, let first = try? StoredText.detail(from: a),
            let second = try? StoredText.detail(from: b)
        else { return false }
        return first == second
    }
}
