public import Foundation

/// Samples that belong together: a blood pressure's two readings, a meal's nutrients.
// Immutable.
open class HKCorrelation: HKSample, @unchecked Sendable {
    private let members: Set<HKSample>

    /// A correlation by its parts; not Apple's.
    public init(_record: SampleRecord, objects: Set<HKSample>) {
        members = objects
        super.init(_record: _record)
    }

    /// A correlation of samples; a blood pressure without its two readings is refused by `save`.
    public required convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
        objects: Set<HKSample>
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil,
            metadata: nil)
    }

    /// A correlation of samples with metadata.
    public required convenience init(
        type correlationType: HKCorrelationType, start startDate: Date, end endDate: Date,
        objects: Set<HKSample>, metadata: [String: Any]?
    ) {
        self.init(
            type: correlationType, start: startDate, end: endDate, objects: objects, device: nil,
            metadata: metadata)
    }

    /// A correlation of samples with its device and metadata.
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

    /// Reads an archived correlation with its members.
    public required init?(coder: NSCoder) {
        members = Set(coder.array(of: HKSample.self, "objects"))
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        let objects = members.sorted { $0.uuid.uuidString < $1.uuid.uuidString }
        coder.encode(objects as NSArray, forKey: "objects")
    }

    /// What it is a correlation of.
    open var correlationType: HKCorrelationType {
        sampleType as? HKCorrelationType ?? HKCorrelationType(_identifier: sampleType.identifier)
    }

    /// The samples that belong together.
    open var objects: Set<HKSample> { members }

    /// Those of one type: the systolic reading of a blood pressure.
    open func objects(for objectType: HKObjectType) -> Set<HKSample> {
        members.filter { $0.sampleType == objectType }
    }

    override var valueDescription: String {
        "\(sampleType.identifier) of \(members.count)"
    }
}
