public import Foundation

/// A sample with a value of an enumeration, such as a sleep stage or a symptom.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKCategorySample: HKSample, @unchecked Sendable {
    private let rawValue: Int

    /// Creates a category sample from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - value: The raw value.
    public init(_record: SampleRecord, value: Int) {
        rawValue = value
        super.init(_record: _record)
    }

    /// Creates a category sample. `save` rejects a value outside the type's enumeration.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - value: The raw value of the type's enumeration.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    public required convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date
    ) {
        self.init(
            type: type, value: value, start: startDate, end: endDate, device: nil, metadata: nil)
    }

    /// Creates a category sample with metadata.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - value: The raw value of the type's enumeration.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - metadata: Additional facts, or nil.
    public required convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(
            type: type, value: value, start: startDate, end: endDate, device: nil,
            metadata: metadata)
    }

    /// Creates a category sample with a device and metadata.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - value: The raw value of the type's enumeration.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - device: The device that recorded the sample, or nil.
    ///   - metadata: Additional facts, or nil.
    public required convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            _record: SampleRecord(
                type, start: startDate, end: endDate, device: device, metadata: metadata),
            value: value)
        validateIfStrict()
    }

    /// Decodes a sample; nil if its UUID or type is missing.
    public required init?(coder: NSCoder) {
        rawValue = coder.decodeInteger(forKey: "value")
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(rawValue, forKey: "value")
    }

    /// The type of the sample.
    open var categoryType: HKCategoryType {
        sampleType as? HKCategoryType ?? HKCategoryType(_identifier: sampleType.identifier)
    }

    /// The raw value of the type's enumeration. Convert it with an initializer such as
    /// `HKCategoryValueSleepAnalysis(rawValue:)`.
    open var value: Int { rawValue }

    override var storedValue: Double { Double(rawValue) }
    override var valueDescription: String { "\(sampleType.identifier) \(rawValue)" }
}
