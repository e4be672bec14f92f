public import Foundation
import HealthStorage

/// One type and predicate of a query that asks for several.
// Immutable.
open class HKQueryDescriptor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let type: HKSampleType
    private let condition: NSPredicate?

    /// Samples of a type that a predicate selects; all of them without one.
    public required init(sampleType: HKSampleType, predicate: NSPredicate?) {
        type = sampleType
        condition = predicate
    }

    /// The type asked for.
    open var sampleType: HKSampleType { type }

    /// Which samples are asked for; nil for all.
    open var predicate: NSPredicate? { condition }

    public static var supportsSecureCoding: Bool { true }

    /// Reads an archived descriptor; nil without its type.
    public required init?(coder: NSCoder) {
        guard let type = coder.value(HKSampleType.self, "sampleType") else { return nil }
        self.type = type
        condition = nil
    }

    /// Archives a descriptor without a predicate; Linux can't archive an NSPredicate, so the coder
    /// fails with ``HKError/errorInvalidArgument`` where there is one.
    open func encode(with coder: NSCoder) {
        coder.encode(type, forKey: "sampleType")
        if condition != nil {
            coder.failWithError(
                HKError(.errorInvalidArgument, "A predicate can't be archived on this system."))
        }
    }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQueryDescriptor else { return false }
        return type == other.type && condition == other.condition
    }

    open override var hash: Int { type.hash }
}

extension QueryExecution {
    /// What a descriptor asks, as the store reads it.
    func request(_ descriptor: HKQueryDescriptor) throws -> SampleRequest {
        try request(descriptor.sampleType, descriptor.predicate)
    }

    /// What several descriptors ask.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` if there is none, or for a predicate that no store
    ///   can run.
    func requests(_ descriptors: [HKQueryDescriptor]) throws -> [SampleRequest] {
        guard !descriptors.isEmpty else {
            throw HKError(.errorInvalidArgument, "A query needs at least one descriptor.")
        }
        return try descriptors.map(request)
    }
}

extension [HKQueryDescriptor] {
    /// The type of the only descriptor; nil for several.
    var onlyType: HKSampleType? { count == 1 ? first?.sampleType : nil }
    /// The predicate of the only descriptor; nil for several.
    var onlyPredicate: NSPredicate? { count == 1 ? first?.predicate : nil }

    /// Identifiers of the types, for findings.
    var identifiers: [String] { map(\.sampleType.identifier) }
}
