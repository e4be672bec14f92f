/// A fact about the person that is not a sample: blood type, date of birth.
public struct Characteristic: Hashable, Sendable {
    /// A number fixed for ever, apart from those of ``SampleType``: stores keep what people allow
    /// programs by it.
    public let code: Int32
    /// Apple's identifier, which exports use as an attribute of `Me`.
    public let identifier: String
    /// Apple's Swift name: "bloodType".
    public let name: String
    /// The enumeration its values come from: "HKBloodType", exported as "HKBloodTypeAPositive". Nil
    /// for a date and for values that stay text.
    public let valueEnumeration: String?

    init(_ code: Int32, _ identifier: String, name: String, values: String?) {
        self.code = code
        self.identifier = identifier
        self.name = name
        valueEnumeration = values
    }
}
