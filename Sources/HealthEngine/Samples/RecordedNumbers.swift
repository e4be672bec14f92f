/// The keys that this package uses in ``SampleDetail/numbers(_:)``.
package enum RecordedNumber: String {
    // A state of mind.
    case kind, valence, labels, associations
    // A questionnaire.
    case answers
}

extension [String: [Double]] {
    /// Creates the dictionary of ``SampleDetail/numbers(_:)`` from typed keys.
    package init(_ numbers: KeyValuePairs<RecordedNumber, [Double]>) {
        self.init(uniqueKeysWithValues: numbers.map { ($0.key.rawValue, $0.value) })
    }

    /// The numbers for a key; empty if there are none.
    package subscript(name: RecordedNumber) -> [Double] { self[name.rawValue] ?? [] }

    /// Returns the whole numbers for a key, such as raw values. Other numbers are left out.
    package func integers(_ name: RecordedNumber) -> [Int] {
        self[name].compactMap(Int.init(exactly:))
    }
}
