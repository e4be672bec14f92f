public import Foundation
import HealthEngine

/// The base class of objects in a store.
///
/// Objects are equal if their UUIDs are equal. The UUID is set by the initializer and kept by
/// `save` (Semantics §9.9).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKObject: NSObject, NSSecureCoding, @unchecked Sendable {
    private let identifier: UUID
    let origin: SampleOrigin?
    private let ownDevice: HKDevice?
    /// The metadata as stored, and the keys whose values `save` rejects; nil without metadata.
    let sampleMetadata: SampleMetadata?

    /// Creates an object. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _uuid: The UUID.
    ///   - origin: The source revision and device of a stored object; nil for a new one.
    ///   - device: The device of a new object, or nil.
    ///   - metadata: The metadata, or nil.
    public init(
        _uuid: UUID, origin: SampleOrigin?, device: HKDevice?, metadata: SampleMetadata?
    ) {
        identifier = _uuid
        self.origin = origin
        ownDevice = device
        sampleMetadata = metadata
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes an object; nil if its UUID is missing.
    public required init?(coder: NSCoder) {
        guard let text = coder.string("uuid"), let uuid = UUID(uuidString: text) else { return nil }
        identifier = uuid
        ownDevice = coder.value(HKDevice.self, "device")
        origin = coder.value(HKSourceRevision.self, "sourceRevision").map { [ownDevice] in
            SampleOrigin(sourceRevision: $0, device: ownDevice)
        }
        sampleMetadata = coder.data("metadata").flatMap { data in
            (try? PropertyListDecoder().decode(Metadata.self, from: data))
                .map { SampleMetadata($0) }
        }
    }

    open func encode(with coder: NSCoder) {
        coder.encode(identifier.uuidString, for: "uuid")
        if let device { coder.encode(device, forKey: "device") }
        if let origin { coder.encode(origin.sourceRevision, forKey: "sourceRevision") }
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        if let stored = sampleMetadata?.stored {
            coder.encode(try? encoder.encode(stored), for: "metadata")
        }
    }

    /// The permanent identifier of the object.
    open var uuid: UUID { identifier }

    /// The source that saved the object; for an object that was not read from a store, a source
    /// with an empty bundle identifier. `save` does not change the object passed to it.
    open var source: HKSource { sourceRevision.source }

    /// The source revision that saved the object. For an object that was not read from a store: the
    /// version of this process and a source with an empty bundle identifier, which predicates treat
    /// as this app.
    open var sourceRevision: HKSourceRevision {
        origin?.sourceRevision ?? HKObject.unsavedRevision
    }

    /// The device that recorded the object; nil if unknown.
    open var device: HKDevice? { ownDevice ?? origin?.device }

    /// Additional facts by key: numbers as NSNumber, strings as String, dates as Date and
    /// quantities as ``HKQuantity``; nil without metadata.
    open var metadata: [String: Any]? { sampleMetadata?.values }

    /// The source revision of objects that were not read from a store. In a query's predicate it
    /// stands for the app of the handle that executes the query, in any version.
    static let unsavedRevision = HKSourceRevision(
        source: .unsaved, version: AppIdentity.process.version,
        productType: AppIdentity.process.productType,
        operatingSystemVersion: AppIdentity.process.operatingSystemVersion)

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKObject)?.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }
}
