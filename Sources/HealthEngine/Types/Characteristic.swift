/// A property of the person that is not a sample: blood type, date of birth.
public struct Characteristic: Hashable, Sendable {
    /// A number that never changes, because stores use it to record permissions. It differs from
    /// every ``SampleType/code`` of the catalogue.
    public let code: Int32
    /// Apple's identifier, which exports use as an attribute of `Me`.
    public let identifier: String
    /// Apple's Swift name: "bloodType".
    public let name: String
    /// The name of the enumeration of the values: "HKBloodType", whose values are exported as
    /// "HKBloodTypeAPositive" and so on. Nil if the values are dates or text.
    public let valueEnumeration: String?

    init(_ code: Int32, _ identifier: String, name: String, values: String?) {
        self.code = code
        self.identifier = identifier
        self.name = name
        valueEnumeration = values
    }
}
