public import Foundation

/// A sample that groups other samples, such as the two readings of a blood pressure or the
/// nutrients of a meal.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKCorrelation: HKSample, @unchecked Sendable {
    private let members: Set<HKSample>

    /// Creates a correlation from its record. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _record: The properties that all samples have.
    ///   - objects: The member samples.
    public init(_record: SampleRecord, objects: Set<HKSample>) {
        members = objects
        super.init(_record: _record)
    }

    /// Creates a correlation. `save` rejects a blood pressure without exactly one systolic and one
    /// diastolic reading.
    ///
    /// - Parameters:
    ///   - correlationType: The type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - objects: The member samples; no correlations or workouts.
    public required convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
        objects: Set<HKSample>
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil,
            metadata: nil)
    }

    /// Creates a correlation with metadata.
    ///
    /// - Parameters:
    ///   - correlationType: The type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - objects: The member samples; no correlations or workouts.
    ///   - metadata: Additional facts, or nil.
    public required convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
        objects: Set<HKSample>, metadata: [String: Any]?
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil,
            metadata: metadata)
    }

    /// Creates a correlation with a device and metadata.
    ///
    /// - Parameters:
    ///   - correlationType: The type.
    ///   - startDate: The start.
    ///   - endDate: The end, not before the start.
    ///   - objects: The member samples; no correlations or workouts.
    ///   - device: The device of the correlation itself, or nil; members have devices of their own.
    ///   - metadata: Additional facts, or nil.
    public required convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
        objects: Set<HKSample>, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            _record: SampleRecord(
                correlationType, start: startDate, end: endDate, device: device,
                metadata: metadata),
            objects: objects)
        validateIfStrict()
    }

    /// Decodes a correlation with its members; nil if its UUID or type is missing.
    public required init?(coder: NSCoder) {
        members = Set(coder.array(of: HKSample.self, "objects"))
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        let objects = members.sorted { $0.uuid.uuidString < $1.uuid.uuidString }
        coder.encode(objects as NSArray, forKey: "objects")
    }

    /// The type of the correlation.
    open var correlationType: HKCorrelationType {
        sampleType as? HKCorrelationType ?? HKCorrelationType(_identifier: sampleType.identifier)
    }

    /// The member samples.
    open var objects: Set<HKSample> { members }

    /// Returns the members of one type, such as the systolic reading of a blood pressure.
    ///
    /// - Parameter objectType: The type.
    /// - Returns: The members of the type.
    /// - Complexity: O(n) in the number of members.
    open func objects(for objectType: HKObjectType) -> Set<HKSample> {
        members.filter { $0.sampleType == objectType }
    }

    override var valueDescription: String {
        "\(sampleType.identifier) of \(members.count)"
    }
}
