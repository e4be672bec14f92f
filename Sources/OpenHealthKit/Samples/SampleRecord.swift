import Foundation

/// The source revision and device of a stored object. Objects that are read together and have the
/// same origin share an instance.
// `@unchecked Sendable`: all stored properties are immutable.
public final class SampleOrigin: @unchecked Sendable {
    /// The source revision that saved the object.
    package let sourceRevision: HKSourceRevision
    /// The device that recorded the object, or nil.
    package let device: HKDevice?

    package init(sourceRevision: HKSourceRevision, device: HKDevice?) {
        self.sourceRevision = sourceRevision
        self.device = device
    }
}

/// The properties that all samples have. Not part of Apple's API.
public struct SampleRecord: Sendable {
    /// The UUID.
    package var uuid: UUID
    /// The type of the sample.
    package var sampleType: HKSampleType
    /// The start, in seconds since 2001-01-01T00:00:00Z.
    package var start: Double
    /// The end, in seconds since 2001-01-01T00:00:00Z.
    package var end: Double
    /// The origin; nil for an object that was not read from a store.
    package var origin: SampleOrigin?
    /// The device of an unsaved object; the device of a stored one is part of its origin.
    package var device: HKDevice?
    /// The metadata, or nil.
    package var metadata: SampleMetadata?

    package init(
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

    /// Creates the record of a new object with a random UUID.
    init(
        _ type: HKSampleType, start: Date, end: Date, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            uuid: UUID(), sampleType: type, start: start.timeIntervalSinceReferenceDate,
            end: end.timeIntervalSinceReferenceDate, device: device,
            metadata: metadata.map { SampleMetadata(values: $0) })
    }
}
