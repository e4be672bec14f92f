public import Foundation

/// Who wrote a stored object, with which device: shared by all objects written the same way.
// Immutable.
public final class SampleOrigin: @unchecked Sendable {
    public let sourceRevision: HKSourceRevision
    public let device: HKDevice?

    public init(sourceRevision: HKSourceRevision, device: HKDevice?) {
        self.sourceRevision = sourceRevision
        self.device = device
    }
}

/// What every sample has, whatever it records; not Apple's.
///
/// A hundred thousand samples share a few types, origins and metadata; the rest is numbers.
public struct SampleRecord: Sendable {
    public var uuid: UUID
    public var sampleType: HKSampleType
    /// Reference seconds.
    public var start: Double
    /// Reference seconds.
    public var end: Double
    /// Nil for an object that no store has handed out.
    public var origin: SampleOrigin?
    /// The device given to an unsaved object; a stored one's stands in its origin.
    public var device: HKDevice?
    public var metadata: SampleMetadata?

    public init(
        uuid: UUID, sampleType: HKSampleType, start: Double, end: Double,
        origin: SampleOrigin? = nil, device: HKDevice? = nil, metadata: SampleMetadata? = nil
    ) {
        self.uuid = uuid
        self.sampleType = sampleType
        self.start = start
        self.end = end
        self.origin = origin
        self.device = device
        self.metadata = metadata
    }

    /// A new object, as an app makes one.
    init(
        _ type: HKSampleType, start: Date, end: Date, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            uuid: UUID(), sampleType: type, start: start.timeIntervalSinceReferenceDate,
            end: end.timeIntervalSinceReferenceDate, device: device,
            metadata: metadata.map { SampleMetadata(given: $0) })
    }
}
