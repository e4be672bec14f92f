public import Foundation
import HealthEngine
import HealthStorage

/// A position in the sequence of changes of a store; a query returns the changes after it.
///
/// Save the anchor together with the data that was read, preferably in one transaction. Pass it to
/// the next query for the same types. An anchor that a query returned is valid for one store only;
/// other stores reject it (Semantics §6.8).
///
/// ```swift
/// let data = try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
/// ```
open class HKQueryAnchor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {  // immutable
    /// The sequence number of the last change that was read.
    let number: Int64
    /// The identifier of the store; nil for an anchor made from a value.
    let store: String?
    /// The fingerprint of the query; nil for an anchor made from a value or returned by a query for
    /// effort relationships.
    let fingerprint: QueryFingerprint?

    /// Creates an anchor; used by queries. Not part of Apple's API.
    ///
    /// - Parameters:
    ///   - _number: The sequence number of the last change that was read.
    ///   - store: The identifier of the store, or nil.
    ///   - fingerprint: The fingerprint of the query, or nil.
    public init(_number: Int64, store: String?, fingerprint: QueryFingerprint?) {
        number = _number
        self.store = store
        self.fingerprint = fingerprint
    }

    /// Creates an anchor from an integer, the form of anchors in the first releases of HealthKit.
    ///
    /// ```swift
    /// HKQueryAnchor(fromValue: Int(HKAnchoredObjectQueryNoAnchor))  // from the beginning
    /// ```
    /// Other values are used unchanged as sequence numbers of the store that is queried.
    ///
    /// - Parameter value: The sequence number; 0 for the beginning.
    public required convenience init(fromValue value: Int) {
        self.init(_number: Int64(value), store: nil, fingerprint: nil)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes an anchor; nil if its number is missing.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "number") else { return nil }
        number = coder.decodeInt64(forKey: "number")
        store = coder.string("store")
        guard coder.containsValue(forKey: "types") else {
            fingerprint = nil
            return
        }
        fingerprint = QueryFingerprint(
            types: UInt64(bitPattern: coder.decodeInt64(forKey: "types")),
            filters: UInt64(bitPattern: coder.decodeInt64(forKey: "filters")))
    }

    open func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
        if let store { coder.encode(store, for: "store") }
        if let fingerprint {
            coder.encode(Int64(bitPattern: fingerprint.types), forKey: "types")
            coder.encode(Int64(bitPattern: fingerprint.filters), forKey: "filters")
        }
    }

    /// Returns the anchor itself, which is immutable.
    ///
    /// - Parameter zone: Ignored.
    /// - Returns: The anchor.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQueryAnchor else { return false }
        return number == other.number && store == other.store && fingerprint == other.fingerprint
    }

    open override var hash: Int { number.hashValue }

    /// A description such as "<HKQueryAnchor 42>".
    open override var description: String { "<HKQueryAnchor \(number)>" }
}

/// Hashes of the types and filters of an anchored query. Equal queries have equal hashes in every
/// process. Not part of Apple's API.
///
/// Conditions on start and end that all samples must meet are excluded, so a query with a moving
/// time window keeps its fingerprint.
public struct QueryFingerprint: Hashable, Sendable {
    /// The hash of the types, independent of their order.
    let types: UInt64
    /// The hash of the types with their predicates, without the excluded conditions.
    let filters: UInt64

    init(types: UInt64, filters: UInt64) {
        self.types = types
        self.filters = filters
    }

    init(_ requests: [SampleRequest]) {
        types = Self.hash(requests.map { $0.type.identifier })
        filters = Self.hash(
            requests.map { "\($0.type.identifier) \($0.filter.residualFilter)" })
    }

    /// Returns the FNV-1a hash of the distinct strings in sorted order.
    private static func hash(_ texts: [String]) -> UInt64 {
        var hash = FNV1a()
        for text in Set(texts).sorted() { hash.add(delimited: text) }
        return hash.value
    }
}
