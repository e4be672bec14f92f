public import Foundation

/// A sample with a value of an enumeration: a stage of sleep, a symptom.
// Immutable.
open class HKCategorySample: HKSample, @unchecked Sendable {
    private let rawValue: Int

    /// A category sample by its parts; not Apple's.
    public init(_record: SampleRecord, value: Int) {
        rawValue = value
        super.init(_record: _record)
    }

    /// A sample of a category; a value outside its enumeration is refused by `save`.
    public required convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date
    ) {
        self.init(
            type: type, value: value, start: startDate, end: endDate, device: nil, metadata: nil)
    }

    /// A sample of a category with metadata.
    public required convenience init(
        type: HKCategoryType, value: Int, start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(
            type: type, value: value, start: startDate, end: endDate, device: nil,
            metadata: metadata)
    }

    /// A sample of a category with its device and metadata.
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

    /// Reads an archived sample.
    public required init?(coder: NSCoder) {
        rawValue = coder.decodeInteger(forKey: "value")
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(rawValue, forKey: "value")
    }

    /// What it is a sample of.
    open var categoryType: HKCategoryType {
        sampleType as? HKCategoryType ?? HKCategoryType(_identifier: sampleType.identifier)
    }

    /// The raw value: `HKCategoryValueSleepAnalysis(rawValue: sample.value)`.
    open var value: Int { rawValue }

    override var storedValue: Double { Double(rawValue) }
    override var valueDescription: String { "\(sampleType.identifier) \(rawValue)" }
}
