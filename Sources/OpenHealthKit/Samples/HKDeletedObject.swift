public import Foundation
import HealthEngine

/// A tombstone: the UUID of a deleted object and, if the object had them, its sync identifier and
/// version (Semantics §6.6).
// `@unchecked Sendable`: all stored properties are immutable.
open class HKDeletedObject: NSObject, NSSecureCoding, @unchecked Sendable {
    private let identifier: UUID
    private let syncMetadata: SampleMetadata?
    /// Records that the app has read this object, for the batch in which a query returned it; nil
    /// outside the results of a query.
    private let readTracker: DeletionReadTracker?
    /// Whether the object is only no longer in the store, and can come back.
    package let isWithdrawn: Bool

    /// Creates a tombstone. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _uuid: The UUID of the deleted object.
    ///   - syncIdentifier: Its sync identifier, or nil.
    ///   - syncVersion: Its sync version, or nil.
    public convenience init(
        _uuid: UUID, syncIdentifier: String? = nil, syncVersion: Double? = nil
    ) {
        self.init(
            _uuid: _uuid, syncIdentifier: syncIdentifier, syncVersion: syncVersion, readTracker: nil
        )
    }

    /// Creates a tombstone for the results of a query. Not part of Apple's API.
    init(
        _uuid: UUID, syncIdentifier: String?, syncVersion: Double?, isWithdrawn: Bool = false,
        readTracker: DeletionReadTracker?
    ) {
        self.readTracker = readTracker
        self.isWithdrawn = isWithdrawn
        identifier = _uuid
        var metadata: Metadata = [:]
        metadata[HKMetadataKeySyncIdentifier] = syncIdentifier.map { .string($0) }
        metadata[HKMetadataKeySyncVersion] = syncVersion.map { .number($0) }
        syncMetadata = metadata.isEmpty ? nil : SampleMetadata(metadata)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a tombstone; nil if its UUID is missing.
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

    /// The UUID of the deleted object.
    open var uuid: UUID {
        readTracker?.markRead()
        return identifier
    }

    /// The values of ``HKMetadataKeySyncIdentifier`` and ``HKMetadataKeySyncVersion``; nil without
    /// them.
    open var metadata: [String: Any]? {
        readTracker?.markRead()
        return syncMetadata?.values
    }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? HKDeletedObject)?.identifier == identifier
    }

    open override var hash: Int { identifier.hashValue }
    open override var description: String { "HKDeletedObject \(identifier)" }
}

/// Tracks whether an app reads any deleted object of a batch. If all of them are released unread,
/// the tracker records a finding: an app that mirrors the store would keep deleted samples.
///
/// Each deleted object of the batch retains the tracker. It marks the batch as read when the app
/// reads its UUID or metadata.
final class DeletionReadTracker: Sendable {
    private let diagnostics: Diagnostics
    private let types: [String]
    private let count: Int
    private let isRead = Locked(false)

    /// Creates a tracker for one batch.
    ///
    /// - Parameters:
    ///   - types: The identifiers of the queried types.
    ///   - count: The number of deleted objects.
    ///   - diagnostics: Where to record the finding.
    init(types: [String], count: Int, diagnostics: Diagnostics) {
        self.diagnostics = diagnostics
        self.types = types
        self.count = count
    }

    /// Marks the batch as read.
    func markRead() { isRead { $0 = true } }

    deinit {
        if count > 0, !isRead({ $0 }) {
            diagnostics.record(.deletionsNotRead(types: types, count: count))
        }
    }
}
