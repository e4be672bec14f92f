public import Foundation
import HealthStorage

/// A sample type and a predicate; a query for several types takes a list of these.
// `@unchecked Sendable`: all stored properties are immutable.
open class HKQueryDescriptor: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let type: HKSampleType
    private let condition: NSPredicate?

    /// Creates a descriptor.
    ///
    /// - Parameters:
    ///   - sampleType: The type.
    ///   - predicate: Which samples to return; nil for all.
    public required init(sampleType: HKSampleType, predicate: NSPredicate?) {
        type = sampleType
        condition = predicate
    }

    /// The requested type.
    open var sampleType: HKSampleType { type }

    /// Which samples to return; nil for all.
    open var predicate: NSPredicate? { condition }

    public static var supportsSecureCoding: Bool { true }

    /// Decodes a descriptor, without a predicate; nil if its type is missing.
    public required init?(coder: NSCoder) {
        guard let type = coder.value(HKSampleType.self, "sampleType") else { return nil }
        self.type = type
        condition = nil
    }

    /// Encodes a descriptor that has no predicate. A predicate cannot be archived, so for a
    /// descriptor with a predicate the coder fails with ``HKError/errorInvalidArgument``.
    ///
    /// - Parameter coder: The coder.
    open func encode(with coder: NSCoder) {
        coder.encode(type, forKey: "sampleType")
        if condition != nil {
            coder.failWithError(
                HKError(.errorInvalidArgument, "A predicate can't be archived on this system."))
        }
    }

    /// Returns the descriptor itself, which is immutable.
    ///
    /// - Parameter zone: Ignored.
    /// - Returns: The descriptor.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQueryDescriptor else { return false }
        return type == other.type && condition == other.condition
    }

    open override var hash: Int { type.hash }
}

extension QueryExecution {
    /// Converts a descriptor to a request to the store.
    func request(_ descriptor: HKQueryDescriptor) throws -> SampleRequest {
        try request(descriptor.sampleType, descriptor.predicate)
    }

    /// Converts descriptors to requests to the store.
    ///
    /// - Throws: ``HKError/errorInvalidArgument`` if there are no descriptors, and for an unknown
    ///   type or an unsupported predicate.
    func requests(_ descriptors: [HKQueryDescriptor]) throws -> [SampleRequest] {
        guard !descriptors.isEmpty else {
            throw HKError(.errorInvalidArgument, "A query needs at least one descriptor.")
        }
        return try descriptors.map(request)
    }
}

extension [HKQueryDescriptor] {
    /// The type of a single descriptor; nil if there are several or none.
    var onlyType: HKSampleType? { count == 1 ? first?.sampleType : nil }
    /// The predicate of a single descriptor; nil if it has no predicate, or if there are several
    /// descriptors or none.
    var onlyPredicate: NSPredicate? { count == 1 ? first?.predicate : nil }

    /// The identifiers of the types, for diagnostics.
    var identifiers: [String] { map(\.sampleType.identifier) }
}
