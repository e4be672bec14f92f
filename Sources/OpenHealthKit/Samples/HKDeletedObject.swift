public import Foundation
import HealthEngine

/// What is left of a deleted object: its UUID and, where it had them, its sync identifier and
/// version (Semantics §6.6).
// Immutable.
open class HKDeletedObject: NSObject, NSSecureCoding, @unchecked Sendable {
    private let identifier: UUID
    private let syncMetadata: SampleMetadata?
    /// Learns whether anybody looks; nil outside a query's results.
    private let receipt: DeletionReceipt?

    /// A tombstone by its parts; not Apple's.
    public convenience init(
        _uuid: UUID, syncIdentifier: String? = nil, syncVersion: Double? = nil
    ) {
        self.init(
            _uuid: _uuid, syncIdentifier: syncIdentifier, syncVersion: syncVersion, receipt: nil)
    }

    /// A tombstone that a query hands over; not Apple's.
    init(_uuid: UUID, syncIdentifier: String?, syncVersion: Double?, receipt: DeletionReceipt?) {
        self.receipt = receipt
        identifier = _uuid
        var metadata: Metadata = [:]
        metadata[HKMetadataKeySyncIdentifier] = syncIdentifier.map { .string($0) }
        metadata[HKMetadataKeySyncVersion] = syncVersion.map { .number($0) }
        syncMetadata = metadata.isEmpty ? nil : SampleMetadata(metadata)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived tombstone; nil without its UUID.
    public required convenience init?(coder: NSCoder) {
        guard let text = coder.string("uuid"), let uuid = UUID(uuidString: text) else { return nil }
        let version = coder.value(NSNumber.self, "syncVersion")
        self.init(
            _uuid: uuid, syncIdentifier: coder.string("syncIdentifier"),
            syncVersion: version?.doubleValue)
    }

    open func encode(with coder: NSCoder) {
        coder.encode(identifier.uuidString, for: "uuid")
        if case .string(let text) = syncMetadata?.stored[HKMetadataKeySyncIdentifier] {
            coder.encode(text, for: "syncIdentifier")
        }
        if case .number(let number) = syncMetadata?.stored[HKMetadataKeySyncVersion] {
            coder.encode(NSNumber(value: number), forKey: "syncVersion")
        }
    }

    /// Which object is gone.
    open var uuid: UUID {
        receipt?.markRead()
        return identifier
    }

    /// ``HKMetadataKeySyncIdentifier`` and ``HKMetadataKeySyncVersion`` and nothing else; nil
    /// without them.
    open var metadata: [String: Any]? {
        receipt?.markRead()
        return syncMetadata?.values
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKDeletedObject)?.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }
    open override var description: String { "HKDeletedObject \(identifier)" }
}
