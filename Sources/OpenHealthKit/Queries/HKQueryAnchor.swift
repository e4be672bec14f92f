public import Foundation

/// How far a query has read: everything after it is new.
///
/// Keep it with what was read, best in one transaction, and hand it to the next query of the same
/// types. It belongs to one store: another store's is refused (Semantics §6.8).
///
/// ```swift
/// let data = try NSKeyedArchiver.archivedData(withRootObject: anchor, requiringSecureCoding: true)
/// ```
open class HKQueryAnchor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {  // immutable
    /// The number of the last change that was read.
    let number: Int64
    /// Whose number it is; nil for one made from a value.
    let store: String?
    /// What was asked; nil for one made from a value.
    let question: QueryFingerprint?

    /// The place after a change of a store; ours, made by queries.
    public init(_number: Int64, store: String?, question: QueryFingerprint?) {
        number = _number
        self.store = store
        self.question = question
    }

    /// An anchor from the numbers of HealthKit's first releases.
    ///
    /// ```swift
    /// HKQueryAnchor(fromValue: Int(HKAnchoredObjectQueryNoAnchor))  // from the beginning
    /// ```
    /// Any other value is taken as it is, in whichever store it is used.
    public required convenience init(fromValue value: Int) {
        self.init(_number: Int64(value), store: nil, question: nil)
    }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived anchor; nil if the number is missing.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "number") else { return nil }
        number = coder.decodeInt64(forKey: "number")
        store = coder.string("store")
        guard coder.containsValue(forKey: "types") else {
            question = nil
            return
        }
        question = QueryFingerprint(
            types: UInt64(bitPattern: coder.decodeInt64(forKey: "types")),
            filters: UInt64(bitPattern: coder.decodeInt64(forKey: "filters")))
    }

    open func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
        if let store { coder.encode(store, for: "store") }
        if let question {
            coder.encode(Int64(bitPattern: question.types), forKey: "types")
            coder.encode(Int64(bitPattern: question.filters), forKey: "filters")
        }
    }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQueryAnchor else { return false }
        return number == other.number && store == other.store && question == other.question
    }

    open override var hash: Int { number.hashValue }

    /// "<HKQueryAnchor 42>".
    open override var description: String { "<HKQueryAnchor \(number)>" }
}
