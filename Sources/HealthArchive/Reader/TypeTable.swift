import HealthEngine

/// The types of one file with their catalogue data, numbered in order of first occurrence, and the
/// number of their samples by origin.
struct TypeTable {
    struct Entry {
        var code: Int32
        var identifier: String
        var kind: SampleType.Kind
        var isKnown: Bool
        var enumeration: String?
        var canonicalUnit: HealthUnit?
    }

    /// A pair of type and origin, by their numbers in one file, for which samples are counted.
    struct TypeOriginPair: Hashable {
        var type: Int
        var origin: Int32
    }

    /// The maximum number of cached category values, and the maximum bytes of their names.
    private static let valueLimit = 4096
    private static let maximumValueLength = 256

    /// The enumeration of categories without values of their own, and the name of its only value.
    static let plainEnumeration = "HKCategoryValue"
    static let notApplicable: StaticString = "HKCategoryValueNotApplicable"

    private var interning = ByteInterning()
    private var values = ByteInterning()
    private var valueNumbers: [Double] = []
    private var counts: [TypeOriginPair: Int] = [:]
    /// The current run of samples with the same type and origin, not yet added to the counts.
    private var run = (pair: TypeOriginPair(type: -1, origin: -1), count: 0)
    private(set) var entries: [Entry] = []

    /// Returns the number of a type; nil for a new one above ``ExportLimits/maximumTypes``.
    ///
    /// - Parameter register: Returns the store's code of an identifier. Called for new types.
    mutating func number(
        _ attribute: ElementScanner.Attribute, register: (String) throws -> Int32
    ) rethrows -> Int? {
        if entries.count >= ExportLimits.maximumTypes { return interning.known(attribute.value) }
        let (number, isNew) = interning.number(attribute.value)
        if isNew {
            let identifier = attribute.string
            let known = Catalogue.type(identifier: identifier)
            entries.append(
                Entry(
                    code: try register(identifier), identifier: identifier,
                    kind: SampleType.kind(ofIdentifier: identifier), isKnown: known != nil,
                    enumeration: known?.valueEnumeration,
                    canonicalUnit: known?.canonicalUnit.flatMap { try? HealthUnit($0) }))
        }
        return number
    }

    mutating func count(_ type: Int, origin: Int32) {
        if run.pair.type != type || run.pair.origin != origin {
            endRun()
            run.pair = TypeOriginPair(type: type, origin: origin)
        }
        run.count += 1
    }

    /// The number of counted pairs of type and origin, without the current run.
    var pairCount: Int { counts.count }

    private mutating func endRun() {
        if run.count > 0 { counts[run.pair, default: 0] += run.count }
        run.count = 0
    }

    /// Returns the number of samples by type and origin since the last call.
    mutating func takeCounts() -> [TypeOriginPair: Int] {
        endRun()
        defer { counts.removeAll(keepingCapacity: true) }
        return counts
    }

    /// Returns the raw value of a category's exported name, or the number if the text is one; NaN
    /// for anything else.
    mutating func categoryValue(_ attribute: ElementScanner.Attribute) -> Double {
        if attribute.value.count > TypeTable.maximumValueLength {
            return TypeTable.value(attribute)
        }
        if values.count >= TypeTable.valueLimit {
            return values.known(attribute.value).map { valueNumbers[$0] }
                ?? TypeTable.value(attribute)
        }
        let (number, isNew) = values.number(attribute.value)
        if isNew { valueNumbers.append(TypeTable.value(attribute)) }
        return valueNumbers[number]
    }

    private static func value(_ attribute: ElementScanner.Attribute) -> Double {
        if let value = Catalogue.value(exportedAs: attribute.string) {
            return Double(value.rawValue)
        }
        return ExportNumber.parse(attribute.value) ?? .nan
    }
}
