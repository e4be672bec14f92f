import GRDB
import HealthEngine

/// A cache of stored origins (source, version, device and unit), for comparing the content of rows
/// during an import.
final class OriginCache {
    struct Entry {
        var source: Int64
        var version: String?
        var device: Int64
        /// The id of the unit; 0 for none.
        var unit: Int64
        var unitSymbol: String?
    }

    private struct TypedUnit: Hashable {
        var type: Int32
        var unit: Int64
    }

    private enum Column: Int32, StatementField {
        case source, version, device, unit, symbol

        var sql: String {
            switch self {
            case .source: "source"
            case .version: "version"
            case .device: "device"
            case .unit: "unit"
            case .symbol: "unit.symbol"
            }
        }
    }

    private let find: StoreStatement<SingleField, Column>
    private var entries: [Int64: Entry] = [:]
    private var conversions: [TypedUnit: UnitConversion?] = [:]

    init(_ db: Database) throws {
        find = try StoreStatement(
            db,
            "SELECT \(Column.columns) FROM origin "
                + "LEFT JOIN unit ON unit.id = origin.unit WHERE origin.id = \(SingleField.value)")
    }

    func remove(_ origin: Int64) { entries[origin] = nil }

    func entry(_ origin: Int64) throws -> Entry {
        if let entry = entries[origin] { return entry }
        try find.bind(origin, to: .value)
        defer { find.reset() }
        let isKnown = try find.step()
        let entry =
            isKnown
            ? Entry(
                source: find.int(.source), version: try find.text(.version),
                device: find.int(.device), unit: find.int(.unit),
                unitSymbol: try find.text(.symbol))
            : Entry(source: 0, version: nil, device: 0, unit: 0, unitSymbol: nil)
        entries[origin] = entry
        return entry
    }

    /// Returns a value of an origin in the type's canonical unit; unchanged if there is no
    /// conversion.
    func canonical(_ value: Double, origin: Int64, type: Int32) throws -> Double {
        if value.isNaN { return value }
        let entry = try entry(origin)
        guard let symbol = entry.unitSymbol else { return value }
        let key = TypedUnit(type: type, unit: entry.unit)
        let conversion: UnitConversion?
        if let known = conversions[key] {
            conversion = known
        } else {
            conversion = OriginCache.conversion(from: symbol, ofType: type)
            conversions[key] = .some(conversion)
        }
        return conversion?(value) ?? value
    }

    private static func conversion(from symbol: String, ofType type: Int32) -> UnitConversion? {
        // Without valid units, values are compared unconverted.
        guard let canonical = Catalogue.type(code: type)?.canonicalUnit,
            let target = try? HealthUnit(canonical), let unit = try? HealthUnit(symbol)
        else { return nil }
        return try? unit.conversion(to: target)
    }

    /// Returns whether two rows of one type and start have equal content: values in canonical units
    /// within a relative tolerance of 1e-9, and equal end, creation time, metadata, details,
    /// source, version and device. Units are compared only if both rows have no value.
    func sameContent(_ a: StoredRow, _ b: StoredRow) throws -> Bool {
        guard a.end == b.end, a.created == b.created || (a.created.isNaN && b.created.isNaN),
            a.metadata == b.metadata, OriginCache.sameDetail(a.detail, b.detail)
        else { return false }
        if a.origin == b.origin {
            if a.value == b.value || (a.value.isNaN && b.value.isNaN) { return true }
        } else {
            let (first, second) = (try entry(a.origin), try entry(b.origin))
            guard first.source == second.source, first.version == second.version,
                first.device == second.device
            else { return false }
            if a.value.isNaN && b.value.isNaN { return first.unit == second.unit }
        }
        let x = try canonical(a.value, origin: a.origin, type: a.type)
        let y = try canonical(b.value, origin: b.origin, type: b.type)
        return abs(x - y) <= OriginCache.tolerance * max(abs(x), abs(y))
    }

    /// The relative tolerance of values with equal content.
    static let tolerance = 1e-9

    /// Returns whether two encoded details are equal. Texts can differ for equal content, for
    /// example if a later version of this library writes another field. So unequal texts are
    /// decoded.
    static func sameDetail(_ a: String?, _ b: String?) -> Bool {
        if a == b { return true }
        // Details that can't be decoded are only equal to the same text.
        guard let a, let b, let first = try? StoredText.detail(from: a),
            let second = try? StoredText.detail(from: b)
        else { return false }
        return first == second
    }
}
