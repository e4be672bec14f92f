/// A property of the person that is not a sample: blood type, date of birth.
public struct Characteristic: Hashable, Sendable {
    /// A number that never changes and differs from every ``SampleType/code``. Stores record
    /// grants by it.
    public let code: Int32
    /// Apple's identifier, which exports use as an attribute of `Me`.
    public let identifier: String
    /// Apple's Swift name: "bloodType".
    public let name: String
    /// The name of the enumeration of its values: "HKBloodType", exported as
    /// "HKBloodTypeAPositive". Nil for dates and for values that stay text.
    public let valueEnumeration: String?

    init(_ code: Int32, _ identifier: String, name: String, values: String?) {
        self.code = code
        self.identifier = identifier
        self.name = name
        valueEnumeration = values
    }
}
