import HealthEngine

/// The type identifiers of one file with what is known of each.
struct TypeTable {
    struct Entry {
        var code: Int32
        var identifier: String
        var kind: SampleType.Kind
        var isKnown: Bool
        var enumeration: String?
        /// Samples by origin number: which units a type came in is told from it at the end.
        var originCounts: [Int] = []
    }

    private var interning = ByteInterning()
    private var values = ByteInterning()
    private var valueNumbers: [Double] = []
    private(set) var entries: [Entry] = []

    /// The number of a type; `register` gives a first-met identifier its stored code.
    mutating func number(
        _ attribute: ElementScanner.Attribute, register: (String) throws -> Int32
    ) rethrows -> Int {
        let (number, isNew) = interning.number(attribute.value)
        if isNew {
            let identifier = attribute.string
            let known = Catalogue.type(identifier: identifier)
            entries.append(
                Entry(
                    code: try register(identifier), identifier: identifier,
                    kind: known?.kind ?? TypeTable.kind(identifier), isKnown: known != nil,
                    enumeration: known?.valueEnumeration))
        }
        return number
    }

    private static func kind(_ identifier: String) -> SampleType.Kind {
        if identifier.hasPrefix("HKQuantityTypeIdentifier") { return .quantity }
        if identifier.hasPrefix("HKCategoryTypeIdentifier") { return .category }
        if identifier.hasPrefix("HKCorrelationTypeIdentifier") { return .correlation }
        return .other
    }

    mutating func count(_ type: Int, origin: Int32) {
        let index = Int(origin)
        while entries[type].originCounts.count <= index { entries[type].originCounts.append(0) }
        entries[type].originCounts[index] += 1
    }

    /// The raw value that a category's exported name stands for; NaN for one nobody knows.
    mutating func categoryValue(_ attribute: ElementScanner.Attribute) -> Double {
        let (number, isNew) = values.number(attribute.value)
        if isNew {
            let name = attribute.string
            if let value = Catalogue.value(exportedAs: name) {
                valueNumbers.append(Double(value.rawValue))
            } else {
                valueNumbers.append(ExportNumber.parse(attribute.value) ?? .nan)
            }
        }
        return valueNumbers[number]
    }
}
