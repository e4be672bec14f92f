public import Foundation
import HealthEngine

/// Something that a store keeps.
///
/// Objects are equal when their UUIDs are; the UUID is fixed when an object is made and kept by
/// `save` (Semantics §9.9).
// Immutable.
open class HKObject: NSObject, NSSecureCoding, @unchecked Sendable {
    private let identifier: UUID
    let origin: SampleOrigin?
    private let ownDevice: HKDevice?
    /// As stores hold it, with what they would refuse.
    let sampleMetadata: SampleMetadata?

    /// An object by what it shares with all others; not Apple's.
    public init(
        _uuid: UUID, origin: SampleOrigin?, device: HKDevice?, metadata: SampleMetadata?
    ) {
        identifier = _uuid
        self.origin = origin
        ownDevice = device
        sampleMetadata = metadata
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived object; nil without its UUID.
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

    /// Who this object is, for ever.
    open var uuid: UUID { identifier }

    /// Who wrote it; until a store has it, a source with an empty bundle identifier.
    open var source: HKSource { sourceRevision.source }

    /// Who wrote it, in which version; until a store has it, this process's version and a source with
    /// an empty bundle identifier, which stands for this app in a predicate.
    open var sourceRevision: HKSourceRevision {
        origin?.sourceRevision ?? HKObject.unsavedRevision
    }

    /// What it was measured with.
    open var device: HKDevice? { ownDevice ?? origin?.device }

    /// Facts beside the value, by key: numbers as NSNumber, texts as String, moments as Date,
    /// amounts as ``HKQuantity``; nil where there are none.
    open var metadata: [String: Any]? { sampleMetadata?.values }

    /// This process; to a store's predicates the app of whichever store runs them.
    static let unsavedRevision = HKSourceRevision(
        source: .unsaved, version: AppIdentity.process.version,
        productType: AppIdentity.process.productType,
        operatingSystemVersion: AppIdentity.process.operatingSystemVersion)

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKObject)?.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }
}
